"""The light on the virtual cube, and the optics of the virtual camera."""

from dataclasses import dataclass

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Light:
    """The light in the room.

    Attributes:
        ambient: Light from everywhere; 1 shows a sticker in its own colour.
        direct: Light of the lamp on a surface that faces it.
        lamp_mm: Position of the lamp; near lamps make gradients.
        gradient: How much darker than its middle one end of a face is in addition, 0..1.
        gloss: Strength of the reflections of windows, 0 matt .. 1 mirror.
        windows_mm: The centres of bright windows that glossy stickers reflect.
        window_deg: Half width of a window as seen from the cube.
        coupler_shade: How much darker a face is right beside its coupler, 0..1.
    """

    ambient: float = 0.62
    direct: float = 0.62
    lamp_mm: Triple = (160.0, 330.0, 240.0)
    gradient: float = 0.10
    gloss: float = 0.16
    windows_mm: tuple[Triple, ...] = ((-260.0, 200.0, -300.0), (330.0, 290.0, -330.0))
    window_deg: float = 13.0
    coupler_shade: float = 0.35


EVEN_LIGHT = Light(ambient=1.0, direct=0.0, gradient=0.0, gloss=0.0, coupler_shade=0.0)
"""Light that shows every sticker in exactly its own colour."""


@dataclass(frozen=True, slots=True)
class Optics:
    """The sensor and the camera's processing.

    Attributes:
        exposure: Factor on linear light; white clips at 1.
        white_balance: Factors on linear red, green and blue: the tint that the camera's automatic
            white balance does not remove.
        drift: Variation of exposure and white balance from picture to picture, as a share.
        vignette: How much darker the corners of the picture are, 0..1.
        blur_px: Standard deviation of the blur.
        noise_levels: Standard deviation of the noise in each channel, in levels of 255.
        jpeg_quality: 1..100, or None for no compression.
    """

    exposure: float = 1.0
    white_balance: Triple = (1.0, 1.0, 1.0)
    drift: float = 0.0
    vignette: float = 0.0
    blur_px: float = 0.0
    noise_levels: float = 0.0
    jpeg_quality: int | None = None


WEBCAM = Optics(
    exposure=1.02,
    white_balance=(1.03, 1.0, 0.95),
    drift=0.015,
    vignette=0.10,
    blur_px=0.7,
    noise_levels=2.0,
    jpeg_quality=90,
)
"""A typical webcam in a lit room."""
