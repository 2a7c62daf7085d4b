// The clock of a solve, from the press until the cube was seen, and a chime when it is done.

const SOUND_KEY = "thistlebot.sound";
const NOTES_HZ = [523.25, 659.25, 783.99, 1046.5]; // C, E, G, C
const NOTE_S = 0.13;

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(`
.tb-clock { display: flex; align-items: center; gap: .15em; font-variant-numeric: tabular-nums; line-height: 1; }
.tb-time { font-weight: 800; }
.tb-sound { min-width: 48px; min-height: 48px; border: 1px solid currentColor; border-radius: 12px; background: transparent;
  color: inherit; font: 700 24px/1 system-ui, sans-serif; cursor: pointer; position: relative; }
.tb-sound[aria-pressed=false]::after { content: ""; position: absolute; left: 50%; top: 15%; height: 70%; border-left: 3px solid currentColor; transform: rotate(40deg); }
.tb-sound:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, SHEET];

// Browsers play nothing before somebody has touched the page: then it is resumed.
class Chime {
  constructor() {
    this.context = null;
    this.wake = () => this.context?.resume();
    window.addEventListener("pointerdown", this.wake);
    window.addEventListener("keydown", this.wake);
  }

  play() {
    this.context ??= new AudioContext();
    this.context.resume();
    const start = this.context.currentTime + 0.02;
    NOTES_HZ.forEach((pitch, place) => this.note(pitch, start + place * NOTE_S, place === NOTES_HZ.length - 1 ? 0.9 : 0.3));
  }

  note(pitch, from, long) {
    const [tone, loudness] = [this.context.createOscillator(), this.context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, from);
    loudness.gain.linearRampToValueAtTime(0.25, from + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + long);
    tone.connect(loudness).connect(this.context.destination);
    tone.start(from);
    tone.stop(from + long);
  }

  close() {
    window.removeEventListener("pointerdown", this.wake);
    window.removeEventListener("keydown", this.wake);
    this.context?.close();
  }
}

export default {
  template: `<div class="tb-clock"><span class="tb-time" role="timer">{{ text }}</span>
    <button type="button" class="tb-sound" :aria-pressed="String(sound)"
      :aria-label="sound ? soundOn : soundOff" :title="sound ? soundOn : soundOff" @click="toggle"><span aria-hidden="true">♪</span></button></div>`,
  props: {
    jobs: Array, // names of the jobs that are timed
    point: String, // between seconds and their parts
    soundOn: String,
    soundOff: String,
  },
  data() {
    return { text: this.written(0, 2), sound: localStorage.getItem(SOUND_KEY) === "on" };
  },
  mounted() {
    this.chime = new Chime();
    this.view = null;
    this.$el.dataset.chimes = "0";
    this.onView = (event) => this.take(event.detail);
    window.addEventListener("thistlebot:view", this.onView);
    if (window.thistlebot?.view) this.take(window.thistlebot.view);
  },
  beforeUnmount() {
    window.removeEventListener("thistlebot:view", this.onView);
    cancelAnimationFrame(this.frame);
    this.chime.close();
  },
  methods: {
    toggle() {
      this.sound = !this.sound;
      localStorage.setItem(SOUND_KEY, this.sound ? "on" : "off");
      if (this.sound) this.chime.play();
    },
    take(view) {
      const before = this.view;
      this.view = view;
      const done = view.verified === true && this.jobs.includes(view.job || view.last_job);
      if (before && before.server === view.server && done && before.verified !== true) {
        this.$el.dataset.chimes = Number(this.$el.dataset.chimes) + 1;
        if (this.sound) this.chime.play();
      }
      cancelAnimationFrame(this.frame);
      this.tick();
    },
    tick() {
      const { job, last_job: last, began_s: began, ended_s: ended, times } = this.view;
      if (this.jobs.includes(job)) {
        this.text = this.written((window.thistlebot?.now() ?? began) - began, 1);
        this.frame = requestAnimationFrame(() => this.tick());
      } else {
        const timed = !job && this.jobs.includes(last);
        this.text = this.written(timed ? times.total_s || ended - began : 0, 2);
      }
    },
    written(time, digits) {
      const seconds = Math.max(0, time);
      const minutes = Math.floor(seconds / 60);
      const rest = (seconds - 60 * minutes).toFixed(digits).padStart(minutes ? 3 + digits : 0, "0");
      return (minutes ? `${minutes}:${rest}` : rest).replace(".", this.point ?? ".");
    },
  },
};
