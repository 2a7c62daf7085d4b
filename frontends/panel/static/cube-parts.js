// What the solid cube and the flat net share: where stickers lie, what a move does, how a letter is painted.
// A state is 54 letters of URFDLB, faces in that order, or ? where nothing is known yet.

export const FACES = "URFDLB";
// Axes as CSS has them: x to the right, y down, z towards the reader. A face's outward normal, and how its plane is laid.
export const AXES = { U: [0, -1, 0], R: [1, 0, 0], F: [0, 0, 1], D: [0, 1, 0], L: [-1, 0, 0], B: [0, 0, -1] };
export const STANDS = {
  U: "rotateX(90deg)", R: "rotateY(90deg)", F: "", D: "rotateX(-90deg)", L: "rotateY(-90deg)", B: "rotateY(180deg)",
};
export const ACROSS = { U: [1, 0, 0], R: [0, 0, -1], F: [1, 0, 0], D: [1, 0, 0], L: [0, 0, 1], B: [-1, 0, 0] };
export const DOWN = { U: [0, 0, 1], R: [0, 1, 0], F: [0, 1, 0], D: [0, 0, -1], L: [0, 1, 0], B: [0, 1, 0] };
export const UNKNOWN = "?".repeat(54);

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const sum = (a, b, times = 1) => a.map((value, i) => value + times * b[i]);
export const named = (index) => FACES[Math.floor(index / 9)] + ((index % 9) + 1);

// Where each facelet lies: centre of its cubie, and the way that it looks.
export const PLACES = Array.from({ length: 54 }, (_, index) => {
  const face = FACES[Math.floor(index / 9)];
  const [row, column] = [Math.floor((index % 9) / 3) - 1, (index % 3) - 1];
  return { face, row, column, at: sum(sum(AXES[face], ACROSS[face], column), DOWN[face], row), looks: AXES[face] };
});
const BY_PLACE = new Map(PLACES.map(({ at, looks }, index) => [`${at}|${looks}`, index]));

// A move as its face and its quarter turns: 1, 2 or -1 (anticlockwise).
export function parsed(move) {
  const half = move.includes("2");
  return { face: move[0], quarters: half ? 2 : /['’3]/.test(move) ? -1 : 1 };
}

// A vector after a quarter turn of a face, clockwise as seen from outside.
const quarter = (face, v) => sum(cross(AXES[face], v), AXES[face], dot(AXES[face], v));

// The state after a move.
export function turned(facelets, move) {
  const { face, quarters } = parsed(move);
  let now = [...facelets];
  for (let i = 0; i < (quarters + 4) % 4; i += 1) {
    const next = [...now];
    PLACES.forEach(({ at, looks }, index) => {
      if (dot(at, AXES[face]) === 1) next[BY_PLACE.get(`${quarter(face, at)}|${quarter(face, looks)}`)] = now[index];
    });
    now = next;
  }
  return now.join("");
}

// Black or white, whichever is read better on a colour (WCAG's relative luminance).
function ink(colour) {
  const [red, green, blue] = [1, 3, 5].map((from) => {
    const part = parseInt(colour.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

export const made = (className, parent, tag = "div") => {
  const element = document.createElement(tag);
  element.className = className;
  parent?.append(element);
  return element;
};

// Adds rules to the page, once for each module.
export function style(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

style(`
.tb-unknown { background: repeating-linear-gradient(45deg, #6a6d73 0 12%, #585b61 12% 24%); color: #fff; }
`);

// The colour of a letter, none where it is unknown, and the ink that is read on it.
export function colours(letter, look) {
  const name = look.scheme[letter];
  const colour = name && (look.palette[name] ?? name);
  return { colour, ink: colour ? ink(colour) : "#ffffff" };
}

// What both drawings do with a letter: its colour, the ink on it, and the letter itself.
export function paint(element, letter, look) {
  const { colour, ink: written } = colours(letter, look);
  const key = `${letter} ${colour} ${look.letters}`;
  if (element.painted === key) return; // setting a text again repeats its layout
  element.painted = key;
  element.classList.toggle("tb-unknown", !colour);
  element.style.setProperty("--colour", colour ?? "transparent");
  element.style.setProperty("--ink", written);
  element.textContent = look.letters ? letter : "";
}
