// The rows that a view shows: items or their parts.

/** The rows of an item: the item itself, or one row for each part, with the item's other members. */
export function rowsOf(item) {
  const parts = item?.parts;
  if (parts === undefined || parts === null) return [item];
  const { parts: _, ...rest } = item;
  return [...parts].map(($part) => ({ $part, $item: rest }));
}

/** The sections with rows instead of items. If no item has parts, they are equal. */
export function inRows(sections) {
  return sections.map((section) => ({ ...section, items: section.items.flatMap(rowsOf) }));
}

/** The text that the template `{text}` shows for a row or a header: its text, or its identifier. */
export function textOf(row) {
  if (row === null || row === undefined) return "";
  if (typeof row !== "object") return String(row);
  const members = "$part" in row ? { ...row.$item, ...own(row.$part) } : row;
  const text = members.text ?? members.id ?? "";
  return typeof text === "object" ? JSON.stringify(text) : String(text);
}

/** A member of a row: the part's own member, or the item's. */
export function memberOf(row, name) {
  if (row === null || typeof row !== "object") return name === "text" || name === "id" ? row : undefined;
  return "$part" in row ? own(row.$part)[name] ?? row.$item[name] : row[name];
}

/** The level of a row of an outline, 0 for a root; `undefined` if the list is not an outline. */
export function levelOf(row) {
  return memberOf(row, "$level");
}

/** Whether a row of an outline is expanded; `undefined` if it cannot be. */
export function isExpanded(row) {
  return memberOf(row, "$expanded");
}

/** The item of a row, without its parts. */
export function itemOf(row) {
  return row !== null && typeof row === "object" && "$part" in row ? row.$item : row;
}

/** The identifier of a row's item: its `id`, a string or an integer itself, or else what the members that `key` names
    are; `undefined` if it has none. */
export function idOf(row, key) {
  const item = itemOf(row), id = item?.id ?? asID(item);
  if (id !== undefined || key === undefined || !isObject(item)) return asID(id);
  const values = [key].flat().map((name) => valueAt(item, name));
  if (values.some((value) => value === undefined || value === null)) return undefined;
  const only = values.length === 1 ? asID(values[0]) : undefined;
  return only ?? values.map((value) => JSON.stringify(value)).join(",");
}

// Not -0, which is 0.
function asID(value) {
  return typeof value === "string" ? value : Number.isInteger(value) ? value + 0 : undefined;
}

function valueAt(item, name) {
  if (Object.hasOwn(item, name)) return item[name];
  return name.split(".").reduce((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), item);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(part) {
  return typeof part === "object" && part !== null ? part : { id: part, text: part };
}
