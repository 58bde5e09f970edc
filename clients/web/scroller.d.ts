// A window on a huge list in an element that scrolls.

import type { ItemKey, View } from "./protocol.js";
import type { DOMList, DOMListOptions } from "./dom.js";
import type { Bridge, RemoteList } from "./listd.js";

export interface ScrollerOptions extends Omit<DOMListOptions, "arranged" | "reach"> {
  /** The height of each row in pixels. */
  rowHeight: number;
  view?: Omit<View, "window">;
  /** The members that identify items without `id`. */
  key?: ItemKey;
  /** The number of rows above and below the visible ones. */
  around?: number;
  /** The height of what covers the top of the element. */
  inset?: number;
  /** The largest height of an element in pixels. */
  limit?: number;
}
/** Shows a list of any length in an element that scrolls, with rows of one height. */
export class Scroller {
  constructor(element: HTMLElement, bridge: Bridge, name: string, options: ScrollerOptions);
  /** The part of the list that the page has. */
  readonly list: RemoteList;
  readonly shown: DOMList;
  /** Shows another view of the list, with another order or filter. */
  show(view: Omit<View, "window">): Promise<void>;
  /** Scrolls to the first row. */
  top(): void;
}
