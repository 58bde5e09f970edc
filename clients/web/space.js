// The space of all rows of a huge list, in an element that scrolls. Browsers limit the height of an element, in some
// cases to 17 million pixels. Of a taller space only a part is laid out: `offset` is the position of that part, so
// that small steps are exact to the pixel, and the scroll bar reaches everything.

const LIMIT = 10_000_000; // pixels
const FAR = 2; // In screens: larger steps are assumed to be moves of the scroll bar.

export class Space {
  /** The height of the whole space. */
  whole = 0;
  offset = 0;
  #element;
  #limit;
  #inset;
  #last = 0;

  /** `inset` is the height of what covers the top of the element, such as a header that does not scroll. */
  constructor(element, limit = LIMIT, inset = 0) {
    this.#element = element;
    this.#limit = limit;
    this.#inset = inset;
  }

  /** The height of the element's part. */
  get height() {
    return Math.min(this.whole, this.#limit);
  }

  /** The height of the part that is seen at a time. */
  get screen() {
    return this.#element.clientHeight - this.#inset;
  }

  /** The position of the screen in the whole space. */
  get top() {
    return this.#element.scrollTop + this.offset;
  }

  /** Sets the height of the whole space. */
  resize(whole) {
    this.whole = whole;
    this.offset = Math.min(this.offset, whole - this.height);
  }

  /** Updates the offset after the user has scrolled. */
  scrolled() {
    const { scrollTop } = this.#element, { screen } = this, most = this.whole - this.height;
    if (most <= 0) return;
    const near = FAR * screen, last = this.height - screen;
    if (Math.abs(scrollTop - this.#last) > near) this.offset = Math.round((scrollTop / last) * most);
    else if ((scrollTop < near && this.offset > 0) || (scrollTop > last - near && this.offset < most)) this.go(this.top);
    this.#last = this.#element.scrollTop;
  }

  /** Scrolls so that the screen begins at a position of the whole space. */
  go(top) {
    const { height, screen, whole } = this;
    if (whole > height) {
      const rest = whole - screen - top, room = height / 4;
      // As the scroll bar implies, but with room before and after it.
      const offset = Math.round((top / (whole - screen)) * (whole - height));
      const least = top - (height - screen - Math.min(rest, room)), most = top - Math.min(top, room);
      this.offset = Math.max(0, Math.min(whole - height, Math.max(least, Math.min(most, offset))));
    }
    this.#element.scrollTop = top - this.offset;
    this.#last = this.#element.scrollTop;
  }
}
