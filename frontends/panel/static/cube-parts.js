// What the cube and its flat net share: the names of stickers, and what their letters look like.
// A state is 54 letters of URFDLB, faces in that order, or ? where nothing is known yet.

import { style } from "twisty";
import { inkOn, rgbOf } from "twisty-colours";
import { FACES } from "twisty-solid";

export const UNKNOWN = "?".repeat(54);
export const named = (index) => FACES[Math.floor(index / 9)] + ((index % 9) + 1);

export const made = (className, parent, tag = "div") => {
  const element = document.createElement(tag);
  element.className = className;
  parent?.append(element);
  return element;
};

style(`
.tb-cell.tb-unknown { background: repeating-linear-gradient(45deg, #6a6d73 0 12%, #585b61 12% 24%); color: #fff; }
`);

// The look of a letter in the colours of a cube, or of a colour as a camera saw it; null where it is unknown.
export function paintOf(letter, look) {
  if (letter.length > 1) return { fill: letter, text: "" };
  const name = look.scheme[letter];
  return name ? { fill: look.palette[name] ?? name, text: letter } : null;
}

// What the net does with a letter: its colour, the ink on it, and the letter itself.
export function paint(element, letter, look) {
  const fill = paintOf(letter, look)?.fill;
  const key = `${letter} ${fill} ${look.letters}`;
  if (element.painted === key) return; // setting a text again repeats its layout
  element.painted = key;
  element.classList.toggle("tb-unknown", !fill);
  element.style.setProperty("--colour", fill ?? "transparent");
  element.style.setProperty("--ink", fill ? inkOn(rgbOf(fill)) : "#ffffff");
  element.textContent = look.letters ? letter : "";
}
