// The sockets of the machine: orders out, views in, and STOP by a way of its own.
//
// Everything that moves something goes through `thistlebot.send`, with the lease of this page, the
// run that it shows and the time by the server's clock: an order that comes late is refused.
// Others hear of what comes in as events on `window`: thistlebot:view, :link, :lease and :refused.

const QUIET_MS = 3000; // the server ticks every second
const RETRY_MS = [250, 500, 1000, 2000];
const EAGER_MS = 10000; // a new page takes control when whoever had it has just left
const MOST_ASKED = 8; // for a lease of before, once a second
const LEASE_KEY = "thistlebot.lease";

function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`thistlebot:${name}`, { detail }));
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
    this.lease = "";
    this.controlled = undefined;
    this.number = 0;
    this.asked = 0;
    this.eager = performance.now() + EAGER_MS;
    this.offset = 0; // the server's clock less ours, seconds
    this.heard = -Infinity;
    this.link = null;
    this.orders = new OpenSocket("ws/command", (text) => this.hear(text), (open) => {
      if (!open) this.heard = -Infinity;
      else if (!this.watching && this.mayTake) this.take();
      this.tellLink();
    });
    const visits = document.documentElement.dataset.visiting === "yes"; // may not stop
    this.stops = visits ? null : new OpenSocket("ws/stop", () => {}, () => {});
    setInterval(() => this.tellLink(), 500);
  }

  // A page for an audience takes control only when somebody unlocks it.
  get watching() {
    return document.documentElement.dataset.watching === "yes";
  }

  // A connection that is opened again takes back what it had, but no control that it never had.
  get mayTake() {
    return Boolean(sessionStorage.getItem(LEASE_KEY)) || performance.now() < this.eager;
  }

  unlock() {
    const { dataset } = document.documentElement;
    dataset.watching = this.watching ? "no" : "yes";
    if (this.watching) this.give();
    else this.take();
  }

  get alive() {
    return performance.now() - this.heard < QUIET_MS;
  }

  hear(text) {
    const message = JSON.parse(text);
    if (message.type === "view") {
      this.view = message.view;
      tell("view", message.view);
    } else if (message.type === "tick") {
      this.tick(message);
    } else if (message.type === "refused") {
      tell("refused", message);
    }
  }

  tick(message) {
    this.heard = performance.now();
    this.offset = message.now_s - this.heard / 1000;
    const changed = this.lease !== message.lease || this.controlled !== message.controlled;
    this.lease = message.lease;
    this.controlled = message.controlled;
    if (this.lease) {
      this.orders.send('{"lease":"keep"}');
      this.asked = 0;
      sessionStorage.setItem(LEASE_KEY, this.lease);
    } else if (sessionStorage.getItem(LEASE_KEY)) this.takeBack();
    else if (!this.controlled && !this.watching && performance.now() < this.eager) this.take();
    if (changed) tell("lease", { mine: Boolean(this.lease), controlled: this.controlled });
    this.tellLink();
  }

  takeBack() {
    // After a reload the server may still hold the old connection for alive.
    if (++this.asked > MOST_ASKED) sessionStorage.removeItem(LEASE_KEY);
    else this.take();
  }

  tellLink() {
    if (this.link !== this.alive) tell("link", { open: (this.link = this.alive) });
  }

  // The clock of the server, seconds.
  now() {
    return performance.now() / 1000 + this.offset;
  }

  take() {
    const token = sessionStorage.getItem(LEASE_KEY) ?? "";
    this.orders.send(JSON.stringify({ lease: "take", token }));
  }

  give() {
    this.eager = 0;
    sessionStorage.removeItem(LEASE_KEY);
    this.orders.send(JSON.stringify({ lease: "give" }));
  }

  // Give an order, such as {command: "solve"}.
  send(order, { run = true } = {}) {
    const envelope = { id: ++this.number, sent_s: this.now(), lease: this.lease, do: order };
    if (run && this.view) envelope.run = this.view.run;
    if (!this.alive) tell("refused", { id: envelope.id, kind: "link", text: "" });
    else if (!this.lease) tell("refused", { id: envelope.id, kind: "lease", text: "" });
    else this.orders.send(JSON.stringify(envelope));
    return envelope.id;
  }

  // Stop whatever turns: by the socket that is open for it, and by HTTP as well.
  stop() {
    this.stops?.send("stop");
    fetch("stop", { method: "POST", keepalive: true }).catch(() => {});
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
  window.addEventListener("thistlebot:lease", ({ detail }) =>
    mark("control", detail.mine ? "mine" : detail.controlled ? "other" : "free"));
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
