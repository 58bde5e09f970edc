// A list in a terminal.

import type { LiveView, RowContent, ViewRow } from "./listd.js";

export interface TerminalOptions {
  input?: any;
  output?: any;
  /** Returns the text of a row, one line. */
  render?: (content: RowContent) => string;
}
export interface TerminalLine { text: string; row?: ViewRow; isHeader?: boolean }

export class TerminalList {
  constructor(view: LiveView, options?: TerminalOptions);
  /** Fulfilled with the accepted row, or `null`; rejected if the daemon ends. */
  readonly accepted: Promise<RowContent | null>;
  start(): this;
  /** Restores the terminal. */
  stop(row?: RowContent | null): void;
  lines(): TerminalLine[];
  draw(): void;
}
