// The stream of news from a bridge. All pages of a browser share one, in a worker, because browsers open only six
// connections to an address. It is also a module, for browsers without shared workers.

const PATIENCE = 8000; // milliseconds in which a stream brings the first news unless a proxy keeps them

export class Stream {
  #url;
  #isShort = false; // Whether a proxy keeps what it gets until an answer ends, so that each has to end at once.
  #readers = new Map(); // The names that each reader follows.
  #events = null;
  #revisions = {};
  #opens = false;
  #late;

  constructor(url) {
    this.#url = url;
  }

  /** Makes a reader follow lists. It is called with the news of these as text, and with the status. */
  follow(reader, names) {
    this.#readers.set(reader, new Set(names));
    // It has no revision of them yet.
    for (const name of names) delete this.#revisions[name];
    this.#reopen();
  }

  leave(reader) {
    if (this.#readers.delete(reader)) this.#reopen();
  }

  // Requests of one turn open one stream.
  #reopen() {
    if (this.#opens) return;
    this.#opens = true;
    queueMicrotask(() => this.#open());
  }

  // The browser reconnects automatically and sends the last revisions (Last-Event-ID). Here they are in the address.
  #open() {
    this.#opens = false;
    this.#events?.close();
    clearTimeout(this.#late);
    const names = new Set([...this.#readers.values()].flatMap((one) => [...one]));
    if (!names.size) return;
    const url = addTo(new URL(this.#url), names, this.#revisions);
    if (this.#isShort) url.searchParams.set("short", "1");
    const events = new EventSource(url);
    this.#events = events;
    let isHeard = false;
    if (!this.#isShort) this.#late = setTimeout(() => { this.#isShort = true; this.#reopen(); }, PATIENCE);
    events.onmessage = ({ data, lastEventId }) => {
      isHeard = true;
      clearTimeout(this.#late);
      this.#revisions = JSON.parse(lastEventId);
      const { list } = JSON.parse(data);
      for (const [reader, followed] of this.#readers) if (followed.has(list)) reader({ data });
    };
    events.onerror = () => {
      clearTimeout(this.#late);
      // A short answer that has brought news has ended as it should.
      if (this.#isShort && isHeard) return isHeard = false;
      const status = events.readyState === EventSource.CLOSED ? "closed" : "connecting";
      for (const reader of this.#readers.keys()) reader({ status });
    };
  }
}

function addTo(url, names, revisions) {
  for (const name of names) url.searchParams.append("list", name);
  url.searchParams.set("last", JSON.stringify(revisions));
  return url;
}

/** Follows lists by the stream of the browser. Returns the functions `follow(names)` and `close()`. */
export function share(url, worker, reader) {
  if (!globalThis.SharedWorker || !navigator.locks) {
    const stream = new Stream(url);
    return { follow: (names) => stream.follow(reader, names), close: () => stream.leave(reader) };
  }
  const { port } = new SharedWorker(worker, { type: "module", name: url }), lock = crypto.randomUUID();
  port.onmessage = ({ data }) => reader(data);
  let close;
  // The page has the lock as long as it lives, however it ends.
  const isLocked = new Promise((resolve) => {
    navigator.locks.request(lock, () => new Promise((done) => { close = done; resolve(); }));
  });
  return {
    follow: (names) => isLocked.then(() => port.postMessage({ names, lock })),
    close: () => isLocked.then(() => close()),
  };
}

if (globalThis.SharedWorkerGlobalScope) {
  const stream = new Stream(self.name);
  self.onconnect = ({ ports: [port] }) => {
    const reader = (news) => port.postMessage(news);
    let isKnown = false;
    port.onmessage = ({ data: { names, lock } }) => {
      stream.follow(reader, names);
      if (!isKnown) navigator.locks.request(lock, () => stream.leave(reader));
      isKnown = true;
    };
  };
}
