// The positions of rows on the screen: the scroll position follows the visible rows, and moves are animated unless
// the user prefers reduced motion.

const DURATION = 220; // milliseconds
const MOST = 2000; // Larger lists are not measured.

export class Layout {
  constructor(element, animate) {
    this.element = element;
    this.animate = animate;
  }

  /** Returns the positions of rows before a change, and candidates for the anchor of the scroll position. */
  measure(elements, moved) {
    const view = this.#view(), tops = new Map();
    if (elements.size > MOST || !elements.size) return { tops, anchor: null, scroll: view.scroller.scrollTop };
    let anchors = [];
    for (const [row, element] of elements) {
      const { top, bottom, left } = element.getBoundingClientRect();
      const isVisible = bottom > view.top && top < view.bottom;
      tops.set(row, { top, left, isVisible });
      if (isVisible) anchors.push({ row, top, isFocused: element.contains(document.activeElement) });
    }
    // Prefer the focused row, then rows that do not move; any of them may be deleted.
    const rank = ({ row, isFocused }) => (isFocused ? 0 : moved?.has(row) ? 2 : 1);
    anchors = anchors.sort((one, other) => rank(one) - rank(other));
    return { tops, anchors, scroll: view.scroller.scrollTop };
  }

  /** Scrolls so that the anchor keeps its position, and animates moved rows. */
  settle({ tops, anchors, scroll }, elements, inserted) {
    const { scroller, top: viewTop, bottom: viewBottom } = this.#view();
    const anchor = anchors?.find(({ row }) => elements.get(row)?.isConnected);
    // At its top, a list shows inserted rows.
    if (anchor && (scroll > 0 || anchor.isFocused)) {
      const shift = elements.get(anchor.row).getBoundingClientRect().top - anchor.top;
      if (Math.abs(shift) >= 1) scroller.scrollTop += shift;
    }
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!this.animate || reduced || !tops.size || elements.size > MOST) return;
    for (const [row, element] of elements) {
      const { top, bottom, left } = element.getBoundingClientRect();
      const before = tops.get(row), isVisible = bottom > viewTop && top < viewBottom;
      if (!before) {
        if (isVisible && inserted?.has(row)) element.animate([{ opacity: 0 }, { opacity: 1 }], DURATION);
      } else if ((isVisible || before.isVisible) && (before.top !== top || before.left !== left)) {
        const from = `translate(${before.left - left}px, ${before.top - top}px)`;
        element.animate([{ transform: from }, { transform: "none" }], { duration: DURATION, easing: "ease-out" });
      }
    }
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
