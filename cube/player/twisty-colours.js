// Colours as numbers, and the ink that is read on them.

// Black or white, whichever is read better on a colour (WCAG's relative luminance).
export function inkOn(rgb) {
  const [red, green, blue] = rgb.map((value) => (value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

const readable = new Map();
export function rgbOf(colour) {
  if (!readable.has(colour)) {
    const pen = document.createElement("canvas").getContext("2d");
    pen.fillStyle = colour;
    readable.set(colour, [1, 3, 5].map((from) => parseInt(pen.fillStyle.slice(from, from + 2), 16)));
  }
  return readable.get(colour);
}

// A colour between two others.
export const mixed = (one, other, part) => one.map((value, index) => Math.round(value + part * (other[index] - value)));
