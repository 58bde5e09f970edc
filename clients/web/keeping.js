// Preserves the user's state in a list while its elements are moved: the focus, the selection in a field, and the
// scroll positions inside a row. `moveBefore` preserves it itself; otherwise it is restored.

export class Keeper {
  constructor(element) {
    this.element = element;
  }

  /** Returns the state before a change. `restore` returns whether the focused element was deleted. */
  keep() {
    const active = document.activeElement;
    if (!active || active === this.element || !this.element.contains(active)) return { restore: () => false };
    const field = "selectionStart" in active
      ? [active.selectionStart, active.selectionEnd, active.selectionDirection]
      : null;
    const selection = getSelection();
    const range = !field && selection.rangeCount && this.element.contains(selection.anchorNode)
      ? [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset]
      : null;
    const scrolled = [];
    for (let up = active; up !== this.element; up = up.parentElement) {
      if (up.scrollTop || up.scrollLeft) scrolled.push([up, up.scrollTop, up.scrollLeft]);
    }
    return { restore: () => restore(active, field, range, scrolled) };
  }
}

function restore(active, field, range, scrolled) {
  if (!active.isConnected) return true;
  if (document.activeElement !== active) {
    active.focus({ preventScroll: true });
    // A field without text, such as a check box, has no selection.
    if (field && field[0] !== null) active.setSelectionRange(...field);
    if (range) getSelection().setBaseAndExtent(...range);
  }
  for (const [element, top, left] of scrolled) {
    if (element.scrollTop !== top) element.scrollTop = top;
    if (element.scrollLeft !== left) element.scrollLeft = left;
  }
  return false;
}
