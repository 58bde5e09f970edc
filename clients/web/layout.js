// The positions of rows, headers and footers on the screen: the scroll position follows the visible rows. Moves are
// animated, and what is deleted fades, unless the user prefers reduced motion.

const DURATION = 220; // milliseconds
const FADING = 140; // milliseconds
const MOST = 2000; // More elements are not animated at a time.
const MOST_FADING = 50; // Of more deleted rows at a time, the others vanish at once.

export class Layout {
  #running = new Set(); // Animations of moves.
  #leaving = null; // The root of the copies of what was deleted.

  constructor(element, animate) {
    this.element = element;
    this.animate = animate;
  }

  /** Returns the positions before a change of the elements on the screen and near it, and of those that will be moved.
      `order` has the rows from the top to the bottom, and headers and footers as `parts`. */
  measure(order, moved) {
    const view = this.#view(), places = new Map();
    const near = nearScreen(order, view), moving = new Set(moved);
    for (const element of moving.size < MOST ? [...near, ...moved] : near) {
      const { top, bottom, left, width } = element.getBoundingClientRect();
      const isVisible = bottom > view.top && top < view.bottom && bottom > top;
      places.set(element, { top, left, width, height: bottom - top, isVisible });
    }
    const active = document.activeElement;
    // Prefer the focused row, then rows that do not move; any of them may be deleted.
    const rank = (element) => (element.contains(active) ? 0 : moving.has(element) ? 2 : 1);
    const anchors = near.filter((one) => one.listdRow && places.get(one).isVisible).map((one) => [rank(one), one]);
    anchors.sort(([one], [other]) => one - other);
    return { places, anchors, scroll: view.scroller.scrollTop };
  }

  /** Scrolls so that the anchor keeps its position, and animates what has moved or was deleted. */
  settle({ places, anchors, scroll }, order, isInserted) {
    // What still moves goes on from where it is seen.
    for (const one of this.#running) one.cancel();
    this.#running.clear();
    const view = this.#view(), [rank, anchor] = anchors.find(([, one]) => one.isConnected) ?? [];
    // At its top, a list shows inserted rows.
    if (anchor && (scroll > 0 || rank === 0)) {
      const shift = anchor.getBoundingClientRect().top - places.get(anchor).top;
      if (Math.abs(shift) >= 1) view.scroller.scrollTop += shift;
    }
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!this.animate || reduced || !places.size) return;
    const found = new Set(nearScreen(order, view));
    for (const element of places.keys()) if (element.isConnected) found.add(element);
    if (found.size > MOST) return;
    // All is measured first, because each animation makes the browser lay the page out again.
    const moves = [];
    for (const element of found) {
      const { top, bottom, left } = element.getBoundingClientRect();
      const before = places.get(element), isVisible = bottom > view.top && top < view.bottom && bottom > top;
      const isNew = !before || before.height === 0;
      if (isNew && isVisible && (isInserted(element) || !element.listdRow)) {
        moves.push([element, { opacity: 0 }, { opacity: 1 }]);
      } else if (!isNew && (isVisible || before.isVisible) && (before.top !== top || before.left !== left)) {
        const from = `translate(${before.left - left}px, ${before.top - top}px)`;
        moves.push([element, { transform: from }, { transform: "none" }]);
      }
    }
    for (const [element, ...steps] of moves) {
      const animation = element.animate(steps, { duration: DURATION, easing: "ease-out" });
      this.#running.add(animation);
      animation.onfinish = () => this.#running.delete(animation);
    }
    const left = [...places].filter(([element, { isVisible }]) => isVisible && !element.isConnected);
    for (const [element, place] of left.slice(0, MOST_FADING)) this.#fade(element, place);
  }

  // Shows a copy of an element that was deleted. It is in a shadow tree, so that neither the page nor assistive
  // technology finds it.
  #fade(element, { top, left, width, height }) {
    const copy = element.cloneNode(true), root = this.#root(), base = root.host.getBoundingClientRect();
    copy.inert = true;
    Object.assign(copy.style, {
      position: "absolute", margin: 0, width: `${width}px`, height: `${height}px`,
      top: `${top - base.top}px`, left: `${left - base.left}px`,
    });
    root.append(copy);
    copy.animate([{ opacity: 1 }, { opacity: 0 }], FADING).finished.then(() => copy.remove(), () => copy.remove());
  }

  #root() {
    if (this.#leaving?.host.isConnected) return this.#leaving;
    const host = document.createElement("div");
    Object.assign(host.style, { position: "absolute", top: 0, left: 0, pointerEvents: "none" });
    host.setAttribute("aria-hidden", "true");
    if (getComputedStyle(this.element).position === "static") this.element.style.position = "relative";
    this.element.prepend(host);
    this.#leaving = host.attachShadow({ mode: "open" });
    const rules = [...document.styleSheets].flatMap(rulesOf).map((rule) => rule.cssText);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.join("\n"));
    this.#leaving.adoptedStyleSheets = [sheet];
    return this.#leaving;
  }

  // Returns the scrolling element, and the part of the screen that it shows.
  #view() {
    for (let up = this.element; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (/(auto|scroll)/.test(style.overflowY) && up.scrollHeight > up.clientHeight && up !== document.body) {
        const { top, bottom } = up.getBoundingClientRect();
        return { scroller: up, top, bottom };
      }
    }
    return { scroller: document.scrollingElement ?? document.documentElement, top: 0, bottom: innerHeight };
  }
}

// The rules of a style sheet. Those of another site cannot be read.
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

// The rows that are at most a screen away from the screen, and all headers and footers. Rows are in order, so that few
// are measured.
function nearScreen({ rows: order, parts }, { top, bottom }) {
  const height = bottom - top, from = top - height, to = bottom + height;
  let low = 0, high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[middle].getBoundingClientRect().bottom < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < order.length && end - low < MOST && order[end].getBoundingClientRect().top <= to) end++;
  return [...order.slice(low, end), ...parts.filter((one) => !one.hidden).slice(0, MOST)];
}
