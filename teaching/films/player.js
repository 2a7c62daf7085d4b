"use strict";
// Plays the film in the page's JSON; see film_data.py for what stands there.
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const controls = document.querySelector(".controls");
  if (!controls) return;
  const sections = [...document.querySelectorAll(".lane")];
  const slider = controls.querySelector("input");
  const speed = controls.querySelector("select");
  const said = controls.querySelector(".said");
  const playButton = controls.querySelector("[data-do=play]");
  const last = Math.max(...film.lanes.map((lane) => lane.frames.length));
  let now = 0;
  let timer = 0;

  const lanes = film.lanes.map((lane, number) => {
    const section = sections[number];
    const find = (name, slot) => [...section.querySelectorAll(`[${name}="${slot}"]`)];
    const looks = [lane.start];
    for (const frame of lane.frames) {
      const next = looks[looks.length - 1].slice();
      for (let i = 0; i < frame.d.length; i += 2) next[frame.d[i]] = frame.d[i + 1];
      looks.push(next);
    }
    return {
      ...lane,
      looks,
      section,
      cells: lane.slots.map((slot) => find("data-slot", slot)),
      letters: lane.slots.map((slot) => find("data-letter", slot)),
      rows: [...section.querySelectorAll(".gauges tr")],
      buttons: [...document.querySelectorAll(`button[data-lane="${number}"]`)],
      items: [...document.querySelectorAll(`[data-steps="${number}"] li`)],
      shown: null,
    };
  });

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
    section.querySelector(".move").textContent = frame ? lane.frames[frame - 1].m : "before";
    section.querySelector(".count").textContent = frame ? `turn ${frame} of ${end}` : `${end} turns`;
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
      const settles = chapter.settles ? `Settles: ${chapter.settles}.` : "";
      section.querySelector(".settles").textContent = settles;
    }
    lane.items.forEach((item, number) => item.classList.toggle("now", number === current));
    lane.buttons.forEach((button, number) => {
      if (number === frame - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
  };

  const show = (frame) => {
    now = Math.max(0, Math.min(last, frame));
    for (const lane of lanes) {
      mark(lane, now);
      colour(lane, at(lane, now));
      tell(lane, at(lane, now));
    }
    slider.value = now;
    slider.setAttribute("aria-valuetext", `turn ${now} of ${last}`);
  };

  const playing = () => timer !== 0;

  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    playButton.textContent = "Play";
  };

  const announce = () => {
    said.textContent = lanes
      .map((lane) => {
        const frame = at(lane, now);
        if (frame === lane.frames.length) return lane.verdict;
        return frame ? `turn ${frame}: ${lane.frames[frame - 1].m}` : "before";
      })
      .join("; ");
  };

  const go = (frame) => {
    pause();
    show(frame);
    announce();
  };

  const rests = (frame) =>
    lanes.length === 1 && lanes[0].chapters.some((each) => each.last === frame);

  // First the stickers that will turn are marked, then they change.
  const tick = () => {
    const turn = film.turn_ms / Number(speed.value);
    const next = now + 1;
    for (const lane of lanes) mark(lane, next);
    timer = setTimeout(() => {
      show(next);
      if (now >= last) {
        pause();
        announce();
        return;
      }
      timer = setTimeout(tick, 0.55 * turn + (rests(now) ? film.rest_ms : 0));
    }, 0.45 * turn);
  };

  const play = () => {
    if (now >= last) show(0);
    playButton.textContent = "Pause";
    tick();
  };

  const ends = [...new Set([0, ...lanes.flatMap((lane) => lane.chapters.map((each) => each.last))])];
  ends.sort((one, other) => one - other);

  const deeds = {
    first: () => go(0),
    last: () => go(last),
    back: () => go(now - 1),
    on: () => go(now + 1),
    "stage-back": () => go(ends.filter((end) => end < now).pop() ?? 0),
    "stage-on": () => go(ends.find((end) => end > now) ?? last),
    play: () => {
      if (!playing()) return play();
      pause();
      return announce();
    },
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
  slider.addEventListener("input", () => go(Number(slider.value)));
  for (const lane of lanes) {
    for (const button of lane.buttons) {
      button.disabled = false;
      button.addEventListener("click", () => go(Number(button.dataset.frame)));
    }
  }
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const own = target.matches("input, select") || (event.key === " " && target.matches("button"));
    if (own || event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    deeds[keys[event.key]]();
  });
  controls.hidden = false;
  show(0);
})();
