// A copy of a list that follows changes alone.

import { OutOfStep } from "./errors.js";
import { applyPatch, applyTextEdits } from "./patching.js";
import { inRows } from "./rows.js";
import { applyOps, applyStages } from "./stages.js";

/**
 * What one list looks like, kept up to date by its news in any format.
 *
 * A mirror begins as the list that does not exist yet. News that do not follow on what it has
 * throw `OutOfStep` and leave it as it is; a snapshot (or a text) sets it right.
 */
export class Mirror {
  constructor() {
    this.#clear();
  }

  #clear() {
    /** The revision of the sections. */
    this.revision = 0;
    /** The sections, with rows for items. */
    this.sections = [];
    /** The sections with their items; `null` after changes that speak of rows. */
    this.document = { sections: [] };
    this.selection = [];
    this.cursor = null;
    this.text = "";
    this.textRevision = null;
    this.cursorLine = null;
    /** The numbers of a view, if the list is one. */
    this.view = undefined;
  }

  /** Follows news of a subscription, or the answer to a request. */
  take(news) {
    if (news.kind === "remove") this.#clear();
    else if (news.kind === "select") this.#select(news);
    else if ("snapshot" in news || "sections" in news) this.#show(news);
    else if ("text" in news) this.#read(news);
    else this.#change(news);
  }

  #show(news) {
    this.#document({ sections: (news.snapshot ?? news).sections });
    this.revision = news.revision;
    if ("text" in news) this.#read(news);
    this.#state(news);
  }

  #document(document) {
    this.sections = inRows(document.sections);
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
    if (change.reload) throw new OutOfStep("a change of more ops than were asked for");
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
      this.#rows(applyStages(this.sections, change.stages), change.stages.length);
    } else if (change.ops) {
      this.#rows(applyOps(this.sections, change.ops), change.ops.length);
    } else if (change.jsonPatch) {
      if (!this.document) throw new OutOfStep("a patch of items, but only rows are known");
      this.#document(applyPatch(this.document, change.jsonPatch));
    } else if (change.revision !== change.baseRevision) {
      throw new OutOfStep("a change that does not say what changed");
    }
  }

  #rows(sections, changed) {
    this.sections = sections;
    if (changed) this.document = null;
  }

  #edit(news) {
    if (news.baseTextRevision !== this.textRevision) {
      throw new OutOfStep(`edits of text ${news.baseTextRevision} to a text ${this.textRevision}`);
    }
    this.text = applyTextEdits(this.text, news.textEdits);
    this.textRevision = news.textRevision;
    this.cursorLine = news.cursorLine;
    if (news.revision !== undefined) this.revision = news.revision;
  }
}
