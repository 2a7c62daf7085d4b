// The cube in three dimensions: 54 tiles in CSS, a layer that turns, arrows that show a move. No WebGL.

import { ACROSS, AXES, cross, dot, DOWN, FACES, made, named, paint, parsed, PLACES, STANDS, style, turned, UNKNOWN } from "cube-parts";
import { drawQuickly } from "cube-quick";

const START = { across: -34, up: -26 }; // degrees; the front, the right and the top are seen
const BEHIND = 4; // so many moves waiting, and no more of them are shown one by one
const SLOW_MS = 40; // a browser that takes longer for a picture is shown a drawing, and no motion
const WATCHED_MS = 560; // so long a motion is timed
const AWAY_MS = 1000;

style(`
.tb-cube { --side: 55cqmin; container-type: size; width: 100%; aspect-ratio: 1; min-height: 0; touch-action: none;
  cursor: grab; user-select: none; -webkit-user-select: none; overflow: hidden; }
.tb-cube:active { cursor: grabbing; }
.tb-cube:focus-visible { outline: 3px solid #1a73e8; outline-offset: -3px; border-radius: 8px; }
.tb-stage { width: 100%; height: 100%; display: grid; place-items: center; perspective: calc(var(--side) * 5.5); }
.tb-space, .tb-layer { position: relative; width: 0; height: 0; transform-style: preserve-3d; }
.tb-layer { position: absolute; }
.tb-floor { position: absolute; width: calc(var(--side) * 1.7); height: calc(var(--side) * 1.7); left: calc(var(--side) * -.85);
  top: calc(var(--side) * -.85); background: radial-gradient(closest-side, #0009 30%, #0004 65%, #0000); pointer-events: none;
  transform: translateY(calc(var(--side) * .56)) rotateX(90deg); }
.tb-tile, .tb-plate { position: absolute; box-sizing: border-box; backface-visibility: hidden; }
.tb-tile { --edge: calc(var(--side) / 3); width: var(--edge); height: var(--edge); left: calc(var(--edge) / -2);
  top: calc(var(--edge) / -2); padding: calc(var(--edge) * .055); background: #0b0c0e;
  box-shadow: inset 0 0 calc(var(--edge) * .05) #2f3238, inset 0 0 0 calc(var(--edge) * .012) #000, 0 0 0 .7px #0b0c0e; }
.tb-plate { width: var(--side); height: var(--side); left: calc(var(--side) / -2); top: calc(var(--side) / -2);
  background: radial-gradient(circle, #2a2c31 0 12%, #0b0c0e 13%); visibility: hidden; }
.tb-layer.turning .tb-plate, .tb-space.turning > .tb-plate { visibility: visible; }
.tb-sticker { position: relative; width: 100%; height: 100%; display: grid; place-items: center; border-radius: 17%;
  background: var(--colour); color: var(--ink); font: 700 calc(var(--edge) * .36)/1 system-ui, sans-serif;
  box-shadow: inset 0 calc(var(--edge) * .018) calc(var(--edge) * .03) #fff8, inset 0 calc(var(--edge) * -.02) calc(var(--edge) * .04) #0006; }
.tb-sticker::after { content: ""; position: absolute; inset: 0; border-radius: inherit; pointer-events: none;
  background: linear-gradient(155deg, #fff5, #fff0 42%, #0000 60%, #0002), rgb(0 0 0 / var(--shade, 0)); }
.tb-contrast .tb-sticker { box-shadow: 0 0 0 1px #000; border-radius: 8%; }
.tb-contrast .tb-sticker::after { background: none; }
.tb-quick { display: none; width: 100%; height: 100%; }
.tb-plain > .tb-quick { display: block; }
.tb-plain > .tb-stage { display: none; }
.tb-arrow { position: absolute; overflow: visible; pointer-events: none; backface-visibility: hidden; }
.tb-arrow path { fill: none; stroke-linecap: round; stroke-linejoin: round; animation: tb-beckon 1.4s ease-in-out infinite; }
.tb-half { font: 800 22px system-ui, sans-serif; fill: #fff; stroke: #000; stroke-width: 5px; paint-order: stroke; }
@keyframes tb-beckon { 50% { opacity: .6; } }
@media (max-width: 480px) { .tb-cube { touch-action: pan-y; } }
@media (prefers-reduced-motion: reduce) { .tb-arrow path { animation: none; } }
@media (forced-colors: active) { .tb-sticker, .tb-tile { forced-color-adjust: none; } }
`);

export class SolidCube {
  constructor(root, look) {
    Object.assign(this, { root, look, shown: UNKNOWN, waiting: [], goal: null, running: null, plain: false, room: null });
    root.classList.add("tb-cube");
    this.space = made("tb-space", made("tb-stage", root));
    made("tb-floor", this.space);
    this.layer = made("tb-layer", this.space);
    this.plates = [made("tb-plate", this.layer), made("tb-plate", this.space)];
    this.tiles = PLACES.map(({ face, row, column }, index) => {
      const tile = made("tb-tile", this.space);
      tile.dataset.facelet = named(index);
      tile.style.transform = onFace(face, column, row, "0px");
      tile.style.setProperty("--shade", `var(--shade-${face})`);
      made("tb-sticker", tile);
      return tile;
    });
    this.arrows = made("tb-layer", this.space);
    this.quick = made("tb-quick", root, "canvas");
    this.shades = {};
    this.lookFrom(START.across, START.up);
    this.listen();
    this.set(UNKNOWN);
  }

  get target() {
    return this.goal ?? this.shown;
  }

  set(facelets) {
    this.waiting = [];
    this.goal = null;
    this.running?.cancel();
    this.settle();
    this.draw(facelets);
  }

  draw(facelets = this.shown) {
    this.shown = facelets;
    this.root.dataset.facelets = facelets;
    if (this.plain) {
      drawQuickly(this.quick, facelets, this, this.look);
      return;
    }
    this.tiles.forEach((tile, index) => {
      tile.dataset.letter = facelets[index];
      paint(tile.firstChild, facelets[index], this.look);
    });
    this.root.classList.toggle("tb-contrast", Boolean(this.look.contrast));
    this.arrows.replaceChildren(...(this.look.arrow ? arrowsFor(this.look.arrow) : []));
  }

  // Show moves one after the other, then exactly this state (null: as the moves leave it).
  play(moves, facelets = null) {
    this.waiting.push(...moves);
    this.goal = facelets ?? moves.reduce(turned, this.target);
    this.root.dataset.goal = this.goal;
    const still = document.hidden || this.plain || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || !this.root.getClientRects().length || this.waiting.length > BEHIND) this.set(this.goal);
    else if (!this.running) this.showWaiting();
  }

  async showWaiting() {
    this.root.dataset.busy = "true";
    while (this.waiting.length) {
      const move = this.waiting.shift();
      this.running = this.begin(move);
      this.timePictures(this.running);
      const complete = await this.running.finished.then(() => true, () => false);
      if (!complete) continue; // set() cancelled it, and has drawn
      this.settle();
      this.draw(turned(this.shown, move));
    }
    this.running = null;
    this.draw(this.target);
    this.goal = null;
    this.root.dataset.busy = "false";
  }

  // Without a graphics card a moving cube would keep the browser from everything else.
  timePictures(motion) {
    const began = performance.now();
    let [pictures, last] = [0, began];
    const count = (now) => {
      const away = now - last > AWAY_MS; // nobody looked on meanwhile
      const passed = now - began;
      pictures += 1;
      last = now;
      if (away || this.plain || motion.playState !== "running" || passed > WATCHED_MS) return;
      if (pictures > 2 && passed / pictures > SLOW_MS && !this.look.arrow && !this.look.moving) this.drawPlainly();
      else requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  }

  // For good: whatever was too slow once would be so again.
  drawPlainly() {
    this.plain = true;
    this.root.classList.add("tb-plain");
    new ResizeObserver(([{ contentRect }]) => {
      this.room = contentRect; // measured here: asked for in the middle of changes, all would be laid out at once
      this.draw();
    }).observe(this.root);
    this.set(this.target);
  }

  begin(move) {
    const { face, quarters } = parsed(move);
    const turning = PLACES.flatMap(({ at }, index) => (dot(at, AXES[face]) === 1 ? [this.tiles[index]] : []));
    this.layer.append(...turning);
    this.plates[0].style.transform = `${STANDS[face]} translateZ(calc(var(--side) / 6)) rotateY(180deg)`;
    this.plates[1].style.transform = `${STANDS[face]} translateZ(calc(var(--side) / 6 - 1px))`;
    this.space.classList.add("turning");
    const axis = `rotate3d(${AXES[face]}, `;
    const duration = ((this.look.pace ?? 320) * (Math.abs(quarters) === 2 ? 1.5 : 1)) / (1 + this.waiting.length);
    return this.layer.animate([{ transform: `${axis}0deg)` }, { transform: `${axis}${90 * quarters}deg)` }], {
      duration,
      easing: "cubic-bezier(.4, .05, .3, 1)",
    });
  }

  settle() {
    this.space.classList.remove("turning");
    this.space.append(...this.tiles.filter((tile) => tile.parentNode === this.layer));
  }

  lookFrom(across, up) {
    this.across = across;
    this.up = Math.max(-85, Math.min(85, up));
    this.space.style.transform = `rotateX(${this.up}deg) rotateY(${across}deg)`;
    const [a, b] = [(across * Math.PI) / 180, (this.up * Math.PI) / 180];
    for (const face of FACES) {
      const [x, y, z] = AXES[face];
      const [right, near] = [x * Math.cos(a) + z * Math.sin(a), z * Math.cos(a) - x * Math.sin(a)];
      const [below, front] = [y * Math.cos(b) - near * Math.sin(b), y * Math.sin(b) + near * Math.cos(b)];
      const light = -0.35 * right - 0.75 * below + 0.56 * front; // from the upper left, in front
      this.shades[face] = (0.24 * (1 - Math.max(0, light))).toFixed(3);
      this.space.style.setProperty(`--shade-${face}`, this.shades[face]);
    }
    if (this.plain) this.draw();
  }

  listen() {
    let from = null;
    this.root.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, across: this.across, up: this.up };
      this.root.setPointerCapture(event.pointerId);
    });
    this.root.addEventListener("pointermove", (event) => {
      if (from) this.lookFrom(from.across + 0.5 * (event.clientX - from.x), from.up - 0.5 * (event.clientY - from.y));
    });
    for (const end of ["pointerup", "pointercancel"]) this.root.addEventListener(end, () => (from = null));
    this.root.addEventListener("dblclick", () => this.lookFrom(START.across, START.up));
    this.root.addEventListener("keydown", (event) => {
      const [across, up] = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, 15], ArrowDown: [0, -15] }[event.key] ?? [];
      if (event.key === "Home") this.lookFrom(START.across, START.up);
      else if (across !== undefined) this.lookFrom(this.across + across, this.up + up);
      else return;
      event.preventDefault();
    });
  }
}

// Whether three dimensions are drawn by a graphics card. WebGL is asked for its name only, and draws nothing.
export function hasGraphicsCard() {
  const context = document.createElement("canvas").getContext("webgl", { failIfMajorPerformanceCaveat: true });
  if (!context) return false;
  const named = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return !/swiftshader|llvmpipe|software|basic render/i.test(name);
}

// The transform that lays something on a face, cells away from its centre.
function onFace(face, across, down, above) {
  const part = (cells) => `calc(var(--side) / 3 * ${cells})`;
  return `${STANDS[face]} translate3d(${part(across)}, ${part(down)}, calc(var(--side) / 2 + ${above}))`;
}

// Arrows for one move: a ring on the face that turns, and one along each side of its layer.
function arrowsFor(move) {
  const { face, quarters } = parsed(move);
  const back = quarters < 0 ? -1 : 1;
  const half = Math.abs(quarters) === 2;
  const ring = `<g transform="scale(${back} 1)">${strokes("M-24 24A34 34 0 1 1 24 24M39 21L24 24L25 9")}</g>`;
  const two = `<text y="8" text-anchor="middle" class="tb-half">180°</text>`;
  const drawn = [svg("-50 -50 100 100", 0.86, 0.86, ring + (half ? two : ""), onFace(face, 0, 0, "2px"))];
  const along = strokes(`M-46 0H44M30-13L44 0L30 13${half ? "M12-13L26 0L12 13" : ""}`);
  for (const side of FACES) {
    if (dot(AXES[side], AXES[face])) continue;
    const way = cross(AXES[face], AXES[side]).map((value) => back * value);
    const angle = (Math.atan2(dot(way, DOWN[side]), dot(way, ACROSS[side])) * 180) / Math.PI;
    const place = onFace(side, dot(AXES[face], ACROSS[side]), dot(AXES[face], DOWN[side]), "2px");
    const arrow = svg("-50 -17 100 34", 0.72, 0.245, along, `${place} rotate(${angle}deg)`);
    arrow.dataset.side = side;
    drawn.push(arrow);
  }
  drawn.forEach((arrow) => (arrow.dataset.move = move));
  return drawn;
}

const strokes = (path) => `<path d="${path}" stroke="#000" stroke-width="13"/><path d="${path}" stroke="#fff" stroke-width="7"/>`;

function svg(box, width, height, inside, transform) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  element.setAttribute("class", "tb-arrow");
  element.setAttribute("viewBox", box);
  const size = (part) => `calc(var(--side) * ${part})`;
  const style = { width: size(width), height: size(height), left: size(-width / 2), top: size(-height / 2), transform };
  Object.assign(element.style, style);
  element.innerHTML = inside;
  return element;
}
