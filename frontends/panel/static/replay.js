// A run again: its cube, turn by turn, with keys, buttons, a slider and its moves to tap.

import { made, paintOf } from "cube-parts";
import { Playback } from "playback";
import { Twisty } from "twisty";
import { box } from "twisty-solid";

const TURN_MS = 600;
const SPEEDS = ["0.25", "0.5", "1", "2", "4"];
const KEYS = { " ": "play", ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last" };
const ICONS = { first: "skip_previous", before: "chevron_left", play: "play_arrow", next: "chevron_right", last: "skip_next" };

export default {
  template: "<div></div>",
  props: {
    steps: Array, // {state, turn, stage, made} of each; the first is the beginning
    scheme: Object, // face letter -> name of a colour
    palette: Object, // name of a colour -> #rrggbb
    words: Object, // names of the controls; {done} and {total} are replaced in `step`
  },
  mounted() {
    const { words, steps } = this;
    this.most = steps.length - 1;
    const cube = made("", this.$el);
    Object.entries({ role: "img", tabindex: "0", "aria-label": words.replay }).forEach((pair) => cube.setAttribute(...pair));
    this.twisty = new Twisty(cube, box(3, 3, 3), { letters: true, paint: (letter) => paintOf(letter, this) });
    this.twisty.load(steps);
    const bar = made("replay-buttons", this.$el);
    bar.setAttribute("role", "group");
    this.buttons = Object.fromEntries(Object.keys(ICONS).map((deed) => [deed, this.button(bar, deed)]));
    this.count = made("replay-count", bar);
    this.count.setAttribute("aria-live", "polite");
    const speed = made("replay-speed", bar, "select");
    speed.setAttribute("aria-label", words.speed);
    speed.append(...SPEEDS.map((each) => new Option(`${each.replace("0.25", "¼").replace("0.5", "½")}×`, each, each === "1", each === "1")));
    speed.addEventListener("change", () => (this.clock.speed = Number(speed.value)));
    this.slider = made("replay-slider", this.$el, "input");
    Object.assign(this.slider, { type: "range", min: 0, max: this.most, step: 0.05, value: 0 });
    this.slider.setAttribute("aria-label", words.place);
    this.slider.addEventListener("input", () => this.clock.scrub(Number(this.slider.value)));
    this.slider.addEventListener("change", () => this.clock.go(Math.round(this.slider.value)));
    this.chips = this.ribbon();
    if (steps.some(({ stage }) => stage)) made("small", this.$el).textContent = words.stages;
    this.clock = new Playback({ count: this.most, turn_ms: TURN_MS, show: (at) => this.show(at), told: (step) => this.tell(step) });
    this.$el.addEventListener("keydown", (event) => this.key(event, cube));
    this.tell(0);
  },
  beforeUnmount() {
    this.clock.playing = false;
  },
  methods: {
    button(bar, deed) {
      const button = made("replay-button", bar, "button");
      button.type = "button";
      button.setAttribute("aria-label", this.words[deed]);
      const icon = made("q-icon material-icons", button, "i");
      icon.setAttribute("aria-hidden", "true");
      icon.textContent = ICONS[deed];
      button.addEventListener("click", () => this.act(deed));
      return button;
    },
    ribbon() {
      const list = made("ribbon", this.$el, "ol");
      list.setAttribute("aria-label", this.words.moves);
      return this.steps.slice(1).map(({ turn, stage, made: done }, index) => {
        const chip = made(`move${done ? "" : " unturned"}${stage ? " stage-first" : ""}`, list, "li");
        const button = made("move-tap", chip, "button");
        Object.assign(button, { type: "button", textContent: turn || "…" });
        button.addEventListener("click", () => this.clock.go(index + 1));
        if (stage) made("stage-name", chip).textContent = stage;
        return chip;
      });
    },
    act(deed) {
      const { clock } = this;
      if (deed === "play") clock.toggle();
      else clock.go({ first: 0, before: clock.aim - 1, next: clock.aim + 1, last: this.most }[deed]);
    },
    key(event, cube) {
      const deed = KEYS[event.key];
      const own = event.target.matches("select") || (event.key === " " && event.target.matches("button"));
      if (!deed || own || (event.target === cube && event.key !== " ")) return;
      event.preventDefault();
      this.act(deed);
    },
    show(at) {
      this.twisty.seek(at);
      if (this.clock.playing) this.slider.value = at;
    },
    tell(step) {
      const { words, clock } = this;
      const playing = Boolean(clock?.playing);
      this.buttons.play.setAttribute("aria-label", playing ? words.pause : words.play);
      this.buttons.play.firstChild.textContent = playing ? "pause" : "play_arrow";
      this.count.textContent = words.step.replace("{done}", step).replace("{total}", this.most);
      if (!playing && Math.round(this.slider.value) !== step) this.slider.value = step;
      this.slider.setAttribute("aria-valuetext", this.count.textContent);
      this.chips.forEach((chip, index) => chip.classList.toggle("turned", index < step));
    },
  },
};
