// Keys of the page By hand: the space bar takes a face or goes to the next turn, arrows go back and
// on, and the letter of a face has it shown once more.

const FACES = "URFDLB";
const BUSY = "button, input, select, textarea, [role=grid], [role=tab], [role=menu], .tb-camera";

function orderFor(phase, key) {
  if (phase === "scan") {
    if (key === " ") return { command: "hand_capture" };
    const face = key.toUpperCase();
    return FACES.includes(face) ? { command: "hand_redo", face } : null;
  }
  if (phase !== "turn" && phase !== "done") return null;
  if (key === "ArrowLeft") return { command: "hand_back" };
  return phase === "turn" && (key === " " || key === "ArrowRight") ? { command: "hand_next" } : null;
}

if (!window.thistlebotHandKeys) {
  window.thistlebotHandKeys = true;
  window.addEventListener("keydown", (event) => {
    const page = document.querySelector(".hand-page");
    if (!page?.offsetParent || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.key.length > 1 && !event.key.startsWith("Arrow")) return;
    if (event.target.closest?.(BUSY) || document.querySelector(".q-dialog")) return;
    const order = orderFor(window.thistlebot?.view?.panes?.hand?.phase, event.key);
    if (!order) return;
    event.preventDefault();
    window.thistlebot.send(order);
  });
}
