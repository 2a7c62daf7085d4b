// Carries out the operations in the text field, and counts what each changes; see exercise.py.
(() => {
  const data = JSON.parse(document.getElementById("film").textContent);
  const say = (key, values = {}) => data.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const [place, field, law] = [".solid", ".typed", ".law"].map((each) => document.querySelector(each));
  const rows = [...document.querySelectorAll(".gauges tr")];
  const cells = (name, slot) => [...document.querySelectorAll(`[${name}="${slot}"]`)];
  const CORNERS = 0;

  // A state is, for corners and for edges, the piece in each place (from) and how it is turned.
  const solved = data.kinds.map(({ names }) => ({ from: names.map((_, i) => i), turned: names.map(() => 0) }));
  const after = (state, change) =>
    state.map(({ from, turned }, kind) => ({
      from: change[kind].from.map((i) => from[i]),
      turned: change[kind].from.map((i, at) => (turned[i] + change[kind].turned[at]) % data.kinds[kind].turns),
    }));
  const changed = (kind, part, edit) =>
    solved.map((own, number) => {
      if (number !== kind) return own;
      const list = [...own[part]];
      edit(list);
      return { ...own, [part]: list };
    });

  const sorted = (text) => [...text.replaceAll("T", "U")].sort().join("");
  const found = new Map(
    data.kinds.flatMap(({ names }, kind) => names.map((name, index) => [sorted(name), { kind, index, name }])),
  );

  const operation = (word) => {
    const [, one, other, sign] = /^([URFDLBT]{2,3})(?:[-−–]([URFDLBT]{2,3})|([+−–-]))$/.exec(word) ?? [];
    const [here, there] = [one, other].map((name) => name && found.get(sorted(name)));
    if (here && there && here.kind === there.kind && here !== there) {
      const swap = (list) => ([list[here.index], list[there.index]] = [there.index, here.index]);
      return { name: word, swap: true, change: changed(here.kind, "from", swap) };
    }
    if (here && sign) {
      const by = here.kind === CORNERS && sign !== "+" ? 2 : 1;
      return { name: word, change: changed(here.kind, "turned", (list) => (list[here.index] = by)) };
    }
    const turn = word.replaceAll("T", "U").replace(/[’′]/, "'");
    return data.turns[turn] && { name: turn, turn, change: data.turns[turn] };
  };

  const parity = ({ from }) => {
    let odd = 0;
    from.forEach((one, i) => from.slice(i + 1).forEach((other) => (odd ^= one > other)));
    return odd;
  };
  const total = (list) => list.reduce((sum, each) => sum + each, 0);

  // Where the pairs of each axis of a tetrad now have their home: p of the first tetrad, q of the other.
  const permuted = ({ from }, tetrad) => {
    const key = (pairs) => pairs.map((pair) => [...pair].sort((a, b) => a - b).join()).sort().join(" ");
    const homes = data.pairs[tetrad].map(key);
    return data.pairs[tetrad].map((both) => homes.indexOf(key(both.map((pair) => pair.map((i) => from[i])))));
  };

  const counted = (state) => {
    const [corners, edges] = state;
    const [a, b] = [total(corners.turned) % 3, total(edges.turned) % 2];
    const epsilon = parity(corners) ^ parity(edges);
    const flipped = edges.from.filter((piece, i) => edges.turned[i] ^ data.marked[piece] ^ data.marked[i]).length;
    const twisted = corners.turned.filter(Boolean).length;
    const middle = edges.from.filter((piece, i) => i < 8 && piece >= 8).length;
    const outside = corners.from.filter((piece, i) => data.tetrads[0].includes(piece) !== data.tetrads[0].includes(i)).length;
    const slices = edges.from.filter((piece, i) => data.slices[piece] !== data.slices[i]).length;
    const [p, q] = outside ? [[], []] : [permuted(corners, 0), permuted(corners, 1)];
    const delta = q.map((_, axis) => p[q.indexOf(axis)]);
    const axes = delta.map((axis) => data.axes[axis]);
    const unsolved = total(state.map(({ from, turned }) => from.filter((piece, i) => piece !== i || turned[i]).length));
    return {
      p,
      q,
      delta,
      left: [a, b, epsilon, flipped, twisted, middle, outside, outside ? 3 : delta.filter((axis, i) => axis !== i).length, slices, unsolved],
      said: [`${120 * a}°`, `${180 * b}°`, epsilon ? "-1" : "+1", flipped, twisted, middle, outside, outside ? data.no_delta : axes.join(" "), slices, unsolved].map(String),
    };
  };

  const facelets = (state) => {
    const shown = [...Array(54).keys()].map((slot) => "URFDLB"[Math.floor(slot / 9)]);
    const solid = [...shown];
    state.forEach(({ from, turned }, kind) => {
      const { stickers, turns } = data.kinds[kind];
      from.forEach((piece, i) =>
        stickers[piece].forEach((slot, k) => (shown[stickers[i][(k + turned[i]) % turns]] = solid[slot])),
      );
    });
    return shown;
  };

  const paint = (face) => ({ fill: data.colours[face][0], text: face });
  const twisty = new Twisty(place, box(3, 3, 3), { paint, letters: true });

  const colour = (shown) =>
    shown.forEach((face, slot) => {
      for (const cell of cells("data-slot", slot)) cell.setAttribute("fill", data.colours[face][0]);
      for (const letter of cells("data-letter", slot)) {
        letter.textContent = face;
        letter.setAttribute("fill", data.colours[face][1]);
      }
    });

  const told = (now, before, name) => {
    const numbers = [...data.gauges.keys()].slice(0, -1);
    const list = (which) => numbers.filter(which).map((i) => data.names[i]).join("; ") || say("nothing");
    const moves = (i) => now.said[i] !== before.said[i];
    rows.forEach((row, i) => row.classList.toggle("changed", name !== undefined && moves(i)));
    if (name === undefined) return say("before");
    return `${say("changes", { name, list: list(moves) })} ${say("keeps", { list: list((i) => !moves(i)) })}`;
  };

  const table = ({ p, q, delta }) =>
    document.querySelectorAll(".pairs tr").forEach((row, number) => {
      if (!number) return;
      [p, q, delta].forEach((axes, column) => {
        row.cells[column + 1].textContent = axes.length ? data.axes[axes[number - 1]] : say("no_pair");
      });
    });

  const judge = ({ left }, done) => {
    document.querySelectorAll(".games td").forEach((cell, number) => {
      const is = data.games[number].every((i) => !left[i]);
      cell.textContent = say(is ? "connected" : "apart");
      cell.className = is ? "zero" : "differs";
    });
    document.querySelectorAll(".goals li").forEach((item, number) => {
      const { wanted, moved, swaps } = data.goals[number];
      const fits = wanted.every((values, i) => !values || values.includes(left[i]));
      if (fits && left.at(-1) >= moved && (!swaps || done.every((each) => each.swap))) item.classList.add("reached");
    });
  };

  let shownWords = [];
  const carryOut = () => {
    const words = field.value.split(/[\s,;]+/).filter(Boolean);
    const done = words.map(operation);
    const bad = words.find((_, i) => !done[i]);
    field.setAttribute("aria-invalid", String(bad !== undefined));
    if (bad !== undefined) return (law.textContent = say("unreadable", { name: bad }));
    const states = [solved];
    for (const { change } of done) states.push(after(states.at(-1), change));
    const [now, before] = [states.at(-1), states.at(-2) ?? states.at(-1)].map(counted);
    const shown = facelets(states.at(-1));
    const further = words.length === shownWords.length + 1 && shownWords.every((word, i) => word === words[i]);
    if (further && done.at(-1).turn) twisty.play([done.at(-1).turn], shown);
    else twisty.set(shown);
    shownWords = words;
    colour(shown);
    now.left.forEach((left, i) => {
      rows[i].querySelector(".bar span").style.width = `${100 * Math.min(1, left / Math.max(1, data.most[i]))}%`;
      const cell = rows[i].querySelector(".left");
      cell.textContent = now.said[i];
      cell.classList.toggle("zero", left === 0);
    });
    law.textContent = told(now, before, done.at(-1)?.name);
    table(now);
    judge(now, done);
  };

  const write = (text) => {
    field.value = text.trim();
    carryOut();
  };
  const append = (word) => write(`${field.value} ${word}`);

  // A click on a piece picks it up; a click on another of its kind swaps them, on itself turns it in its place.
  const at = new Map();
  data.kinds.forEach(({ names, stickers }, kind) =>
    stickers.forEach((slots, index) => slots.forEach((slot) => at.set(slot, { kind, index, name: names[index], slots }))),
  );
  let picked = null;
  const pick = (piece) => {
    picked = piece;
    for (const each of document.querySelectorAll(".moving")) each.classList.remove("moving");
    for (const slot of piece?.slots ?? []) for (const cell of cells("data-slot", slot)) cell.classList.add("moving");
    if (piece) law.textContent = say("picked", { name: piece.name });
  };
  document.querySelector(".figure").addEventListener("click", ({ target }) => {
    const piece = at.get(Number(target.dataset.slot ?? NaN));
    if (!piece) return pick(null);
    const first = picked;
    if (!first || first.kind !== piece.kind) return pick(piece);
    pick(null);
    append(first.name === piece.name ? `${piece.name}+` : `${first.name}-${piece.name}`);
  });
  document.querySelector(".bench").addEventListener("click", ({ target }) => {
    const { turn, do: deed } = target.dataset;
    if (turn) append(turn);
    if (deed) write(deed === "clear" ? "" : field.value.trim().split(/[\s,;]+/).slice(0, -1).join(" "));
  });
  field.addEventListener("input", carryOut);
  for (const i of data.tetrads[0]) {
    for (const slot of data.kinds[CORNERS].stickers[i]) for (const cell of cells("data-slot", slot)) cell.classList.add("first");
  }
  carryOut();
})();
