// Applies JSON Patches (RFC 6902) and text edits.

import { OutOfStep } from "./errors.js";

/** The document after the operations. The argument is not changed. */
export function applyPatch(document, patch) {
  const root = { "": document }, fresh = new Set();
  const ownerOf = (root, path) => ownerWithin(root, path, fresh);
  for (const op of patch) {
    const path = ["", ...steps(op.path)];
    switch (op.op) {
      case "add": add(ownerOf(root, path), path.at(-1), op.value); break;
      case "remove": remove(ownerOf(root, path), path.at(-1)); break;
      case "replace": {
        const owner = ownerOf(root, path);
        owner[key(owner, path.at(-1))] = op.value;
        break;
      }
      case "move": {
        const from = ["", ...steps(op.from)];
        const value = remove(ownerOf(root, from), from.at(-1));
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

// Returns the value that contains the last step. Values on the path are copied once; others are
// shared.
function ownerWithin(root, path, fresh) {
  let owner = root;
  for (const step of path.slice(0, -1)) {
    const name = key(owner, step);
    const value = owner[name];
    if (value === null || typeof value !== "object") throw new OutOfStep(`there is nothing at ${path.join("/")}`);
    if (!fresh.has(value)) {
      owner[name] = Array.isArray(value) ? [...value] : { ...value };
      fresh.add(owner[name]);
    }
    owner = owner[name];
  }
  return owner;
}

// Returns the key of an existing member or element.
function key(owner, step) {
  if (!Array.isArray(owner) ? Object.hasOwn(owner, step) : /^\d+$/.test(step) && step < owner.length) {
    return Array.isArray(owner) ? Number(step) : step;
  }
  throw new OutOfStep(`a patch does not fit: there is nothing at ${step}`);
}

function add(owner, step, value) {
  if (!Array.isArray(owner)) {
    // An assignment to "__proto__" would not create a member.
    Object.defineProperty(owner, step, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = step === "-" ? owner.length : /^\d+$/.test(step) ? Number(step) : Infinity;
  if (index > owner.length) throw new OutOfStep(`a patch does not fit: there is no index ${step}`);
  owner.splice(index, 0, value);
}

function remove(owner, step) {
  const name = key(owner, step), value = owner[name];
  if (Array.isArray(owner)) owner.splice(name, 1);
  else delete owner[name];
  return value;
}

/** The text after edits of whole lines. All edits refer to lines of the old text. */
export function applyTextEdits(text, edits) {
  const lines = text.split("\n");
  const last = lines.length - 1; // Every line ends with a line feed.
  const result = [];
  let done = 0;
  for (const { range: { start, end }, newText } of edits) {
    if (!(done <= start.line && start.line <= end.line && end.line <= last)) {
      throw new OutOfStep(`an edit is beyond the ${last} lines, or out of order: ${start.line}`);
    }
    for (const line of lines.slice(done, start.line)) result.push(line, "\n");
    result.push(newText);
    done = end.line;
  }
  for (const line of lines.slice(done, last)) result.push(line, "\n");
  return result.join("");
}
