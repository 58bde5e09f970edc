// A list as elements of a page.

import type { RemoteList } from "./listd.js";
import type { Effect, Row } from "./view.js";

export interface DOMListOptions {
  /** Fill the element of a row, header or footer, by template; called again when its content changes. */
  templates?: { [name: string]: (element: HTMLElement, content: any, isNew: boolean) => void };
  /** The name of the list for screen readers. */
  label?: string;
  role?: "listbox" | "tree" | "list" | "grid";
  /** Called with a row on Enter and on a double click. */
  activate?: (row: Row) => void;
  animate?: boolean;
  /** Called after each change, before the scroll position is corrected. */
  arranged?: (effect?: Effect) => void;
  /** Returns the row with an index in the whole list, if the page has a window of it. */
  reach?: (index: number) => Promise<Row | undefined>;
  /** Returns the members of a section as they are shown, for example with a footer. */
  describe?: (own: any) => any;
  /** The number of rows that the page keys move by. */
  page?: () => number;
}
/** Shows a list in an element. */
export class DOMList {
  constructor(element: HTMLElement, list: RemoteList, options?: DOMListOptions);
  readonly element: HTMLElement;
  readonly list: RemoteList;
  readonly selectsMany: boolean;
  elementOf(row: Row): HTMLElement | undefined;
  /** The row that contains an element. */
  rowOf(target: Element | null): Row | undefined;
  /** Whether the user works with an element inside a row, not with the row. */
  isInside(target: Element): boolean;
  stop: () => void;
}
