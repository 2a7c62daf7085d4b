// Plays the film in the page's JSON; see player.py for what stands there.
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const say = (key, values = {}) =>
    film.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const controls = document.querySelector(".controls");
  const sections = [...document.querySelectorAll(".lane")];
  const last = Math.max(...film.lanes.map((lane) => lane.frames.length));
  let now = 0;
  let told = false;

  const lanes = film.lanes.map((lane, number) => {
    const section = sections[number];
    const find = (name, slot) => [...section.querySelectorAll(`[${name}="${slot}"]`)];
    const looks = [lane.start];
    for (const frame of lane.frames) {
      const next = looks[looks.length - 1].slice();
      for (let i = 0; i < frame.d.length; i += 2) next[frame.d[i]] = frame.d[i + 1];
      looks.push(next);
    }
    const place = section.querySelector(".solid");
    const paint = (look) => ({ fill: film.looks[look][0], text: film.looks[look][1] });
    const { sides, outlines, stickers, slots, turns, cell } = lane.space ?? {};
    const solid = () => (sides ? box(...sides) : polyhedron(outlines, stickers, (name) => turns[name] ?? null, cell));
    const twisty = place && new Twisty(place, solid(), { paint, letters: true });
    const shown = (state) => (slots ? slots.map((slot) => state[lane.slots.indexOf(slot)]) : state);
    twisty?.load(looks.map((state, step) => ({ state: shown(state), turn: step ? lane.frames[step - 1].m : undefined })));
    return {
      ...lane,
      looks,
      twisty,
      section,
      cells: lane.slots.map((slot) => find("data-slot", slot)),
      letters: lane.slots.map((slot) => find("data-letter", slot)),
      rows: [...section.querySelectorAll(".gauges tr")],
      buttons: [...document.querySelectorAll(`button[data-lane="${number}"]`)],
      items: [...document.querySelectorAll(`[data-steps="${number}"] li`)],
      shown: null,
    };
  });

  if (!controls) return; // a single state

  const slider = controls.querySelector("input");
  const speed = controls.querySelector("select");
  const said = controls.querySelector(".said");
  const playButton = controls.querySelector("[data-do=play]");

  const at = (lane, frame) => Math.min(frame, lane.frames.length);

  // The stage of a frame; the first frame belongs to the first stage that turns something.
  const stage = (lane, frame) => {
    const found = lane.chapters.findIndex((each) => Math.max(1, frame) <= each.last);
    return found < 0 ? lane.chapters.length - 1 : found;
  };

  const mark = (lane, frame) => {
    for (const each of lane.section.querySelectorAll(".moving")) each.classList.remove("moving");
    if (frame < 1 || frame > lane.frames.length) return;
    for (const place of lane.moved[lane.frames[frame - 1].m]) {
      for (const cell of lane.cells[place]) cell.classList.add("moving");
    }
  };

  const colour = (lane, frame) => {
    const looks = lane.looks[frame];
    looks.forEach((look, place) => {
      if (lane.shown !== null && lane.looks[lane.shown][place] === look) return;
      const [fill, label, ink] = film.looks[look];
      for (const cell of lane.cells[place]) cell.setAttribute("fill", fill);
      for (const letter of lane.letters[place]) {
        letter.textContent = label;
        letter.setAttribute("fill", ink);
      }
    });
    lane.shown = frame;
  };

  const tell = (lane, frame) => {
    const { section } = lane;
    const end = lane.frames.length;
    if (!end) return;
    const done = frame === end;
    section.querySelector(".move").textContent = frame ? lane.frames[frame - 1].m : say("before");
    section.querySelector(".count").textContent = frame
      ? say("turn", { number: frame, count: end })
      : say("turns", { count: end });
    section.querySelector(".verdict").hidden = !done;
    const levels = frame ? lane.frames[frame - 1].g : lane.g;
    levels.forEach(([left, words], number) => {
      const row = lane.rows[number];
      const share = Math.min(1, left / Math.max(1, lane.most[number]));
      row.querySelector(".bar span").style.width = `${100 * share}%`;
      const cell = row.querySelector(".left");
      cell.textContent = words;
      cell.classList.toggle("zero", left === 0);
    });
    const current = stage(lane, frame);
    if (current >= 0) {
      const chapter = lane.chapters[current];
      section.querySelector(".stage").textContent = chapter.name;
      section.querySelector(".caption").textContent = chapter.caption;
      section.querySelector(".settles").textContent = chapter.settles;
    }
    lane.items.forEach((item, number) => item.classList.toggle("now", number === current));
    lane.buttons.forEach((button, number) => {
      if (number === frame - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  };

  const rests = (frame) =>
    lanes.length === 1 && lanes[0].chapters.some((each) => each.last === frame);

  // The nets change at once at a step, and in the middle of a turn while the film plays.
  const clock = new Playback({
    count: last,
    turn_ms: film.turn_ms,
    rest: (frame) => (rests(frame) ? film.rest_ms : film.turn_ms / 8),
    show: (moment) => {
      for (const lane of lanes) {
        lane.twisty?.seek(Math.min(moment, lane.frames.length));
        if (clock.playing) colour(lane, at(lane, Math.round(moment)));
      }
      if (clock.playing) slider.value = moment;
    },
    told: (frame) => {
      now = frame;
      for (const lane of lanes) {
        mark(lane, now);
        if (!clock.playing) colour(lane, at(lane, now));
        tell(lane, at(lane, now));
      }
      if (!clock.playing && Math.round(slider.value) !== now) slider.value = now;
      slider.setAttribute("aria-valuetext", say("turn", { number: now, count: last }));
      playButton.textContent = say(clock.playing ? "pause" : "play");
      if (told && !clock.playing) announce();
      told = true;
    },
  });

  const announce = () => {
    said.textContent = lanes
      .map((lane) => {
        const frame = at(lane, now);
        if (frame === lane.frames.length) return lane.verdict;
        return frame ? say("turn_made", { number: frame, move: lane.frames[frame - 1].m }) : say("before");
      })
      .join("; ");
  };

  const go = (frame) => clock.go(frame);

  const ends = [...new Set([0, ...lanes.flatMap((lane) => lane.chapters.map((each) => each.last))])];
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
  for (const lane of lanes) {
    for (const button of lane.buttons) {
      button.disabled = false;
      button.addEventListener("click", () => go(Number(button.dataset.frame)));
    }
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
