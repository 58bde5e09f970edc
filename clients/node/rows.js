// Rows: what a view shows of a list, an item or one of its parts.

/** The rows of an item: itself, or one for each of its parts with the item's other members. */
export function rowsOf(item) {
  const parts = item?.parts;
  if (parts === undefined || parts === null) return [item];
  const { parts: _, ...rest } = item;
  return [...parts].map(($part) => ({ $part, $item: rest }));
}

/** The same sections with rows for items. If no item has parts, they are equal. */
export function inRows(sections) {
  return sections.map((section) => ({ ...section, items: section.items.flatMap(rowsOf) }));
}

/** What a template `{text}` shows of a row, or of a header: its text, else its identifier. */
export function textOf(row) {
  if (row === null || row === undefined) return "";
  if (typeof row !== "object") return String(row);
  const members = "$part" in row ? { ...row.$item, ...own(row.$part) } : row;
  const text = members.text ?? members.id ?? "";
  return typeof text === "object" ? JSON.stringify(text) : String(text);
}

/** A member of a row: of a part its own, else its item's. */
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

function own(part) {
  return typeof part === "object" && part !== null ? part : { id: part, text: part };
}
