// A cube on a page, solid or as a flat net, set by its props or by what the machine says of its cube.

import { FlatNet } from "cube-flat";
import { UNKNOWN } from "cube-parts";
import { hasGraphicsCard, SolidCube } from "cube-solid";

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
    moving: Boolean, // however slow this browser is at it
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
    this.drawing = this.kind === "net" ? new FlatNet(this.$el, this.look, tell) : new SolidCube(this.$el, this.look);
    if (this.kind !== "net") this.describe();
    this.drawing.set(this.facelets);
    this.count = null;
    this.onView = (event) => this.take(event.detail);
    this.onHidden = () => document.hidden && this.drawing.set(this.drawing.target);
    document.addEventListener("visibilitychange", this.onHidden);
    if (this.live) window.addEventListener("thistlebot:view", this.onView);
    if (this.live && window.thistlebot?.view) this.take(window.thistlebot.view);
    // What follows a machine would lag behind it; a lesson for a person has time for its arrows.
    const lags = this.live && this.kind !== "net" && !this.moving;
    if (lags && !hasGraphicsCard()) this.drawing.drawPlainly();
    const changed = (now, before) => {
      const own = this.live ? ["scheme", "confidence", "doubtful", "editable"] : []; // the view's
      const { facelets, ...look } = now;
      own.forEach((name) => delete look[name]);
      Object.assign(this.look, look);
      if (facelets !== before.facelets && !this.live) this.drawing.set(facelets);
      else this.drawing.draw();
      if (this.kind !== "net") this.describe();
    };
    this.$watch(() => ({ ...this.$props }), changed);
  },
  beforeUnmount() {
    window.removeEventListener("thistlebot:view", this.onView);
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
      const facelets = (corrects ? look.facelets : cube.facelets) || UNKNOWN;
      const asSeen = !cube.turned && look.facelets === facelets;
      this.count = cube.turned;
      Object.assign(this.look, {
        scheme: Object.keys(cube.scheme).length ? cube.scheme : this.scheme,
        confidence: asSeen && look.confidence.length ? look.confidence : null,
        doubtful: asSeen ? look.doubtful : [],
        editable: this.editable && Boolean(look.can_correct),
      });
      if (grown > 0 && grown <= cube.moves.length && cube.facelets) this.drawing.play(cube.moves.slice(-grown), facelets);
      else if (facelets !== this.drawing.target) this.drawing.set(facelets);
      else this.drawing.draw();
    },
  },
};
