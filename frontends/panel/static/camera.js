// The live picture of one camera: a canvas that draws the newest frame, with polygons and points over it.
// Frames come over a socket of the camera's own, JPEG each; the next one comes when this one is drawn and
// acknowledged. What is drawn over them is in pixels of the camera, whose size a text message tells: frames may
// be smaller. Nothing is asked for in a hidden tab or off the screen.

import { strain } from "twisty";

const SVG = "http://www.w3.org/2000/svg";
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const STRAINED_MS = 120; // between two frames while a slow browser turns layers

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(`
.tb-camera { position: relative; width: 100%; aspect-ratio: 4 / 3; background: #15171a; border-radius: 8px; overflow: hidden; }
.tb-camera canvas, .tb-camera svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.tb-camera canvas { object-fit: contain; }
.tb-camera .tb-wait { position: absolute; inset: 0; display: grid; place-items: center; color: #d7dae0; padding: 1em; text-align: center; }
.tb-camera[data-state=live] .tb-wait { display: none; }
.tb-camera svg { pointer-events: none; }
.tb-seen { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.tb-seen-below { fill: none; stroke: #000; stroke-width: 4.5; stroke-opacity: .65; vector-effect: non-scaling-stroke; }
.tb-seen-below[data-sure=poor] { stroke-opacity: .3; }
.tb-seen[data-sure=poor] { stroke-dasharray: 3 4; }
.tb-point { pointer-events: auto; cursor: move; touch-action: none; outline: none; }
.tb-point .tb-grip { fill: #0000; }
.tb-point .tb-ring { fill: #fff3; stroke: #fff; stroke-width: 2; vector-effect: non-scaling-stroke; }
.tb-point .tb-ring-below { fill: none; stroke: #000; stroke-width: 5; vector-effect: non-scaling-stroke; }
.tb-point:focus-visible .tb-ring { stroke: #ffd500; stroke-width: 4; fill: #ffd50055; }
.tb-point text { fill: #fff; stroke: #000; stroke-width: .25em; paint-order: stroke; font-family: system-ui, sans-serif; font-weight: 700; }
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, SHEET];

const drawn = (tag, parent, attributes) => {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  parent.append(element);
  return element;
};

// Opens the socket while the picture is watched, and again after a loss, waiting longer each time.
class Stream {
  constructor(path, draw, measure, tell) {
    Object.assign(this, { path, draw, measure, tell, wanted: false, socket: null, timer: null, wait: FIRST_WAIT_MS });
  }

  watch(wanted) {
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.wait = FIRST_WAIT_MS;
    if (wanted) this.open();
    else this.close();
  }

  open() {
    const address = new URL(this.path, document.baseURI); // below a proxy's path, too
    const socket = new WebSocket(address.href.replace(/^http/, "ws"));
    let count = 0;
    socket.binaryType = "blob";
    socket.onmessage = async ({ data }) => {
      if (typeof data === "string") {
        this.measure(...JSON.parse(data).size);
        return;
      }
      count += 1;
      const number = count;
      const whole = await this.draw(data);
      if (socket !== this.socket) return; // closed meanwhile
      if (whole) {
        this.wait = FIRST_WAIT_MS;
        this.tell("live");
      }
      const answer = () => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ ack: number }));
      if (performance.now() < strain.until) setTimeout(answer, STRAINED_MS);
      else requestAnimationFrame(answer); // a browser that is slow at drawing gets fewer
    };
    socket.onclose = () => {
      if (socket !== this.socket) return; // closed by us, or an older one
      this.tell("lost");
      this.timer = setTimeout(() => this.open(), this.wait * (0.8 + 0.4 * Math.random()));
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
    };
    this.socket = socket;
    this.tell("opening");
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.tell("paused");
  }
}

export default {
  template: `<div class="tb-camera"><canvas width="640" height="480" role="img" :aria-label="label"></canvas>
    <div class="tb-wait" role="status">…</div></div>`,
  props: {
    camera: Number,
    path: String,
    label: String,
    overlays: Array, // {facelet, polygon: [[x, y], …] or "x,y …", colour, confidence} in pixels of the picture
    palette: Object, // name of a colour -> #rrggbb
    points: Array, // {name, x, y} in pixels of the picture
    hint: String, // how a point is moved, for those who hear it
    live: Boolean, // overlays follow `thistlebot:view`
  },
  emits: ["points"],
  mounted() {
    const root = this.$el;
    this.canvas = root.querySelector("canvas");
    this.over = drawn("svg", root, { preserveAspectRatio: "xMidYMid meet" });
    this.seen = drawn("g", this.over, { "aria-hidden": "true" });
    this.handles = drawn("g", this.over, {});
    this.held = [];
    Object.assign(root.dataset, { frames: "0", broken: "0", state: "paused" });
    this.measure(640, 480);
    const tell = (state) => (root.dataset.state = state);
    this.stream = new Stream(this.path, (data) => this.show(data), (...size) => {
      this.told = true;
      this.measure(...size);
    }, tell);
    this.inSight = false;
    this.judge = () => this.stream.watch(this.inSight && !document.hidden);
    this.observer = new IntersectionObserver((entries) => {
      this.inSight = entries.at(-1).isIntersecting;
      this.judge();
    });
    this.observer.observe(root);
    document.addEventListener("visibilitychange", this.judge);
    this.onView = (event) => this.take(event.detail);
    if (this.live) window.addEventListener("thistlebot:view", this.onView);
    if (this.live && window.thistlebot?.view) this.take(window.thistlebot.view);
    else this.drawSeen(this.overlays ?? []);
    this.setPoints(this.points ?? []);
    this.$watch(() => JSON.stringify(this.points), () => this.setPoints(this.points ?? []));
    this.$watch(() => JSON.stringify(this.overlays), () => this.live || this.drawSeen(this.overlays ?? []));
  },
  beforeUnmount() {
    this.observer.disconnect();
    document.removeEventListener("visibilitychange", this.judge);
    window.removeEventListener("thistlebot:view", this.onView);
    this.stream.watch(false);
  },
  methods: {
    // Draws a frame; an empty or broken one is counted and passed over.
    async show(data) {
      const root = this.$el;
      let picture = null;
      if (data.size) picture = await createImageBitmap(data).catch(() => null);
      if (!picture) {
        root.dataset.broken = Number(root.dataset.broken) + 1;
        return false;
      }
      const { width, height } = picture;
      if (width !== this.canvas.width || height !== this.canvas.height) Object.assign(this.canvas, { width, height });
      if (!this.told && String([width, height]) !== String(this.size)) this.measure(width, height);
      this.canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
      picture.close();
      root.dataset.frames = Number(root.dataset.frames) + 1;
      return true;
    },
    measure(width, height) {
      this.size = [width, height];
      this.over.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.$el.style.aspectRatio = `${width} / ${height}`;
      this.drawPoints();
    },
    take(view) {
      const marks = view.phase === "execute" ? [] : (view.look?.marks ?? []); // while it turns, they are elsewhere
      const mine = marks.filter(({ camera }) => camera === this.camera)
        .flatMap((mark) => mark.polygons.map((polygon) => ({ ...mark, polygon })));
      const key = JSON.stringify(mine);
      if (key !== this.drawnKey) this.drawSeen(mine);
      this.drawnKey = key;
    },
    drawSeen(overlays) {
      this.seen.replaceChildren();
      for (const { facelet, polygon, colour, confidence } of overlays) {
        const points = String(polygon); // of SVG, which takes commas everywhere
        const stroke = this.palette[colour] ?? colour ?? "#ffffff";
        const sure = confidence === null || confidence === undefined || confidence >= 0.6 ? "well" : "poor";
        drawn("polygon", this.seen, { points, class: "tb-seen-below", "data-sure": sure });
        drawn("polygon", this.seen, { points, class: "tb-seen", stroke, "data-facelet": facelet, "data-sure": sure });
      }
    },
    setPoints(points) {
      if (this.dragging) return; // what the hand holds is newer
      const focused = this.held.findIndex((_, index) => this.handles.children[index] === document.activeElement);
      this.held = points.map((point) => ({ ...point }));
      this.drawPoints();
      this.handles.children[focused]?.focus();
    },
    drawPoints() {
      if (!this.handles) return;
      const size = this.size[0] / 640;
      this.handles.replaceChildren();
      this.held.forEach((point, index) => {
        const handle = drawn("g", this.handles, { class: "tb-point", tabindex: "0", role: "button" });
        drawn("circle", handle, { r: 24 * size, class: "tb-grip" });
        drawn("circle", handle, { r: 8 * size, class: "tb-ring-below" });
        drawn("circle", handle, { r: 8 * size, class: "tb-ring" });
        drawn("text", handle, { x: 12 * size, y: -8 * size, "font-size": 15 * size }).textContent = point.name;
        this.place(index);
        handle.onpointerdown = (event) => this.grab(event, index);
        handle.onkeydown = (event) => this.nudge(event, index);
      });
    },
    place(index) {
      const { name, x, y } = this.held[index];
      const handle = this.handles.children[index];
      handle.setAttribute("transform", `translate(${x} ${y})`);
      handle.setAttribute("aria-label", `${name}: ${Math.round(x)}, ${Math.round(y)}. ${this.hint ?? ""}`);
    },
    move(index, x, y, done) {
      const held = this.held[index];
      held.x = Math.max(0, Math.min(this.size[0], Math.round(10 * x) / 10));
      held.y = Math.max(0, Math.min(this.size[1], Math.round(10 * y) / 10));
      this.place(index);
      const detail = { camera: this.camera, points: this.held.map((point) => ({ ...point })), moved: index, done };
      this.$el.dispatchEvent(new CustomEvent("thistlebot:points", { detail, bubbles: true }));
      if (done) this.$emit("points", detail);
    },
    grab(event, index) {
      const handle = event.currentTarget;
      const matrix = this.over.getScreenCTM().inverse();
      const at = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(matrix);
      const start = at(event);
      const { x, y } = this.held[index];
      const follow = (now, done) => this.move(index, x + at(now).x - start.x, y + at(now).y - start.y, done);
      this.dragging = true;
      handle.setPointerCapture(event.pointerId);
      handle.focus();
      handle.onpointermove = (now) => follow(now, false);
      handle.onpointerup = handle.onpointercancel = () => {
        handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
        this.dragging = false;
        this.move(index, this.held[index].x, this.held[index].y, true);
      };
      event.preventDefault();
    },
    // One pixel of the picture; ten with Shift.
    nudge(event, index) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      const far = event.shiftKey ? 10 : 1;
      const { x, y } = this.held[index];
      this.move(index, x + far * step[0], y + far * step[1], true);
      event.preventDefault();
    },
  },
};
