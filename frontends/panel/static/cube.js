// A cube on a page, in space or as a flat net, set by its props or by what the machine says of its cube.

import { FlatNet } from "cube-flat";
import { made, paintOf, UNKNOWN } from "cube-parts";
import { Playback } from "playback";
import { isStill, style, Twisty } from "twisty";
import { box, turned } from "twisty-solid";

style(`
.tb-praise { position: absolute; inset: auto 0 4%; text-align: center; pointer-events: none; font: 800 clamp(22px, 9cqmin, 64px)/1.1 system-ui, sans-serif;
  color: #fff; text-shadow: 0 0 6px #000, 0 2px 10px #000c; animation: tb-rise .5s ease-out; }
.tb-praise.quiet { font-size: clamp(14px, 4cqmin, 24px); }
.tb-cube { container-type: size; }
@keyframes tb-rise { from { opacity: 0; transform: translateY(30%) scale(.8); } }
@media (prefers-reduced-motion: reduce) { .tb-praise { animation: none; } }
`);

const SOLVED = [..."URFDLB"].map((face) => face.repeat(9)).join("");
const TRUTH = ["stopped", "failed"]; // phases after which nobody waits for turns still to be shown
const REPLAY_MS = 650; // a turn of the slow replay
const DRIFT_MS = 50;
const PRAISED_MS = 5000; // from the end of a solve to its replay

export default {
  template: "<div></div>",
  props: {
    kind: String, // "cube" or "net"
    facelets: String,
    scheme: Object, // face letter -> name of a colour
    palette: Object, // name of a colour -> #rrggbb
    letters: Boolean,
    contrast: Boolean,
    live: Boolean, // follow `thistlebot:view`
    arrow: String, // a move
    pace: Number, // milliseconds of a quarter turn
    praise: Object, // texts: solved, reached, and replay, of a solve that is shown again slowly
    drifts: Boolean, // while the machine has nothing to do
    lettered: Boolean, // letters as this browser's user chose
    label: String,
    words: Object,
    editable: Boolean,
    confidence: Array, // 54 numbers of 0 to 1, or null
    doubtful: Array, // names such as F3
  },
  emits: ["tap", "correct", "turn", "exchange"],
  mounted() {
    this.look = { ...this.$props };
    const tell = (name, detail) => {
      this.$emit(name, detail);
      this.$el.dispatchEvent(new CustomEvent(`thistlebot:${name}`, { detail, bubbles: true }));
    };
    if (this.kind === "net") this.drawing = new FlatNet(this.$el, this.look, tell);
    else {
      this.look.paint = (letter) => paintOf(letter, this.look);
      this.drawing = new Twisty(this.$el, box(3, 3, 3), this.look);
      this.describe();
    }
    if (this.lettered) {
      this.look.letters = window.thistlebotSettings?.letters;
      this.onLetters = ({ detail }) => {
        this.look.letters = detail;
        this.drawing.draw();
      };
      window.addEventListener("thistlebot:letters", this.onLetters);
    }
    if (this.drifts) this.drifting = setInterval(() => !window.thistlebot?.view?.job && this.drift(), DRIFT_MS);
    this.drawing.set(this.facelets);
    this.count = null;
    this.onView = (event) => this.take(event.detail);
    this.onHidden = () => document.hidden && this.drawing.set(this.drawing.target);
    document.addEventListener("visibilitychange", this.onHidden);
    if (this.live) window.addEventListener("thistlebot:view", this.onView);
    if (this.live && window.thistlebot?.view) this.take(window.thistlebot.view);
    const changed = (now, before) => {
      const own = this.live ? ["scheme", "confidence", "doubtful", "editable"] : []; // the view's
      const { facelets, ...look } = now;
      if (this.lettered) own.push("letters");
      own.forEach((name) => delete look[name]);
      Object.assign(this.look, look);
      if (facelets !== before.facelets && !this.live && facelets !== this.drawing.target) this.drawing.set(facelets);
      else this.drawing.draw();
      if (this.kind !== "net") this.describe();
    };
    this.$watch(() => ({ ...this.$props }), changed);
  },
  beforeUnmount() {
    clearTimeout(this.waits);
    clearInterval(this.drifting);
    clearInterval(this.walking);
    window.removeEventListener("thistlebot:view", this.onView);
    window.removeEventListener("thistlebot:letters", this.onLetters);
    document.removeEventListener("visibilitychange", this.onHidden);
  },
  methods: {
    describe() {
      Object.entries({ role: "img", tabindex: "0", "aria-label": this.label }).forEach((pair) => this.$el.setAttribute(...pair));
    },
    set(facelets) {
      this.drawing.set(facelets);
    },
    play(moves, facelets = null) {
      this.drawing.play(moves, facelets);
    },
    // What the machine says of its cube: moves that were acknowledged since are shown, all else is set.
    take(view) {
      const cube = view.cube;
      if (!cube) return;
      const look = view.look ?? {};
      const corrects = this.kind === "net" && look.can_correct && !look.accepted; // the reading, to be corrected
      const grown = this.count === null ? 0 : cube.turned - this.count;
      const looking = this.kind !== "net" && view.phase === "scan" && !(cube.facelets && cube.sure) && look.glimpsed?.length;
      if (this.kind !== "net") this.walkRound(Boolean(looking));
      const glimpsed = looking ? look.glimpsed.map((colour) => colour || "?") : null;
      const facelets = glimpsed ?? ((corrects ? look.facelets : cube.facelets) || UNKNOWN);
      const asSeen = !cube.turned && look.facelets === facelets;
      this.count = cube.turned;
      Object.assign(this.look, {
        scheme: Object.keys(cube.scheme).length ? cube.scheme : this.scheme,
        confidence: asSeen && look.confidence.length ? look.confidence : null,
        doubtful: asSeen ? look.doubtful : [],
        editable: this.editable && Boolean(look.can_correct),
      });
      if (this.kind !== "net") this.celebrate(view, facelets);
      if (grown > 0 && grown <= cube.moves.length && cube.facelets) this.drawing.play(cube.moves.slice(-grown), facelets);
      else if (String(facelets) !== String(this.drawing.target) || (TRUTH.includes(view.phase) && this.drawing.queued)) this.drawing.set(facelets);
      else if (this.kind === "net") this.drawing.draw();
    },
    // A verified solve ends with a spin, and is shown again slowly until something else happens.
    celebrate(view, facelets) {
      const over = view.verified && !view.job && view.plan.moves.length > 0;
      const { run, running } = this.watched ?? {}; // a page that comes later praises nothing
      this.watched = { run: view.run, running: !over };
      if (!over || facelets !== this.drawing.target) this.endReplay();
      if (!over || !running || run !== view.run || !this.praise) return;
      this.drawing.whenStill(() => {
        this.drawing.celebrate();
        this.say(facelets === SOLVED ? this.praise.solved : this.praise.reached);
        if (view.plan.before && !isStill()) this.waits = setTimeout(() => this.again(view.plan), PRAISED_MS);
      });
    },
    // While a rig looks at one face after the other, all sides of the cube are shown.
    walkRound(looking) {
      if (looking === Boolean(this.walking)) return;
      clearInterval(this.walking);
      this.walking = looking && setInterval(() => this.drift(1.4), DRIFT_MS);
      if (!looking) this.drawing.faceFront();
    },
    drift(step = 0.35) {
      if (isStill() || this.drawing.moving || this.drawing.held) return;
      this.drawing.lookFrom(this.drawing.across + step, this.drawing.up);
      this.drawing.draw();
    },
    say(text, kind = "") {
      this.told?.remove();
      this.told = text ? made(`tb-praise ${kind}`, this.$el) : null;
      if (text) this.told.textContent = text;
    },
    again({ before, moves }) {
      const { drawing } = this;
      if (drawing.queued || !this.$el.getClientRects().length) return;
      const steps = [{ state: before }];
      for (const turn of moves) steps.push({ turn, state: turned(drawing.solid, steps.at(-1).state, turn) });
      if (steps.at(-1).state !== drawing.target) return; // it is another cube by now
      drawing.replaying = true;
      this.$el.dataset.replay = "true";
      this.say(this.praise.replay, "quiet");
      drawing.load(steps);
      const clock = { count: moves.length, turn_ms: REPLAY_MS, show: (at) => drawing.replaying && drawing.seek(at) };
      this.clock = new Playback({ ...clock, told: () => this.clock?.at === moves.length && this.endReplay() });
      this.clock.toggle();
    },
    endReplay() {
      clearTimeout(this.waits);
      this.say("");
      if (!this.drawing.replaying) return;
      this.clock.playing = false;
      this.drawing.replaying = false;
      delete this.$el.dataset.replay;
      this.drawing.load([{ state: this.drawing.target }]);
    },
  },
};
