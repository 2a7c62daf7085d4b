import numpy as np
import pytest
from even_light import COLOURS, decode_lab, pictures_of, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index
from cube.laws import Orbit, examine
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_space import lab_to_srgb
from vision.colours.profile import ColourProfile
from vision.colours.scheme import JAPANESE_SCHEME
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import MARGIN_THRESHOLD
from vision.decoding.decode import decode
from vision.decoding.laws.photo_order import make_placement
from vision.errors import VisionError
from vision.reading import ReadingState, StickerPlace

BLACK = np.array([16.0, 0.0, 0.0])


def swap(facelets: Facelets, a: str, b: str) -> Facelets:
    letters = list(facelets.text)
    i, j = facelet_index(a), facelet_index(b)
    letters[i], letters[j] = letters[j], letters[i]
    return Facelets("".join(letters))


@pytest.mark.parametrize("seed", range(8))
def test_a_well_lit_cube_is_read_and_accepted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    reading = decode_lab(seen(truth, rng))
    assert reading.accepted
    assert reading.facelets == reading.best == reading.proposal == truth
    assert reading.margin >= MARGIN_THRESHOLD
    assert reading.problems == ()
    assert reading.reread == ()
    assert "".join(s.colour for s in reading.stickers) == truth.text
    assert min(s.confidence for s in reading.stickers) > 0.99


def test_the_same_colours_give_the_same_reading() -> None:
    colours = StickerColours.of_lab(seen(SOLVED_FACELETS, np.random.default_rng(1), 9.0))
    assert decode(colours) == decode(colours)


def test_stickers_come_out_with_their_places_in_the_pictures() -> None:
    rng = np.random.default_rng(3)
    truth = random_state(rng).to_facelets()
    turned = make_placement((2, 1, 0, 3, 4, 5), (0, 1, 2, 3, 0, 1))
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    places = [StickerPlace((square,) * (1 + i % 9), camera=i // 9) for i in range(54)]
    reading = decode_lab(pictures_of(seen(truth, rng), turned), any_order=True, places=places)
    assert reading.facelets == truth
    for sticker, cell in zip(reading.stickers, reading.cells, strict=True):
        assert (len(sticker.polygons), sticker.camera) == (1 + cell % 9, cell // 9)


def test_the_solved_cube_is_read() -> None:
    assert decode_lab(seen(SOLVED_FACELETS, np.random.default_rng(0))).facelets == SOLVED_FACELETS


@pytest.mark.parametrize("seed", range(4))
def test_each_face_may_have_its_own_light(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng, 2.0).reshape(6, 9, 3)
    labs = (labs + BLACK) * rng.uniform(0.75, 1.15, (6, 1, 1)) - BLACK
    assert decode_lab(labs.reshape(54, 3)).facelets == truth


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.5, -0.6])
def test_a_lamp_or_a_shadow_on_some_stickers_is_seen_through(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    rgb = lab_to_srgb(seen(truth, rng))
    for facelet in rng.choice(54, 3, replace=False):
        rgb[facelet] += abs(share) * ((255.0 if share > 0 else 0.0) - rgb[facelet])
    assert decode(StickerColours.of_srgb(rgb)).facelets == truth


@pytest.mark.parametrize("seed", range(3))
def test_light_that_overexposes_a_face_takes_no_colour_away(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    rgb = lab_to_srgb(seen(truth, rng, 2.0)).reshape(6, 9, 3)
    rgb[rng.integers(6)] *= 1.35
    assert decode(StickerColours.of_srgb(np.clip(rgb, 0, 255).reshape(54, 3))).facelets == truth


@pytest.mark.parametrize("seed", range(4))
def test_missing_stickers_follow_from_the_pieces(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[facelet_index("U1")] = np.nan
    labs[facelet_index("F8"), 1] = np.nan
    reading = decode_lab(labs)
    assert reading.best == truth
    assert not reading.stickers[0].seen
    assert reading.stickers[1].seen


def test_hidden_centres_come_from_the_configuration() -> None:
    rng = np.random.default_rng(1)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[4::9] = (30.0, 0.0, 0.0)  # black couplers
    assert decode_lab(labs, centres=WESTERN_SCHEME).facelets == truth
    turned = dict(zip(FACES, ("yellow", "red", "blue", "white", "orange", "green"), strict=True))
    assert decode_lab(labs, centres=turned).facelets != truth


def profile(colours: np.ndarray, offsets: dict | None = None) -> ColourProfile:
    table = {face: tuple(map(float, colours[i])) for i, face in enumerate(FACES)}
    return ColourProfile(
        name="hall",
        created="2026-01-01",
        scheme=WESTERN_SCHEME,
        colours=table,
        offsets=offsets or {},
    )


def test_a_profile_seeds_the_colours_however_the_cube_is_held() -> None:
    rng = np.random.default_rng(2)
    truth = random_state(rng).to_facelets()
    # The cube lies on its side: what the profile calls U is now the right face, and so on.
    held = np.roll(COLOURS, 1, axis=0)
    labs = held[[FACES.index(letter) for letter in truth.text]] + rng.normal(0, 3, (54, 3))
    assert decode_lab(labs, profile(COLOURS)).facelets == truth


def test_a_profile_knows_the_light_of_each_place() -> None:
    rng = np.random.default_rng(3)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[0] += (-30.0, 20.0, 25.0)
    lit = profile(COLOURS, {"U1": (-30.0, 20.0, 25.0)})
    assert decode_lab(labs, lit).facelets == truth


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_sticker_that_looks_like_another_colour_is_repaired(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    place = int(rng.choice([i for i in range(54) if i % 9 != 4]))
    other = (FACES.index(truth.text[place]) + 1) % 6
    labs[place] = COLOURS[other]
    reading = decode_lab(labs)
    assert reading.best == truth
    assert reading.state is ReadingState.REPAIRED
    assert place in {repair.facelet for repair in reading.repairs}
    assert not reading.problems


@pytest.mark.parametrize(("seed", "painted"), [(3, 2), (5, 3)])
def test_stickers_that_clearly_look_otherwise_are_not_outvoted(seed: int, painted: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    for place in rng.choice([i for i in range(54) if i % 9 != 4], painted, replace=False):
        labs[place] = COLOURS[(FACES.index(truth.text[place]) + 1) % 6]
    reading = decode_lab(labs)
    assert reading.margin > MARGIN_THRESHOLD
    assert reading.state is ReadingState.ASK_AGAIN


@pytest.mark.parametrize("seed", [14, 18, 21, 28])
def test_a_face_looked_for_a_row_too_low_is_shown_again_however_sure_the_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[27:36] = np.concatenate([labs[30:36], np.tile([35.0, 2.0, -8.0], (3, 1))])
    labs[31] = COLOURS[3]  # the centre may have the right colour by chance
    reading = decode_lab(labs)
    assert not reading.accepted
    assert "D" in reading.reread


@pytest.mark.parametrize("seed", range(4))
def test_two_exchanged_stickers_are_never_trusted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    other = next(n for n in ("R2", "R4", "R6") if truth.text[facelet_index(n)] != truth.text[1])
    shown = swap(truth, "U2", other)
    reading = decode_lab(seen(shown, rng))
    assert reading.best == truth or not reading.accepted


@pytest.mark.parametrize(
    ("orbit", "law"),
    [
        (Orbit(1, 0, 0), "corner-twist"),
        (Orbit(0, 1, 0), "edge-flip"),
        (Orbit(0, 0, 1), "parity"),
    ],
)
def test_broken_invariants_are_named(orbit: Orbit, law: str) -> None:
    rng = np.random.default_rng(5)
    shown = random_state(rng, orbit).to_facelets()
    reading = decode_lab(seen(shown, rng))
    assert reading.state is ReadingState.ASK_AGAIN  # until a second reading agrees
    assert reading.suspicion is not None
    assert reading.suspicion.facelets == shown
    assert [problem.law for problem in reading.problems] == [law]
    assert examine(reading.best).solvable
    assert reading.reread


def test_a_face_with_a_reflection_is_the_one_to_show_again() -> None:
    rng = np.random.default_rng(6)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    labs[18:27] = np.where(np.arange(9)[:, None] == 4, labs[18:27], (99.0, 0.0, 0.0))
    reading = decode_lab(labs)
    assert not reading.accepted
    assert reading.reread[0] == "F"


@pytest.mark.parametrize("scheme", [WESTERN_SCHEME, JAPANESE_SCHEME])
def test_any_scheme_of_colours_is_read(scheme: dict[str, str]) -> None:
    rng = np.random.default_rng(10)
    truth = random_state(rng).to_facelets()
    colours = np.array([NAMED_COLOURS[scheme[face]] for face in FACES])
    labs = colours[[FACES.index(letter) for letter in truth.text]] + rng.normal(0, 2, (54, 3))
    reading = decode_lab(labs)
    assert reading.facelets == truth
    assert dict(reading.scheme) == scheme


@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 10, 40, 54]), st.booleans())
@settings(max_examples=12, deadline=None)
def test_colours_of_no_cube_are_never_accepted(seed: int, missing: int, flat: bool) -> None:
    rng = np.random.default_rng(seed)
    labs = np.tile([50.0, 0.0, 0.0], (54, 1)) if flat else rng.uniform(0, 100, (54, 3))
    labs[rng.choice(54, missing, replace=False)] = rng.choice([np.nan, np.inf])
    reading = decode_lab(labs)
    assert not reading.accepted
    assert reading.reread
    assert examine(reading.best).solvable


@pytest.mark.parametrize("shown", ["", "F", "UR"])
def test_every_face_that_was_not_seen_is_to_be_shown(shown: str) -> None:
    rng = np.random.default_rng(1)
    labs = seen(random_state(rng).to_facelets(), rng)
    labs[[i for i in range(54) if FACES[i // 9] not in shown]] = np.nan
    reading = decode_lab(labs)
    assert not reading.accepted
    assert set(reading.reread) >= set(FACES) - set(shown)


def test_nonsense_is_refused() -> None:
    with pytest.raises(VisionError, match="54 stickers"):
        decode_lab(np.zeros((53, 3)))
    with pytest.raises(VisionError, match="shape"):
        decode_lab(np.zeros(54))
    with pytest.raises(VisionError, match="pink"):
        decode_lab(np.zeros((54, 3)), centres={"U": "pink"})
    with pytest.raises(VisionError, match="X"):
        decode_lab(np.zeros((54, 3)), centres={"X": "red"})
    with pytest.raises(VisionError, match="same colour"):
        decode_lab(np.zeros((54, 3)), centres={"U": "red", "R": "red"})
