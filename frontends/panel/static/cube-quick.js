// The cube as a drawing of its 27 visible stickers, for browsers without a graphics card: 54 layers in
// three dimensions would be composed again for every picture of the camera beside them.

import { ACROSS, AXES, DOWN, FACES, colours } from "cube-parts";

const FAR = 5.5; // how far away the eye is, in edges of the cube; as the layers have it
const SIZE = 0.55; // an edge, as a share of the place
const PLASTIC = "#0b0c0e";
const GAP = 0.07; // from a sticker to the edge of its cell, in cells

const add = (...vectors) => [0, 1, 2].map((axis) => vectors.reduce((sum, vector) => sum + vector[axis], 0));
const times = (factor, vector) => vector.map((value) => factor * value);

// A letter as a picture: writing on a canvas of the page has all styles of the page computed, each time.
function stamp(letter, ink, size) {
  const picture = Object.assign(document.createElement("canvas"), { width: 2 * size, height: 2 * size });
  const context = picture.getContext("2d");
  Object.assign(context, { textAlign: "center", textBaseline: "middle", fillStyle: ink });
  context.font = `700 ${size}px system-ui, sans-serif`;
  context.fillText(letter, size, size);
  return picture;
}

// Draw a cube, or what of it has changed: its letters, how it is looked at (degrees), how dark each face
// is (0 to 1) and its room (pixels).
export function drawQuickly(canvas, facelets, { across, up, shades, room }, look) {
  if (!room) return;
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(room.width * scale), Math.round(room.height * scale)];
  if (!width || !height) return;
  const seenFrom = JSON.stringify([width, height, across, up, look.scheme, look.palette, look.letters]);
  const before = canvas.drawn?.seenFrom === seenFrom ? canvas.drawn.facelets : null;
  canvas.drawn = { seenFrom, facelets };
  if (before === facelets) return;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const side = SIZE * Math.min(width, height);
  const [a, b] = [(across * Math.PI) / 180, (up * Math.PI) / 180];
  const seen = ([x, y, z]) => {
    const [right, near] = [x * Math.cos(a) + z * Math.sin(a), z * Math.cos(a) - x * Math.sin(a)];
    const [below, front] = [y * Math.cos(b) - near * Math.sin(b), y * Math.sin(b) + near * Math.cos(b)];
    const zoom = (FAR / (FAR - front / 3)) * (side / 3);
    return [width / 2 + right * zoom, height / 2 + below * zoom];
  };
  const patch = (corners, fill) => {
    context.beginPath();
    corners.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = fill;
    context.fill();
  };
  if (!before) {
    context.clearRect(0, 0, width, height);
    canvas.stamps = new Map();
  }
  for (const face of FACES) {
    const square = (row, column, half) =>
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) =>
        seen(add(times(1.5, AXES[face]), times(column + i * half, ACROSS[face]), times(row + j * half, DOWN[face]))));
    const [p, q, r] = square(0, 0, 1.5);
    if ((q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) <= 0) continue; // it looks away
    if (!before) patch(square(0, 0, 1.5), PLASTIC);
    for (let cell = 0; cell < 9; cell += 1) {
      const index = 9 * FACES.indexOf(face) + cell;
      const letter = facelets[index];
      if (before?.[index] === letter) continue;
      const [row, column] = [Math.floor(cell / 3) - 1, (cell % 3) - 1];
      const { colour, ink } = colours(letter, look);
      if (before) patch(square(row, column, 0.5 - GAP / 2), PLASTIC); // no edge of the colour of before is left
      const corners = square(row, column, 0.5 - GAP);
      patch(corners, colour ?? "#6a6d73");
      patch(corners, `rgb(0 0 0 / ${shades[face]})`);
      if (!look.letters) continue;
      const [x, y] = seen(add(times(1.5, AXES[face]), times(column, ACROSS[face]), times(row, DOWN[face])));
      const key = letter + ink;
      if (!canvas.stamps.has(key)) canvas.stamps.set(key, stamp(letter, ink, Math.round(side / 9)));
      const drawn = canvas.stamps.get(key);
      context.drawImage(drawn, x - drawn.width / 2, y - drawn.height / 2);
    }
  }
}
