// Plays the film in the page's JSON; see player.py for what stands there.
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const say = (key, values = {}) =>
    film.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const controls = document.querySelector(".controls");
  const section = document.querySelector(".puzzle");
  const last = film.frames.length;
  let now = 0;
  let told = false;

  const find = (name, slot) => [...section.querySelectorAll(`[${name}="${slot}"]`)];
  const looks = [film.start];
  for (const frame of film.frames) {
    const next = looks[looks.length - 1].slice();
    for (let i = 0; i < frame.d.length; i += 2) next[frame.d[i]] = frame.d[i + 1];
    looks.push(next);
  }
  const place = section.querySelector(".solid");
  const paint = (look) => ({ fill: film.looks[look][0], text: film.looks[look][1] });
  const { sides, outlines, stickers, slots, turns, cell } = film.space ?? {};
  const solid = () => (sides ? box(...sides) : polyhedron(outlines, stickers, (name) => turns[name] ?? null, cell));
  const twisty = place && new Twisty(place, solid(), { paint, letters: true });
  const seen = (state) => (slots ? slots.map((slot) => state[film.slots.indexOf(slot)]) : state);
  twisty?.load(looks.map((state, step) => ({ state: seen(state), turn: step ? film.frames[step - 1].m : undefined })));
  const cells = film.slots.map((slot) => find("data-slot", slot));
  const letters = film.slots.map((slot) => find("data-letter", slot));
  const rows = [...section.querySelectorAll(".gauges tr")];
  const buttons = [...document.querySelectorAll("button[data-frame]")];
  const items = [...document.querySelectorAll(".steps li")];
  let shown = null;

  if (!controls) return; // a single state

  const slider = controls.querySelector("input");
  const speed = controls.querySelector("select");
  const said = controls.querySelector(".said");
  const playButton = controls.querySelector("[data-do=play]");

  // The stage of a frame; the first frame belongs to the first stage that turns something.
  const stage = (frame) => {
    const found = film.chapters.findIndex((each) => Math.max(1, frame) <= each.last);
    return found < 0 ? film.chapters.length - 1 : found;
  };

  const mark = (frame) => {
    for (const each of section.querySelectorAll(".moving")) each.classList.remove("moving");
    if (frame < 1) return;
    for (const place of film.moved[film.frames[frame - 1].m]) {
      for (const cell of cells[place]) cell.classList.add("moving");
    }
  };

  const colour = (frame) => {
    looks[frame].forEach((look, place) => {
      if (shown !== null && looks[shown][place] === look) return;
      const [fill, label, ink] = film.looks[look];
      for (const cell of cells[place]) cell.setAttribute("fill", fill);
      for (const letter of letters[place]) {
        letter.textContent = label;
        letter.setAttribute("fill", ink);
      }
    });
    shown = frame;
  };

  const tell = (frame) => {
    section.querySelector(".move").textContent = frame ? film.frames[frame - 1].m : say("before");
    section.querySelector(".count").textContent = frame
      ? say("turn", { number: frame, count: last })
      : say("turns", { count: last });
    section.querySelector(".verdict").hidden = frame !== last;
    const levels = frame ? film.frames[frame - 1].g : film.g;
    levels.forEach(([left, words], number) => {
      const row = rows[number];
      const share = Math.min(1, left / Math.max(1, film.most[number]));
      row.querySelector(".bar span").style.width = `${100 * share}%`;
      const cell = row.querySelector(".left");
      cell.textContent = words;
      cell.classList.toggle("zero", left === 0);
    });
    const current = stage(frame);
    if (current >= 0) {
      const chapter = film.chapters[current];
      section.querySelector(".stage").textContent = chapter.name;
      section.querySelector(".caption").textContent = chapter.caption;
      section.querySelector(".settles").textContent = chapter.settles;
    }
    items.forEach((item, number) => item.classList.toggle("now", number === current));
    buttons.forEach((button, number) => {
      if (number === frame - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  };

  const rests = (frame) => film.chapters.some((each) => each.last === frame);

  // The net changes at once at a step, and in the middle of a turn while the film plays.
  const clock = new Playback({
    count: last,
    turn_ms: film.turn_ms,
    rest: (frame) => (rests(frame) ? film.rest_ms : film.turn_ms / 8),
    show: (moment) => {
      twisty?.seek(moment);
      if (clock.playing) colour(Math.round(moment));
      if (clock.playing) slider.value = moment;
    },
    told: (frame) => {
      now = frame;
      mark(now);
      if (!clock.playing) colour(now);
      tell(now);
      if (!clock.playing && Math.round(slider.value) !== now) slider.value = now;
      slider.setAttribute("aria-valuetext", say("turn", { number: now, count: last }));
      playButton.textContent = say(clock.playing ? "pause" : "play");
      if (told && !clock.playing) announce();
      told = true;
    },
  });

  const announce = () => {
    const turn = () => say("turn_made", { number: now, move: film.frames[now - 1].m });
    said.textContent = now === last ? film.verdict : now ? turn() : say("before");
  };

  const go = (frame) => clock.go(frame);

  const ends = [...new Set([0, ...film.chapters.map((each) => each.last)])];
  ends.sort((one, other) => one - other);

  const deeds = {
    first: () => go(0),
    last: () => go(last),
    back: () => go(now - 1),
    on: () => go(now + 1),
    "stage-back": () => go(ends.filter((end) => end < now).pop() ?? 0),
    "stage-on": () => go(ends.find((end) => end > now) ?? last),
    play: () => clock.toggle(),
  };

  const keys = {
    " ": "play",
    ArrowLeft: "back",
    ArrowRight: "on",
    PageUp: "stage-back",
    PageDown: "stage-on",
    Home: "first",
    End: "last",
  };

  controls.addEventListener("click", (event) => {
    const deed = event.target.closest("[data-do]");
    if (deed) deeds[deed.dataset.do]();
  });
  slider.addEventListener("input", () => clock.scrub(Number(slider.value)));
  slider.addEventListener("change", () => go(Math.round(slider.value)));
  speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
  for (const button of buttons) {
    button.disabled = false;
    button.addEventListener("click", () => go(Number(button.dataset.frame)));
  }
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const own = target.matches("select, .solid:focus") || (event.key === " " && target.matches("button"));
    if (own || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    deeds[keys[event.key]]();
  });
  controls.hidden = false;
  go(0);
})();
