// A list in a terminal.

import type { LiveView, RowContent, ViewRow } from "./listd.js";

export interface TerminalOptions {
  input?: any;
  output?: any;
  /** The text of a row, one line. */
  render?: (content: RowContent) => string;
}
export interface TerminalLine { text: string; row?: ViewRow; isHeader?: boolean }

export class TerminalList {
  constructor(view: LiveView, options?: TerminalOptions);
  /** Fulfilled with the row that was accepted, or `null`; rejected if the daemon is gone. */
  readonly accepted: Promise<RowContent | null>;
  start(): this;
  /** Restores the terminal. */
  stop(row?: RowContent | null): void;
  lines(): TerminalLine[];
  draw(): void;
}
