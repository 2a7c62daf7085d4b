// The flat net: U above, L F R B side by side, D below; a grid for fingers, keyboards and screen readers.

import { made, named, paint, UNKNOWN } from "cube-parts";
import { style } from "twisty";
import { FACES } from "twisty-solid";

const NET = { U: [0, 3], L: [3, 0], F: [3, 3], R: [3, 6], B: [3, 9], D: [6, 3] };

style(`
.tb-net { container-type: inline-size; width: 100%; }
.tb-net.fit { container-type: size; height: 100%; }
.tb-grid { --u: 1cqw; }
.fit > .tb-grid { --u: min(1cqw, 1.35cqh); }
.tb-grid { --edge: calc(7.4 * var(--u)); display: grid; gap: calc(.45 * var(--u)); justify-content: center; }
.tb-cells, .tb-row { display: contents; }
.tb-cell { box-sizing: border-box; padding: 0; border: 1px solid #000a; position: relative; min-width: 0; display: grid; place-items: center; contain: layout size style;
  border-radius: 16%; background: var(--colour); color: var(--ink); font: 700 calc(3.2 * var(--u))/1 system-ui, sans-serif; user-select: none; }
.tb-editable .tb-cell { cursor: pointer; }
.tb-cell:focus-visible, .tb-tools button:focus-visible { outline: 3px solid #1a73e8; outline-offset: 1px; z-index: 2; }
.tb-cell[aria-selected=true] { box-shadow: 0 0 0 2px #fff, 0 0 0 5px #1a73e8; z-index: 1; }
.tb-cell[data-sure=fair] { border: 2px dashed var(--ink); }
.tb-cell[data-sure=poor] { border: 3px dotted var(--ink); }
.tb-cell[data-sure=doubt] { border: 2px solid #000; box-shadow: inset 0 0 0 2px #fff, 0 0 0 2px #d32f2f; }
.tb-cell[data-sure=doubt]::after, .tb-cell[data-sure=poor]::after { content: "?"; position: absolute; right: -8%; top: -8%; width: calc(2.7 * var(--u));
  height: calc(2.7 * var(--u)); border-radius: 50%; background: #fff; color: #000; font: 700 calc(2.2 * var(--u))/calc(2.7 * var(--u)) system-ui; text-align: center; box-shadow: 0 0 0 1px #000; }
.tb-cell[data-sure=doubt]::after { content: "!"; background: #b71c1c; color: #fff; }
.tb-tools { display: grid; grid-template-columns: repeat(3, auto); gap: calc(1 * var(--u)); place-content: center; }
.tb-tools button { min-width: 24px; min-height: 24px; width: calc(7.4 * var(--u)); height: calc(7.4 * var(--u)); padding: 0; border: 1px solid #767676; border-radius: 18%;
  background: var(--colour, #fff); color: var(--ink, #000); font: 700 calc(3.4 * var(--u))/1 system-ui, sans-serif; cursor: pointer; }
.tb-tools button[aria-pressed=true] { background: #1a4fa0; color: #fff; }
@media (forced-colors: active) { .tb-cell, .tb-tools button { forced-color-adjust: none; } }
`);

// A list of tracks for the net: three of an edge, then a little room, four times or three.
const tracks = (bands) => Array(bands).fill("var(--edge) var(--edge) var(--edge)").join(" calc(.6 * var(--u)) ");
const track = (cell) => cell + Math.floor(cell / 3) + 1;

// The flat net. It shows what it is given and tells what was tapped; it corrects nothing itself.
export class FlatNet {
  constructor(root, look, tell) {
    Object.assign(this, { root, look, tell, shown: UNKNOWN, at: 22, chosen: null, exchanging: null });
    root.classList.add("tb-net");
    const board = made("tb-grid", root);
    board.style.gridTemplate = `${tracks(3)} / ${tracks(4)}`;
    this.grid = made("tb-cells", board);
    this.grid.setAttribute("role", "grid");
    const rows = Array.from({ length: 9 }, () => made("tb-row", this.grid));
    rows.forEach((row) => row.setAttribute("role", "row"));
    this.cells = Array.from({ length: 54 }, (_, index) => {
      const [top, left] = NET[FACES[Math.floor(index / 9)]];
      const [y, x] = [top + Math.floor((index % 9) / 3), left + (index % 3)];
      const cell = made("tb-cell", null);
      Object.assign(cell.dataset, { facelet: named(index), x, y });
      cell.setAttribute("role", "gridcell");
      cell.style.gridArea = `${track(y)} / ${track(x)}`;
      cell.addEventListener("click", () => this.tap(index));
      return cell;
    });
    const inOrder = [...this.cells].sort((a, b) => a.dataset.x - b.dataset.x);
    inOrder.forEach((cell) => rows[cell.dataset.y].append(cell));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.tools = ["1 / 9 / 4 / 16", "9 / 9 / 12 / 16"].map((area) => {
      const bar = made("tb-tools", board);
      bar.style.gridArea = area;
      return bar;
    });
    this.draw();
  }

  get target() {
    return this.shown;
  }

  set(facelets) {
    this.draw(facelets);
  }

  play(_moves, facelets) {
    this.draw(facelets);
  }

  draw(facelets = this.shown) {
    this.shown = facelets;
    this.root.dataset.facelets = facelets;
    const { look } = this;
    this.grid.setAttribute("aria-label", look.label);
    this.root.classList.toggle("tb-editable", Boolean(look.editable));
    this.cells.forEach((cell, index) => {
      const letter = facelets[index];
      paint(cell, letter, look);
      const sure = this.sureness(index);
      const colour = look.scheme[letter] ?? "unknown";
      const said = [named(index), look.words[colour] ?? colour, look.words[sure] ?? ""].filter(Boolean).join(", ");
      const marks = [letter, sure, index === this.at, index === this.chosen, said].join("|");
      if (cell.marks === marks) return; // setting an attribute again restyles it
      cell.marks = marks;
      Object.assign(cell.dataset, { letter, sure });
      cell.tabIndex = index === this.at ? 0 : -1;
      cell.setAttribute("aria-selected", String(index === this.chosen));
      cell.setAttribute("aria-label", said);
    });
    this.drawTools();
  }

  // doubt: marked as doubtful; sure, fair, poor: by its confidence; none: nothing is known of it.
  sureness(index) {
    if (this.look.doubtful?.includes(named(index))) return "doubt";
    const confidence = this.look.confidence?.[index] ?? null;
    if (confidence === null) return "none";
    return confidence >= 0.9 ? "sure" : confidence >= 0.6 ? "fair" : "poor";
  }

  drawTools() {
    const { look, chosen } = this;
    const had = this.root.contains(document.activeElement) ? document.activeElement.dataset.tool : null;
    this.tools.forEach((bar) => bar.replaceChildren());
    if (!look.editable || chosen === null) return;
    const face = named(chosen)[0];
    const button = (bar, tool, text, label, act) => {
      const element = made("", this.tools[bar], "button");
      Object.assign(element, { type: "button", textContent: text, onclick: act });
      element.dataset.tool = tool;
      element.setAttribute("aria-label", label);
      if (tool === had) element.focus();
      return element;
    };
    const fill = (text) => text.replaceAll("{face}", face);
    if (look.words.clockwise) {
      button(0, "clockwise", "↻", fill(look.words.clockwise), () => this.tell("turn", { face, quarters: 1 }));
      button(0, "anticlockwise", "↺", fill(look.words.anticlockwise), () => this.tell("turn", { face, quarters: -1 }));
      const exchange = () => (this.exchanging = this.exchanging ? null : face, this.draw());
      button(0, "exchange", "⇄", fill(look.words.exchange), exchange).setAttribute("aria-pressed", String(this.exchanging !== null));
    }
    if (chosen % 9 === 4) return; // a centre names its face: there is nothing to choose
    for (const letter of FACES) {
      const colour = look.words[look.scheme[letter]] ?? look.scheme[letter];
      const choice = button(1, letter, letter, `${named(chosen)}: ${colour}`, () => this.correct(letter));
      paint(choice, letter, { ...look, letters: true });
    }
  }

  tap(index) {
    const face = named(index)[0];
    const from = this.exchanging;
    this.exchanging = null;
    this.at = index;
    this.chosen = this.look.editable && !from ? index : null;
    this.draw();
    if (from && from !== face) this.tell("exchange", { faces: [from, face] });
    if (!from) this.tell("tap", { facelet: named(index), letter: this.shown[index] });
  }

  correct(letter) {
    if (this.chosen === null || this.chosen % 9 === 4) return;
    this.tell("correct", { facelet: named(this.chosen), letter, was: this.shown[this.chosen] });
  }

  key(event) {
    const index = this.cells.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const letter = event.key.toUpperCase();
    if (step) {
      const [x, y] = [Number(event.target.dataset.x) + step[0], Number(event.target.dataset.y) + step[1]];
      const next = this.cells.findIndex((cell) => Number(cell.dataset.x) === x && Number(cell.dataset.y) === y);
      if (next >= 0) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") this.tap(index);
    else if (this.look.editable && FACES.includes(letter) && letter.length === 1) {
      this.chosen = index;
      this.correct(letter);
      this.draw();
    } else return;
    event.preventDefault();
  }

  focus(index) {
    this.at = index;
    this.draw();
    this.cells[index].focus();
  }
}
