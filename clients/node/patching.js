// What a JSON Patch (RFC 6902) and text edits mean.

import { OutOfStep } from "./errors.js";

/** The document after the operations. The one that is passed is kept as it is. */
export function applyPatch(document, patch) {
  const root = { "": document }, fresh = new Set();
  const ownerOf = (root, path) => ownerWithin(root, path, fresh);
  for (const op of patch) {
    const path = ["", ...steps(op.path)];
    switch (op.op) {
      case "add": add(ownerOf(root, path), path.at(-1), op.value); break;
      case "remove": take(ownerOf(root, path), path.at(-1)); break;
      case "replace": {
        const owner = ownerOf(root, path);
        owner[key(owner, path.at(-1))] = op.value;
        break;
      }
      case "move": {
        const from = ["", ...steps(op.from)];
        const value = take(ownerOf(root, from), from.at(-1));
        add(ownerOf(root, path), path.at(-1), value);
        break;
      }
      default: throw new OutOfStep(`an unknown operation: ${JSON.stringify(op)}`);
    }
  }
  return root[""];
}

// The steps of a JSON Pointer (RFC 6901).
function steps(pointer) {
  return pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

// What the last step is in. All on the way to it is copied once; what is beside it is shared.
function ownerWithin(root, path, fresh) {
  let owner = root;
  for (const step of path.slice(0, -1)) {
    const name = key(owner, step);
    const value = owner[name];
    if (value === null || typeof value !== "object") throw new OutOfStep(`nothing is at ${path.join("/")}`);
    if (!fresh.has(value)) {
      owner[name] = Array.isArray(value) ? [...value] : { ...value };
      fresh.add(owner[name]);
    }
    owner = owner[name];
  }
  return owner;
}

// The key of what is there.
function key(owner, step) {
  if (!Array.isArray(owner) ? Object.hasOwn(owner, step) : /^\d+$/.test(step) && step < owner.length) {
    return Array.isArray(owner) ? Number(step) : step;
  }
  throw new OutOfStep(`a patch does not fit: nothing is at ${step}`);
}

function add(owner, step, value) {
  if (!Array.isArray(owner)) {
    // An assignment to "__proto__" would not make a member.
    Object.defineProperty(owner, step, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = step === "-" ? owner.length : /^\d+$/.test(step) ? Number(step) : Infinity;
  if (index > owner.length) throw new OutOfStep(`a patch does not fit: there is no index ${step}`);
  owner.splice(index, 0, value);
}

function take(owner, step) {
  const name = key(owner, step), value = owner[name];
  if (Array.isArray(owner)) owner.splice(name, 1);
  else delete owner[name];
  return value;
}

/** The text after edits of whole lines, all of which name lines of the old text. */
export function applyTextEdits(text, edits) {
  const lines = text.split("\n");
  const last = lines.length - 1; // Every line is ended; nothing is behind the last line end.
  const result = [];
  let done = 0;
  for (const { range: { start, end }, newText } of edits) {
    if (!(done <= start.line && start.line <= end.line && end.line <= last)) {
      throw new OutOfStep(`an edit beyond the ${last} lines, or out of order: ${start.line}`);
    }
    for (const line of lines.slice(done, start.line)) result.push(line, "\n");
    result.push(newText);
    done = end.line;
  }
  for (const line of lines.slice(done, last)) result.push(line, "\n");
  return result.join("");
}
