// The sockets of the machine: orders out, views in, and STOP by a way of its own.
//
// Everything that moves something goes through `thistlebot.send`, with the run that this page shows
// and the time by the server's clock: an order that comes late is refused.
// Others hear of what comes in as events on `window`: thistlebot:view, :link, :control and :refused.

const QUIET_MS = 3000; // the server ticks every second
const RETRY_MS = [250, 500, 1000, 2000];

function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`thistlebot:${name}`, { detail }));
}

// The view after changes, whose keys are places such as "cube.turned"; values that others hold stay.
function changed(view, changes) {
  const after = { ...view };
  for (const [place, value] of Object.entries(changes)) {
    const parts = place.split(".");
    const name = parts.pop();
    let part = after;
    for (const outer of parts) part = part[outer] = { ...part[outer] };
    part[name] = value;
  }
  return after;
}

class OpenSocket {
  // A socket that is opened again whenever it was closed.
  constructor(path, hear, changed) {
    this.path = path;
    this.hear = hear;
    this.changed = changed;
    this.tries = 0;
    this.open();
  }

  open() {
    const address = new URL(this.path, document.baseURI); // below a proxy's path, too
    this.socket = new WebSocket(address.href.replace(/^http/, "ws"));
    this.socket.onopen = () => {
      this.tries = 0;
      this.changed(true);
    };
    this.socket.onmessage = (message) => this.hear(message.data);
    this.socket.onclose = () => {
      this.changed(false);
      const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
      setTimeout(() => this.open(), wait);
    };
  }

  send(text) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text);
    return true;
  }
}

class Commands {
  constructor() {
    this.view = null;
    this.orders = undefined; // whether this browser may order
    this.number = 0;
    this.offset = 0; // the server's clock less ours, seconds
    this.heard = -Infinity;
    this.link = null;
    this.socket = new OpenSocket("ws/command", (text) => this.hear(text), (open) => {
      if (!open) this.heard = -Infinity;
      this.tellLink();
    });
    const visits = document.documentElement.dataset.visiting === "yes"; // may not stop
    this.stops = visits ? null : new OpenSocket("ws/stop", () => {}, () => {});
    setInterval(() => this.tellLink(), 500);
  }

  // A page for an audience orders only when somebody unlocks it.
  get watching() {
    return document.documentElement.dataset.watching === "yes";
  }

  get control() {
    return Boolean(this.orders) && !this.watching;
  }

  unlock() {
    document.documentElement.dataset.watching = this.watching ? "no" : "yes";
    tell("control", { mine: this.control });
  }

  get alive() {
    return performance.now() - this.heard < QUIET_MS;
  }

  hear(text) {
    const message = JSON.parse(text);
    if (message.type === "view" || message.type === "changes") {
      this.view = message.view ?? changed(this.view, message.changes);
      tell("view", this.view);
    } else if (message.type === "tick") {
      this.tick(message);
    } else if (message.type === "refused") {
      tell("refused", message);
    }
  }

  tick(message) {
    this.heard = performance.now();
    this.offset = message.now_s - this.heard / 1000;
    if (this.orders !== message.orders) {
      this.orders = message.orders;
      tell("control", { mine: this.control });
    }
    this.tellLink();
  }

  tellLink() {
    if (this.link !== this.alive) tell("link", { open: (this.link = this.alive) });
  }

  // The clock of the server, seconds.
  now() {
    return performance.now() / 1000 + this.offset;
  }

  // Give an order, such as {command: "solve"}.
  send(order, { run = true } = {}) {
    const envelope = { id: ++this.number, sent_s: this.now(), do: order };
    if (run && this.view) envelope.run = this.view.run;
    if (!this.alive) tell("refused", { id: envelope.id, kind: "link", text: "" });
    else this.socket.send(JSON.stringify(envelope));
    return envelope.id;
  }

  // Stop whatever turns: by the socket that is open for it, and by HTTP as well.
  stop() {
    this.stops?.send("stop");
    fetch("api/v1/stop", { method: "POST", keepalive: true }).catch(() => {});
  }
}

function mark(name, value) {
  const { dataset } = document.documentElement;
  if (dataset[name] !== value) dataset[name] = value; // setting an attribute again restyles the page
}

function say(kind, text) {
  const words = JSON.parse(document.getElementById("panel-words")?.textContent ?? "{}");
  const place = document.getElementById("panel-message");
  if (!place) return;
  place.textContent = words[kind] || text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (place.textContent = ""), 6000);
}

// What a person chose in this browser. The server reads language and shade when it builds a page.
const YEAR_S = 365 * 24 * 3600;
const LETTERS_KEY = "thistlebot.letters";
function keep(name, value) {
  document.cookie = `thistlebot_${name}=${value}; path=/; max-age=${YEAR_S}; SameSite=Strict`;
  // Chromium may request the page before it has stored the cookie; reading cookies waits for that.
  if (document.cookie) location.reload();
}
window.thistlebotSettings ??= {
  language: (code) => keep("language", code),
  shade: (shade) => keep("shade", shade),
  get letters() {
    return localStorage.getItem(LETTERS_KEY) === "on";
  },
  toggleLetters() {
    localStorage.setItem(LETTERS_KEY, this.letters ? "off" : "on");
    tell("letters", this.letters);
  },
};

if (!window.thistlebot) {
  window.addEventListener("thistlebot:link", (event) => mark("link", event.detail.open ? "open" : "lost"));
  window.addEventListener("thistlebot:control", ({ detail }) => mark("control", detail.mine ? "mine" : "other"));
  window.addEventListener("thistlebot:view", ({ detail }) => mark("job", detail.job || "none"));
  window.addEventListener("thistlebot:refused", ({ detail }) => say(detail.kind, detail.text));
  window.addEventListener("pointerdown", (event) => {
    if (event.target.closest?.(".stop")) window.thistlebot.stop();
  }, true);
  window.addEventListener("click", (event) => {
    if (event.detail === 0 && event.target.closest?.(".stop")) window.thistlebot.stop(); // by key
  }, true);
  window.thistlebot = new Commands();
}
