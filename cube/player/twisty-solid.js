// Convex puzzles whose layers turn: boxes of any size, and polyhedra whose geometry is given.
//
// Every turn separates a puzzle by planes across its axis. Between two such planes lies a convex part, of
// which no visible face hides another one. If parts further from the eye are drawn first, the picture is
// exact without a depth buffer.
//
// A state is a string or an array with one label for each sticker; it says nothing of where they lie.

export const FACES = "URFDLB";
const QUARTER = Math.PI / 2;

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const sum = (...vectors) => [0, 1, 2].map((axis) => vectors.reduce((total, vector) => total + vector[axis], 0));
export const times = (factor, vector) => vector.map((value) => factor * value);
export const unit = (vector) => times(1 / Math.hypot(...vector), vector);
export const mean = (points) => times(1 / points.length, sum(...points));

// The rows of a rotation, anticlockwise seen from the head of a unit axis.
export function rotation(axis, angle) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((one) => {
    const part = sum(times(cosine, one), times((1 - cosine) * dot(axis, one), axis), times(-sine, cross(axis, one)));
    return part;
  });
}
export const apply = (rows, vector) => rows.map((row) => dot(row, vector));

// The outward normal of each face of a box, and its right and down as seen from outside; y is up.
export const SIDES = {
  U: [[0, 1, 0], [1, 0, 0], [0, 0, 1]], R: [[1, 0, 0], [0, 0, -1], [0, -1, 0]], F: [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
  D: [[0, -1, 0], [1, 0, 0], [0, 0, -1]], L: [[-1, 0, 0], [0, 0, 1], [0, -1, 0]], B: [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
};

// A polygon drawn in by a distance, with round corners.
function rounded(corners, inset, radius) {
  const middle = mean(corners);
  const drawn = corners.map((corner) => sum(corner, times(inset * Math.SQRT2, unit(sum(middle, times(-1, corner))))));
  return drawn.flatMap((corner, index) => {
    const [before, after] = [drawn.at(index - 1), drawn[(index + 1) % drawn.length]];
    const [one, two] = [before, after].map((other) => unit(sum(other, times(-1, corner))));
    const [from, to] = [sum(corner, times(radius, one)), sum(corner, times(radius, two))];
    return [0, 0.25, 0.5, 0.75, 1].map((part) => // along the quadratic curve from one side to the other
      sum(times((1 - part) ** 2, from), times(2 * part * (1 - part), corner), times(part ** 2, to)));
  });
}

// A convex puzzle.
//   outlines: corners of each face, anticlockwise seen from outside.
//   stickers: of each the number of its face and its corners, the first two along its writing.
//   turnOf: name -> [[axis, from, to, angle], …], the parts between two planes across a unit axis that turn.
export function polyhedron(outlines, stickers, turnOf, cell = 1) {
  const faces = outlines.map((outline) => {
    const normal = unit(cross(sum(outline[1], times(-1, outline[0])), sum(outline[2], times(-1, outline[1]))));
    return { outline, normal };
  });
  const drawn = stickers.map(([face, corners]) => ({
    corners, middle: mean(corners), normal: faces[face].normal,
    inside: sum(mean(corners), times(-0.2 * cell, faces[face].normal)), // below it, in its piece
    outline: rounded(corners, 0.06 * cell, 0.17 * cell),
    plain: rounded(corners, 0.06 * cell, 0).filter((_, index) => index % 5 === 0),
    across: unit(sum(corners[1], times(-1, corners[0]))),
  }));
  const edge = Math.max(...outlines.flat().map((corner) => Math.hypot(...corner))) / (Math.sqrt(3) / 2);
  const slots = new Map(drawn.map(({ middle }, slot) => [near(middle), slot]));
  return { faces, stickers: drawn, slots, turnOf, cell, edge, known: new Map() };
}

// A box of small cubes: right, up, front. Its turns have the names of S5's boxes, of S3's coupled
// faces and of SiGN: R, 2R', Rw2, 3Rw, r, M, Rs, Ra, x.
export function box(width, height, depth) {
  const size = [width, height, depth];
  const [outlines, stickers] = [[], []];
  [...FACES].forEach((face, number) => {
    const [normal, right, down] = SIDES[face];
    const [out, columns, rows] = [normal, right, down].map((way) => Math.abs(dot(size, way)));
    const at = (column, row) => sum(times(out / 2, normal), times(column - columns / 2, right), times(row - rows / 2, down));
    outlines.push([at(0, 0), at(0, rows), at(columns, rows), at(columns, 0)]);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        stickers.push([number, [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)]]);
      }
    }
  });
  return polyhedron(outlines, stickers, (name) => layersOf(name, size));
}

const WHOLE = { x: "R", y: "U", z: "F" };
const MIDDLES = { M: "L", E: "D", S: "F" };

function layersOf(name, size) {
  const [, first, letter, kind, rest] = /^(\d*)([A-Za-z])([wsa]?)(.*)$/.exec(name) ?? [];
  const face = WHOLE[letter] ?? MIDDLES[letter] ?? letter?.toUpperCase();
  if (!SIDES[face]) return null;
  const [normal] = SIDES[face];
  const count = Math.abs(dot(size, normal));
  const quarters = rest.includes("2") ? 2 : /['’3]/.test(rest) ? -1 : 1;
  const layers = (from, to, turned = quarters) => [normal, count / 2 - to, count / 2 - from, -turned * QUARTER];
  if (WHOLE[letter]) return [layers(0, count)];
  if (MIDDLES[letter]) return [layers(1, count - 1)];
  if (kind === "s") return [layers(0, 1), layers(count - 1, count)]; // in space the same way
  if (kind === "a") return [layers(0, 1), layers(count - 1, count, -quarters)];
  const last = Number(first) || 1;
  if (kind === "w" || letter !== face) return [layers(0, first ? last : 2)];
  return [layers(last - 1, last)];
}

const between = (point, axis, from, to) => dot(point, axis) > from && dot(point, axis) < to;
const near = (point) => point.map((value) => Math.round(32 * value + 0.01)).join(); // alike however it was computed

// What turns, and which sticker is where afterwards.
export function turnNamed(solid, name) {
  if (!solid.known.has(name)) {
    const parts = solid.turnOf(name);
    const sources = solid.stickers.map((_, slot) => slot);
    for (const [axis, from, to, angle] of parts ?? []) {
      const rows = rotation(axis, angle);
      solid.stickers.forEach(({ middle, inside }, slot) => {
        if (between(inside, axis, from, to)) sources[solid.slots.get(near(apply(rows, middle)))] = slot;
      });
    }
    solid.known.set(name, parts && { name, parts, sources, pieces: split(solid, parts) });
  }
  return solid.known.get(name);
}

// The state after a turn.
export function turned(solid, state, name) {
  const next = turnNamed(solid, name)?.sources.map((slot) => state[slot]) ?? [...state];
  return typeof state === "string" ? next.join("") : next;
}

// The convex parts between the planes of turns about one axis, in order along it.
export function split(solid, parts) {
  const [axis] = parts[0];
  const along = parts.map(([own, from, to, angle]) => (dot(own, axis) > 0 ? [from, to, angle] : [-to, -from, -angle]));
  const ends = solid.faces.flatMap(({ outline }) => outline.map((corner) => dot(corner, axis)));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const inner = along.flatMap(([from, to]) => [from, to]).filter((cut) => cut > low + 1e-6 && cut < high - 1e-6);
  const cuts = [low - 1, ...[...new Set(inner)].sort((one, other) => one - other), high + 1];
  const pieces = cuts.slice(1).map((to, index) => {
    const from = cuts[index];
    const middle = (Math.max(from, low) + Math.min(to, high)) / 2;
    const angle = along.find(([one, other]) => one < middle && middle < other)?.[2] ?? 0;
    const faces = solid.faces.map(({ outline, normal }) => ({ normal, outline: clipped(outline, axis, from, to), inner: false }));
    const caps = [[from, times(-1, axis)], [to, axis]].filter(([cut]) => cut > low && cut < high);
    for (const [cut, normal] of caps) faces.push({ normal, outline: section(faces, axis, cut), inner: true });
    const slots = solid.stickers.flatMap(({ inside }, slot) => (between(inside, axis, from, to) ? [slot] : []));
    return { from, to, angle, slots, faces: faces.filter(({ outline }) => outline.length > 2) };
  });
  return { axis, pieces };
}

function clipped(outline, axis, from, to) {
  for (const [way, most] of [[axis, to], [times(-1, axis), -from]]) {
    outline = outline.flatMap((corner, index) => {
      const next = outline[(index + 1) % outline.length];
      const [here, there] = [most - dot(corner, way), most - dot(next, way)];
        const crossing = sum(times(there / (there - here), corner), times(-here / (there - here), next));
      return [...(here >= 0 ? [corner] : []), ...(here * there < 0 ? [crossing] : [])];
    });
  }
  return outline;
}

function section(faces, axis, cut) {
  const points = faces.flatMap(({ outline }) => outline.filter((corner) => Math.abs(dot(corner, axis) - cut) < 1e-6));
  if (points.length < 3) return [];
  const middle = mean(points);
  const one = unit(sum(points[0], times(-1, middle)));
  const angle = (point) => Math.atan2(dot(sum(point, times(-1, middle)), cross(axis, one)), dot(sum(point, times(-1, middle)), one));
  const sorted = points.sort((a, b) => angle(a) - angle(b));
  return sorted.filter((point, index) => Math.hypot(...sum(point, times(-1, sorted.at(index - 1)))) > 1e-6);
}

// Two turns that a machine makes at the same time, as one.
export function joined(solid, one, other) {
  const name = `${one.name} ${other.name}`;
  const parts = [...one.parts, ...other.parts];
  const sources = other.sources.map((slot) => one.sources[slot]);
  solid.known.set(name, { name, parts, sources, pieces: split(solid, parts), several: true });
  return name;
}

export const together = (one, other) =>
  Math.abs(dot(one[0][0], other[0][0])) > 0.999 && one.every(([axis, from, to]) => other.every(([own, start, end]) => {
    const [low, high] = dot(axis, own) > 0 ? [start, end] : [-end, -start];
    return high <= from + 1e-6 || low >= to - 1e-6;
  }));
