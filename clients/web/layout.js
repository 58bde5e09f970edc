// The positions of rows, headers and footers on the screen: the scroll position follows the visible rows. Moves are
// animated, and what is deleted fades, unless the user prefers reduced motion.

const DURATION = 220; // milliseconds
const FADING = 140; // milliseconds
const MOST = 2000; // Larger lists are not measured.
const MOST_FADING = 50; // Of more deleted rows at a time, the others vanish at once.

export class Layout {
  #running = new Set(); // Animations of moves.
  #leaving = null; // The root of the copies of what was deleted.

  constructor(element, animate) {
    this.element = element;
    this.animate = animate;
  }

  /** Returns the positions of elements before a change, and candidates for the anchor of the scroll position. `keys`
      are rows, or headers and footers, which are no anchors. */
  measure(elements, moved) {
    const view = this.#view(), places = new Map();
    if (elements.size > MOST || !elements.size) return { places, anchors: [], scroll: view.scroller.scrollTop };
    const anchors = [];
    for (const [key, element] of elements) {
      const { top, bottom, left, width } = element.getBoundingClientRect();
      const isVisible = bottom > view.top && top < view.bottom && bottom > top;
      places.set(key, { top, left, width, height: bottom - top, isVisible, element });
      const isRow = element.listdRow === key;
      if (isVisible && isRow) anchors.push({ key, top, isFocused: element.contains(document.activeElement) });
    }
    // Prefer the focused row, then rows that do not move; any of them may be deleted.
    const rank = ({ key, isFocused }) => (isFocused ? 0 : moved?.has(key) ? 2 : 1);
    anchors.sort((one, other) => rank(one) - rank(other));
    return { places, anchors, scroll: view.scroller.scrollTop };
  }

  /** Scrolls so that the anchor keeps its position, and animates what has moved or was deleted. */
  settle({ places, anchors, scroll }, elements, inserted) {
    // What still moves goes on from where it is seen.
    for (const one of this.#running) one.cancel();
    this.#running.clear();
    const { scroller, top: viewTop, bottom: viewBottom } = this.#view();
    const anchor = anchors.find(({ key }) => elements.get(key)?.isConnected);
    // At its top, a list shows inserted rows.
    if (anchor && (scroll > 0 || anchor.isFocused)) {
      const shift = elements.get(anchor.key).getBoundingClientRect().top - anchor.top;
      if (Math.abs(shift) >= 1) scroller.scrollTop += shift;
    }
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!this.animate || reduced || !places.size || elements.size > MOST) return;
    // All is measured first, because each animation makes the browser lay the page out again.
    const moves = [];
    for (const [key, element] of elements) {
      const { top, bottom, left } = element.getBoundingClientRect();
      const before = places.get(key), isVisible = bottom > viewTop && top < viewBottom && bottom > top;
      const isNew = !before || before.height === 0;
      if (isNew && isVisible && (inserted?.has(key) || element.listdRow !== key)) {
        moves.push([element, { opacity: 0 }, { opacity: 1 }]);
      } else if (!isNew && (isVisible || before.isVisible) && (before.top !== top || before.left !== left)) {
        moves.push([element, { transform: `translate(${before.left - left}px, ${before.top - top}px)` }, { transform: "none" }]);
      }
    }
    for (const [element, ...steps] of moves) {
      const animation = element.animate(steps, { duration: DURATION, easing: "ease-out" });
      this.#running.add(animation);
      animation.onfinish = () => this.#running.delete(animation);
    }
    const left = [...places].filter(([key, { isVisible }]) => isVisible && !elements.has(key)).slice(0, MOST_FADING);
    for (const [, place] of left) this.#fade(place);
  }

  // Shows a copy of an element that was deleted. It is in a shadow tree, so that neither the page nor assistive
  // technology finds it.
  #fade({ element, top, left, width, height }) {
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
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
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
