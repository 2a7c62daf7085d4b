// A twisty puzzle on a 2D canvas, which needs no graphics card: see `twisty-solid.js`.

import { inkOn, mixed, rgbOf } from "twisty-colours";
import { apply, cross, dot, joined, mean, rotation, split, sum, times, together, turned, turnNamed, unit } from "twisty-solid";

const FAR = 5.5; // distance of the eye, in edges of the puzzle
const SIZE = 0.575; // an edge, as a share of the place
const START = { across: -34, up: -26 }; // degrees: the front, the right and the top are seen
export const LEAST_FRAMES = 7; // a turn takes at least this many, even in a slow browser
const SLOW_MS = 20; // mean time between two frames above which the drawing becomes coarser
const FILL_MS = 320; // a sticker that becomes known
const LIGHT = [-0.35, -0.75, 0.56]; // from the upper left, in front
const PLASTIC = [24, 25, 29];
const INSIDE = [44, 46, 53];
const UNKNOWN = { fill: "#6a6d73", text: "" };

// Adds rules to the page.
export function style(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

style(`
.tb-cube { position: relative; width: 100%; aspect-ratio: 1; min-height: 0; touch-action: none; cursor: grab; overflow: hidden; user-select: none;
  -webkit-user-select: none; }
.tb-cube:active { cursor: grabbing; }
.tb-cube:focus-visible { outline: 3px solid #1a73e8; outline-offset: -3px; border-radius: 8px; }
.tb-cube > canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
@media (max-width: 480px) { .tb-cube { touch-action: pan-y; } }
@media (forced-colors: active) { .tb-cube { forced-color-adjust: none; } }
`);

// Until when a slow browser turns layers, by `performance.now`: others that draw leave it the time.
export const strain = { until: 0 };
const STRAIN_MS = 300; // after each frame

export const isStill = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

// A puzzle on the page. It shows a state, turns layers one after the other, and is dragged to look round it.
//   look: paint (label -> {fill, text}, null if it is unknown), letters, contrast, arrow (a turn), pace (ms of a turn).
// It tells of each turn that was shown whole: `thistlebot:turned`, with the number of its frames.
export class Twisty {
  constructor(root, solid, look) {
    Object.assign(this, { root, solid, look, steps: [{ state: "" }], at: 0, frames: 0, coarse: 0, level: 0, mean: 16, drawn: 0 });
    root.twisty = this; // for measurements
    root.classList.add("tb-cube");
    this.canvas = root.appendChild(document.createElement("canvas"));
    this.pen = this.canvas.getContext("2d");
    this.whole = split(solid, [[[0, 1, 0], -1e3, 1e3, 0]]);
    this.stamps = new Map();
    this.filling = new Map();
    this.lookFrom(START.across, START.up);
    const measured = new ResizeObserver(([{ contentRect: { width, height } }]) => {
      this.room = { width, height }; // asked for while drawing, the page would be laid out again
      this.draw();
    });
    measured.observe(root);
    this.listen();
  }

  get target() {
    return this.steps.at(-1).state;
  }

  // Show a state at once; stickers that were unknown fade in.
  set(state) {
    const before = this.target;
    this.load([{ state }]);
    if (before.length !== state.length || isStill()) return;
    const fresh = (slot) => this.look.paint(state[slot]) && !this.look.paint(before[slot]);
    const slots = this.solid.stickers.flatMap((_, slot) => (fresh(slot) ? [slot] : []));
    slots.forEach((slot, index) => this.filling.set(slot, performance.now() + 12 * index));
    if (slots.length) this.move();
  }

  // Steps to seek in, {turn, state}; the first has no turn.
  load(steps) {
    Object.assign(this, { steps, at: 0, frames: 0, queued: false });
    this.tell();
    this.draw();
  }

  // Turn layers one after the other, then show exactly this state (null: as the turns leave it).
  play(turns, state = null) {
    if (!this.queued) this.load([{ state: this.target }]);
    for (const turn of turns) this.append(turn);
    if (state !== null) this.steps.at(-1).state = state;
    this.queued = true;
    this.tell();
    if (isStill() || !this.room?.width) this.set(this.target); // nobody sees it
    else this.move();
  }

  append(turn) {
    const last = this.steps.at(-1);
    const state = turned(this.solid, last.state, turn);
    const [one, other] = [last.turn && turnNamed(this.solid, last.turn), turnNamed(this.solid, turn)];
    const waits = this.steps.length - 1 > Math.ceil(this.at);
    if (!waits || !one || !other || one.several || !together(one.parts, other.parts)) this.steps.push({ turn, state });
    else this.steps[this.steps.length - 1] = { turn: joined(this.solid, one, other), state }; // as a machine turns them
  }

  // Draw each frame while something moves.
  move() {
    if (this.moving) return;
    let last = performance.now();
    const frame = (now) => {
      const passed = Math.max(0, now - last);
      last = now;
      if (this.queued) this.advance(passed);
      if (this.spinning) this.spin(now);
      if (!this.queued) this.draw();
      for (const [slot, from] of this.filling) if (now > from + FILL_MS) this.filling.delete(slot);
      this.moving = this.queued || this.spinning || this.filling.size ? requestAnimationFrame(frame) : null;
    };
    this.moving = requestAnimationFrame(frame);
  }

  advance(passed) {
    if (document.hidden) return this.set(this.target);
    const next = Math.floor(this.at) + 1;
    const waiting = this.steps.length - 1 - next;
    const whole = ((this.look.pace ?? 320) * (this.steps[next].turn?.includes("2") ? 1.35 : 1)) / (1 + 0.2 * waiting);
    const at = this.at + Math.min(passed / whole, 1 / LEAST_FRAMES);
    this.seek(at > next - 1e-6 ? next : at);
    if (this.at < this.steps.length - 1) return;
    this.load([{ state: this.target }]);
    this.then?.();
    this.then = null;
  }

  // Do something once no turn waits.
  whenStill(then) {
    if (this.queued) this.then = then;
    else then();
  }

  // Show a moment between two steps: 2.5 is the middle of the third turn.
  seek(at) {
    const before = this.at;
    this.at = Math.max(0, Math.min(this.steps.length - 1, at));
    const [low, high] = [Math.min(before, this.at), Math.max(before, this.at)];
    const within = high - low < 1 && Math.floor(low + 1e-9) >= Math.ceil(high - 1e-9) - 1;
    this.frames = within && high > low ? this.frames + 1 : 0;
    if (Number.isInteger(this.at) && this.frames) {
      const { turn } = this.steps[Math.ceil(high)];
      const detail = { turn, frames: this.frames };
      this.root.dispatchEvent(new CustomEvent("thistlebot:turned", { detail, bubbles: true }));
      this.frames = 0;
    }
    this.tell();
    this.draw();
  }

  tell() {
    const { dataset } = this.root;
    const text = (state) => (typeof state === "string" ? state : state.join(" "));
    if (this.replaying) return; // what is told is where the puzzle is
    if (Number.isInteger(this.at)) dataset.facelets = text(this.steps[this.at].state);
    if (dataset.goal !== text(this.target)) dataset.goal = text(this.target);
    if (dataset.busy !== String(this.queued)) dataset.busy = String(this.queued);
  }

  // Turn round once, in pride.
  celebrate() {
    this.glide(this.across - 360, 1800);
  }

  // Go back to where it is usually seen from, the shorter way.
  faceFront() {
    this.glide(START.across + 360 * Math.round((this.across - START.across) / 360), 900);
  }

  glide(to, length) {
    if (isStill()) return;
    this.spinning = { from: this.across, to, began: performance.now(), length };
    this.move();
  }

  spin(now) {
    const { from, to, began, length } = this.spinning;
    const part = Math.max(0, Math.min(1, (now - began) / length));
    this.lookFrom(from + (to - from) * part * part * (3 - 2 * part), this.up);
    if (part === 1) this.spinning = null;
  }

  lookFrom(across, up) {
    this.across = across;
    this.up = Math.max(-85, Math.min(85, up));
    const [a, b] = [(across * Math.PI) / 180, (this.up * Math.PI) / 180];
    const [sa, ca, sb, cb] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)];
    this.view = [[ca, 0, sa], [sa * sb, -cb, -ca * sb], [-sa * cb, -sb, ca * cb]]; // to the right, down, to the eye
  }

  // Where something is on the canvas, in its pixels.
  projected(rows, point) {
    const [x, y, z] = apply(rows, point);
    const zoom = (this.scale * FAR) / (FAR - z / this.solid.edge);
    return [this.centre[0] + x * zoom, this.centre[1] + y * zoom];
  }

  // The parts as they lie now, those farthest from the eye first; each with the rows of its view.
  lying() {
    const below = Math.floor(this.at);
    const turn = below < this.at && this.steps[below + 1].turn;
    const known = turn ? turnNamed(this.solid, turn) : null;
    const share = this.at - below;
    const eased = share * share * (3 - 2 * share);
    const { axis, pieces } = known?.pieces ?? this.whole;
    const eye = FAR * this.solid.edge * dot(this.view[2], axis);
    const away = ({ from, to }) => (from > eye ? from - eye : to < eye ? eye - to : 0);
    const state = this.steps[known || share < 0.5 ? below : below + 1].state;
    const turning = (piece) => (piece.angle ? multiplied(this.view, rotation(axis, piece.angle * eased)) : this.view);
    return { state, parts: [...pieces].sort((a, b) => away(b) - away(a)).map((piece) => ({ piece, rows: turning(piece) })) };
  }

  draw() {
    if (!this.room?.width || !this.room.height) return;
    this.watch(performance.now());
    this.paint();
  }

  paint() {
    const now = performance.now();
    const { pen, canvas, solid, look } = this;
    const ratio = window.devicePixelRatio || 1;
    const sharp = [Math.min(2, ratio), Math.min(1, ratio), 0.66][this.level];
    const [width, height] = [Math.round(this.room.width * sharp), Math.round(this.room.height * sharp)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    else pen.clearRect(0, 0, width, height);
    this.scale = (SIZE * Math.min(width, height)) / solid.edge;
    this.centre = [width / 2, height * 0.49];
    this.shadow();
    const { state, parts } = this.lying();
    for (const { piece, rows } of parts) {
      for (const { outline, normal, inner } of piece.faces) {
        if (this.faces(rows, normal, outline[0])) this.patch(rows, outline, shaded(inner ? INSIDE : PLASTIC, rows, normal, outline[0], solid.edge));
      }
      for (const slot of piece.slots) this.sticker(rows, solid.stickers[slot], look.paint(state[slot]), slot, now);
    }
    if (look.arrow && Number.isInteger(this.at)) this.point(look.arrow);
  }

  // Whether a plane is seen from outside.
  faces(rows, normal, point) {
    const [n, p] = [apply(rows, normal), apply(rows, point)];
    return n[2] * FAR * this.solid.edge > dot(n, p);
  }

  patch(rows, outline, fill) {
    const { pen } = this;
    pen.beginPath();
    outline.forEach((corner, index) => pen[index ? "lineTo" : "moveTo"](...this.projected(rows, corner)));
    pen.closePath();
    pen.fillStyle = fill;
    pen.fill();
  }

  sticker(rows, sticker, paint, slot, now) {
    if (!this.faces(rows, sticker.normal, sticker.middle)) return;
    const { fill, text } = paint ?? UNKNOWN;
    let colour = rgbOf(fill);
    if (this.filling.has(slot)) {
      const part = Math.min(1, Math.max(0, (now - this.filling.get(slot)) / FILL_MS));
      colour = mixed(rgbOf(UNKNOWN.fill), colour, part);
    }
    const outline = this.level === 2 || this.look.contrast ? sticker.plain : sticker.outline;
    this.patch(rows, outline, this.look.contrast ? `rgb(${colour})` : shaded(colour, rows, sticker.normal, sticker.middle, this.solid.edge));
    if (text && this.look.letters && this.level < 2) this.letter(rows, sticker, text, inkOn(colour));
  }

  // A letter as a picture: writing on a canvas of the page has the styles of the page computed each time.
  letter(rows, { middle, across, normal }, text, ink) {
    const size = Math.max(1, Math.ceil(0.6 * this.scale * this.solid.cell)); // an element may have no size yet
    const key = text + ink + size;
    if (!this.stamps.has(key)) {
      const stamp = new OffscreenCanvas(size, size);
      const pen = Object.assign(stamp.getContext("2d"), { textAlign: "center", textBaseline: "middle", fillStyle: ink });
      pen.font = `700 ${(text.length > 1 ? 0.46 : 0.67) * size}px system-ui, sans-serif`;
      pen.fillText(text, size / 2, size * 0.54);
      if (this.stamps.size > 99) this.stamps.clear();
      this.stamps.set(key, stamp.transferToImageBitmap());
    }
    const half = 0.3 * this.solid.cell;
    const [x, y] = this.projected(rows, middle);
    const part = (way) => {
      const [right, lower] = this.projected(rows, sum(middle, times(half, way)));
      return [(2 * (right - x)) / size, (2 * (lower - y)) / size];
    };
    const [[a, b], [c, d]] = [part(across), part(cross(across, normal))];
    this.pen.setTransform(a, b, c, d, x, y);
    this.pen.drawImage(this.stamps.get(key), -size / 2, -size / 2);
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
  }

  shadow() {
    const { pen, solid } = this;
    if (this.up > -4) return; // seen from below
    const middle = [0, -0.62 * solid.edge, 0];
    const [x, y] = this.projected(this.view, middle);
    const radius = 0.86 * solid.edge * this.scale;
    pen.setTransform(1, 0, 0, Math.sin((-this.up * Math.PI) / 180), x, y);
    const fading = pen.createRadialGradient(0, 0, 0, 0, 0, radius);
    [[0.25, 0.42], [0.65, 0.2], [1, 0]].forEach(([at, dark]) => fading.addColorStop(at, `rgb(0 0 0 / ${dark})`));
    pen.fillStyle = fading;
    pen.fillRect(-radius, -radius, 2 * radius, 2 * radius);
    pen.setTransform(1, 0, 0, 1, 0, 0);
  }

  // The arrows of a turn: a ring on the face that turns, and one along each side of its layer.
  arrows(turn) {
    const [[axis, from, to, angle]] = turnNamed(this.solid, turn)?.parts ?? [[[0, 1, 0], 0, 0, 0]];
    const { edge } = this.solid;
    const spin = times(Math.sign(angle), axis);
    const found = [];
    this.solid.faces.forEach(({ normal, outline }, number) => {
      const out = dot(normal, outline[0]) * 1.004;
      if (dot(normal, axis) > 0.999) {
        const one = unit(sum(mean(outline.slice(0, 2)), times(-1, mean(outline))));
        const ring = (part) => {
          const [a, reach] = [(part - 0.375) * 1.5 * Math.PI, 0.31 * edge];
          return sum(times(out, normal), times(reach * Math.cos(a), one), times(reach * Math.sin(a), cross(spin, one)));
        };
        found.push({ normal, line: Array.from({ length: 25 }, (_, index) => ring(index / 24)), side: null });
      } else if (Math.abs(dot(normal, axis)) < 0.001) {
        const way = cross(spin, normal);
        const line = [-0.36, 0.36].map((part) => sum(times(out, normal), times((from + to) / 2, axis), times(part * edge, way)));
        found.push({ normal, line, side: number });
      }
    });
    return found.filter(({ normal, line }) => this.faces(this.view, normal, line[0]));
  }

  point(turn) {
    const { pen } = this;
    const size = this.scale * this.solid.edge;
    Object.assign(pen, { lineCap: "round", lineJoin: "round" });
    for (const { normal, line } of this.arrows(turn)) {
      const head = (tip, before) => {
        const back = times(0.12 * this.solid.edge, unit(sum(before, times(-1, tip))));
        const aside = times(0.8, cross(normal, back));
        return [sum(tip, back, aside), tip, sum(tip, back, times(-1, aside))];
      };
      const [tip, before] = [line.at(-1), line.at(-2)];
      const lines = [line, head(tip, before)];
      if (turn.includes("2")) lines.push(head(sum(tip, times(0.1 * this.solid.edge, unit(sum(before, times(-1, tip))))), before));
      for (const [stroke, width] of [["#000", 0.05], ["#fff", 0.028]]) {
        pen.beginPath();
        for (const each of lines) each.forEach((corner, index) => pen[index ? "lineTo" : "moveTo"](...this.projected(this.view, corner)));
        Object.assign(pen, { strokeStyle: stroke, lineWidth: width * size });
        pen.stroke();
      }
    }
  }

  // A slow browser draws fewer pixels and simpler stickers while layers turn, and all again when they rest.
  watch(now) {
    const passed = now - this.drawn;
    const turning = Boolean(this.moving || this.held || !Number.isInteger(this.at));
    this.drawn = now;
    if (passed > 250 || !turning || !this.turning) this.mean = 16; // between rest and a turn no frame is late
    else this.mean += 0.15 * (passed - this.mean);
    if (this.mean > SLOW_MS && this.coarse < 2) {
      this.coarse += 1;
      this.mean = 16;
    }
    this.turning = turning;
    this.level = turning ? this.coarse : 0;
    if (this.level === 2 && this.mean > SLOW_MS) strain.until = now + STRAIN_MS; // even that is not enough
    clearTimeout(this.rest);
    if (this.level) this.rest = setTimeout(() => this.refine(), 400);
  }

  refine() {
    this.level = 0;
    this.paint();
  }

  // Where the stickers are in the page, by number; null for those that face away.
  places() {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const found = this.solid.stickers.map(() => null);
    for (const { piece, rows } of this.lying().parts) {
      for (const slot of piece.slots) {
        const { middle, normal } = this.solid.stickers[slot];
        const [x, y] = this.projected(rows, middle).map((part) => (part * width) / this.canvas.width);
        found[slot] = { x: left + x, y: top + y, seen: this.faces(rows, normal, middle) };
      }
    }
    return found;
  }

  listen() {
    const { root } = this;
    const turnTo = (across, up) => {
      this.spinning = null;
      this.lookFrom(across, up);
      this.draw();
    };
    root.addEventListener("pointerdown", (event) => {
      this.held = { x: event.clientX, y: event.clientY, across: this.across, up: this.up };
      root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointermove", (event) => {
      const { held } = this;
      if (held) turnTo(held.across + 0.5 * (event.clientX - held.x), held.up - 0.5 * (event.clientY - held.y));
    });
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => (this.held = null));
    root.addEventListener("dblclick", () => turnTo(START.across, START.up));
    root.addEventListener("keydown", (event) => {
      const [across, up] = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, 15], ArrowDown: [0, -15] }[event.key] ?? [];
      if (event.target !== root || (event.key !== "Home" && across === undefined)) return;
      if (event.key === "Home") turnTo(START.across, START.up);
      else turnTo(this.across + across, this.up + up);
      event.preventDefault();
    });
  }
}

const multiplied = (rows, others) => rows.map((row) => [0, 1, 2].map((column) => dot(row, others.map((other) => other[column]))));

// A colour in the light: its face looks some way, and a bright spot wanders over it as it turns.
function shaded(colour, rows, normal, point, edge) {
  const [n, p] = [apply(rows, normal), apply(rows, point)];
  const eye = unit([-p[0], -p[1], FAR * edge - p[2]]);
  const bright = 0.76 + 0.27 * Math.max(0, dot(n, LIGHT));
  const gloss = 0.3 * Math.max(0, dot(n, unit(sum(eye, LIGHT)))) ** 24;
  return `rgb(${colour.map((value) => Math.round(Math.min(255, value * bright + gloss * (255 - value))))})`;
}
