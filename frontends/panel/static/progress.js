// What a run has done so far, from `thistlebot:view`: a bar in the status line, or a chip for each move.
// A turn changes only these few elements; the server would have the whole page compared again.

// The moves, the first of each stage with the stage's number.
function chipsOf({ moves, stages }) {
  const inOrder = String(stages.flatMap(([, own]) => own)) === String(moves);
  const known = inOrder ? stages : [["", moves]]; // moves that the rig turns in another order have no stages
  let count = 0;
  return known.flatMap(([name, own]) => own.map((move, index) => [move, name && !index ? String((count += 1)) : ""]));
}

export default {
  template: "<div></div>",
  props: {
    kind: String, // "bar" or "chips"
    label: String,
    words: String, // of the bar with {done} and {total}; what the numbers below the chips mean
  },
  mounted() {
    this.onView = ({ detail }) => (this.kind === "bar" ? this.fill(detail) : this.mark(detail));
    if (this.kind === "bar") {
      this.bar = document.createElement("progress");
      this.text = document.createElement("div");
      this.$el.append(this.bar, this.text);
      this.bar.setAttribute("aria-label", this.label);
    } else {
      this.list = document.createElement("ol");
      this.list.className = "ribbon";
      this.list.setAttribute("aria-label", this.label);
      this.legend = Object.assign(document.createElement("div"), { className: "small" });
      this.$el.append(this.list, this.legend);
    }
    window.addEventListener("thistlebot:view", this.onView);
    if (window.thistlebot?.view) this.onView({ detail: window.thistlebot.view });
  },
  beforeUnmount() {
    window.removeEventListener("thistlebot:view", this.onView);
  },
  methods: {
    fill({ job, phase, looked, executed, plan }) {
      const [done, total] = job && phase === "scan" && looked[1] > 1 ? looked : [executed, plan.steps.length];
      if (String([done, total]) === this.shown) return;
      this.shown = String([done, total]);
      Object.assign(this.bar, { max: total || 1, value: done });
      this.text.textContent = total ? this.words.replace("{done}", done).replace("{total}", total) : "";
    },
    mark({ plan, cube }) {
      const key = JSON.stringify([plan.moves, plan.stages]);
      if (key !== this.shown) {
        this.list.replaceChildren(...chipsOf(plan).map(([move, stage]) => {
          const chip = Object.assign(document.createElement("li"), { className: "move" });
          chip.append(move);
          if (stage) chip.append(Object.assign(document.createElement("div"), { className: "stage-name", textContent: stage }));
          return chip;
        }));
        this.legend.textContent = this.list.querySelector(".stage-name") ? this.words : "";
      }
      this.shown = key;
      [...this.list.children].forEach((chip, index) => chip.classList.toggle("turned", index < cube.turned));
    },
  },
};
