// The clock of a replay: it plays, pauses, steps and is scrubbed, for one puzzle or several.

import { isStill, LEAST_FRAMES } from "twisty";

//   count: number of turns; show(at): a moment, as in `Twisty.seek`; told(at): a whole step is the aim now;
//   rest(step): pause after a step, ms.
export class Playback {
  constructor({ count, turn_ms = 500, show, told, rest = () => 0 }) {
    Object.assign(this, { count, turn_ms, show, told, rest, at: 0, aim: 0, speed: 1, playing: false });
  }

  go(step) {
    this.playing = false;
    const aim = Math.max(0, Math.min(this.count, step));
    if (isStill() || Math.abs(aim - this.at) > 3) this.at = aim; // too far to watch
    this.head(aim);
  }

  // A moment between two steps, as a slider has it.
  scrub(at) {
    this.playing = false;
    this.at = Math.max(0, Math.min(this.count, at));
    this.head(Math.round(this.at), this.at);
  }

  toggle() {
    if (!this.count) return;
    if (this.playing) {
      this.playing = false;
      this.told(this.aim);
      return;
    }
    if (this.at >= this.count) this.show((this.at = 0));
    this.playing = true;
    this.head(Math.floor(this.at) + 1);
  }

  head(aim, end = aim) {
    Object.assign(this, { aim, end, waits: 0, last: performance.now() });
    this.told(aim);
    this.show(this.at);
    this.running ??= requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    const passed = Math.max(0, now - this.last);
    this.last = now;
    const left = this.end - this.at;
    if (left) {
      const hurry = this.playing ? this.speed : Math.max(2, 2 * Math.abs(left));
      const still = isStill();
      const step = still ? Math.abs(left) : Math.min((passed * hurry) / this.turn_ms, 1 / LEAST_FRAMES, Math.abs(left));
      const whole = left > 0 ? Math.floor(this.at + 1e-6) + 1 : Math.ceil(this.at - 1e-6) - 1;
      const at = this.at + Math.sign(left) * step;
      const over = left > 0 ? at > whole - 1e-6 : at < whole + 1e-6;
      this.at = over ? whole : Math.abs(at - this.end) < 1e-6 ? this.end : at;
      this.show(this.at);
      if (this.at === this.end) this.waits = now + (this.rest(this.at) + (still ? this.turn_ms : 0)) / this.speed;
    } else if (this.playing && this.at >= this.count) {
      this.playing = false;
      this.told(this.aim);
    } else if (this.playing && now >= this.waits) {
      this.aim = this.end = this.at + 1;
      this.told(this.aim);
    }
    this.running = this.playing || this.end !== this.at ? requestAnimationFrame((then) => this.frame(then)) : null;
  }
}
