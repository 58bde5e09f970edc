// A copy of a list that is maintained only by its changes.

import { OutOfStep } from "./errors.js";
import { applyPatch, applyTextEdits } from "./patching.js";
import { grouped, perform, ungrouped } from "./stages.js";

/**
 * A copy of a list, maintained by applying its news in any format.
 *
 * A mirror begins as a list that does not exist. News that do not follow its revision throw `OutOfStep` and
 * leave it unchanged; a snapshot (or a text) brings it up to date.
 */
export class Mirror {
  #groups = [];

  constructor() {
    this.#clear();
  }

  #clear() {
    /** The revision of the sections. */
    this.revision = 0;
    this.#groups = [];
    /** The sections with their items; `null` after changes in terms of rows. */
    this.document = { sections: [] };
    this.selection = [];
    this.cursor = null;
    this.text = "";
    this.textRevision = null;
    this.cursorLine = null;
    /** The numbers of a view, if the list is one. */
    this.view = undefined;
  }

  /** The sections, with rows instead of items. The arrays of rows follow the list. */
  get sections() {
    return ungrouped(this.#rows);
  }

  // They are made when they are needed: a patch takes time by what it changes.
  get #rows() {
    this.#groups ??= grouped(this.document.sections);
    return this.#groups;
  }

  /** Applies news of a subscription, or the result of a request. */
  take(news) {
    if (news.kind === "remove") this.#clear();
    else if (news.kind === "select") this.#select(news);
    else if ("snapshot" in news || "sections" in news) this.#show(news);
    else if ("text" in news) this.#read(news);
    else if ("baseRevision" in news || "textEdits" in news) this.#change(news);
  }

  #show(news) {
    this.#document({ sections: (news.snapshot ?? news).sections });
    this.revision = news.revision;
    if ("text" in news) this.#read(news);
    this.#state(news);
  }

  #document(document) {
    this.#groups = null;
    this.document = document;
  }

  #state(news) {
    this.selection = news.selection;
    this.cursor = news.cursor;
    if (news.view) this.view = news.view;
  }

  #read(news) {
    ({ text: this.text, textRevision: this.textRevision, cursorLine: this.cursorLine } = news);
    if ("selection" in news) this.#state(news);
  }

  #select(news) {
    if (news.textEdits) this.#edit(news);
    this.#state(news);
  }

  #change(change) {
    if (change.reload) throw new OutOfStep("a change with more ops than maxOps");
    if (change.textEdits) {
      this.#edit(change);
    } else {
      this.#follow(change);
      this.revision = change.revision;
    }
    this.#state(change);
  }

  #follow(change) {
    if (change.baseRevision !== this.revision) {
      throw new OutOfStep(`a change from ${change.baseRevision} to a mirror at ${this.revision}`);
    } else if (change.stages) {
      perform(this.#rows, change.stages);
      if (change.stages.length) this.document = null;
    } else if (change.ops) {
      perform(this.#rows, change.ops.map((op) => [op]), undefined, true);
      if (change.ops.length) this.document = null;
    } else if (change.jsonPatch) {
      if (!this.document) throw new OutOfStep("a patch of items, but only rows are known");
      this.#document(applyPatch(this.document, change.jsonPatch));
    } else if (change.revision !== change.baseRevision) {
      throw new OutOfStep("a change without ops");
    }
  }

  #edit(news) {
    if (news.baseTextRevision !== this.textRevision) {
      throw new OutOfStep(`edits of text ${news.baseTextRevision} to a mirror at ${this.textRevision}`);
    }
    this.text = applyTextEdits(this.text, news.textEdits);
    this.textRevision = news.textRevision;
    this.cursorLine = news.cursorLine;
    if (news.revision !== undefined) this.revision = news.revision;
  }
}
