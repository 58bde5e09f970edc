// The columns of a table: which members the rows have, how wide they are, and how their values are shown.

import { itemOf, memberOf } from "./rows.js";

const MOST = 32; // columns
const LONGEST = 300; // characters of a cell
const OWN = new Set(["template", "selectable", "parts"]); // Members that are not data of their own.
// Characters that are not seen, or change the direction of writing: a name with them could look like another.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** The columns of rows, in the order in which their members appear first, after those that are known. No column is
    added to `fixed` ones. */
export function columnsOf(contents, known = [], isFixed = false) {
  const columns = new Map(known.map((one) => [one.name, { ...one, values: [] }]));
  for (const content of contents) {
    for (const name of namesOf(content)) {
      if (!columns.has(name) && columns.size < MOST && !isFixed) columns.set(name, { name, values: [] });
    }
  }
  for (const content of contents) {
    for (const [name, { values }] of columns) {
      if (hasValue(content, name)) values.push(memberOf(content, name));
    }
  }
  // An identifier that repeats another column needs none of its own.
  const text = (content, name) => String(memberOf(content, name));
  const repeats = ({ name }) => name !== "id" && contents.every((one) => text(one, name) === text(one, "id"));
  if (!known.some(({ name }) => name === "id") && [...columns.values()].some(repeats)) columns.delete("id");
  return [...columns.values()].map(({ name, kind, width, values }) => {
    const isNumber = values.length > 0 && values.every((one) => typeof one === "number");
    const column = { name, kind: kind ?? (isNumber ? "number" : "text"), digits: isNumber ? digitsOf(values) : 0 };
    return { ...column, width: width ?? widthOf(column, values) };
  });
}

/** Whether a row has a member that is not empty. */
export function hasValue(content, name) {
  return ![undefined, null, ""].includes(memberOf(content, name));
}

function namesOf(content) {
  const item = itemOf(content);
  if (item === null || typeof item !== "object") return ["text"];
  const part = content.$part;
  const members = part === undefined ? item : { ...item, ...(typeof part === "object" ? part : { text: part }) };
  const names = Object.keys(members).filter((name) => !OWN.has(name) && !name.startsWith("$"));
  return names.length ? names : ["id"];
}

// The most digits that a value has after the point.
function digitsOf(values) {
  return Math.min(6, Math.max(0, ...values.map((one) => (/^-?\d+\.(\d+)$/.exec(String(one))?.[1] ?? "").length)));
}

// The width in characters that most of the values fit.
function widthOf({ name, ...column }, values) {
  const lengths = values.map((one) => textOf(one, column).length).sort((one, other) => one - other);
  return Math.max(4, name.length + 3, Math.min(60, lengths[Math.floor(lengths.length * 0.9)] ?? 0));
}

/** Whether the values of a column are written from the right, and compared as numbers. */
export function isNumeric({ kind }) {
  return kind === "number" || kind === "bytes";
}

/** A text in which characters that are not seen are escaped as in JSON. */
export function visible(text) {
  return text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value as the text of a cell. */
export function textOf(value, { kind, digits = 0 }) {
  if (value === undefined || value === null) return "";
  if (kind === "number" && digits > 0 && Number.isFinite(value)) return value.toFixed(digits);
  if (kind === "bytes" && typeof value === "number") return bytes(value);
  if (kind === "time" && typeof value === "number") return time(value);
  return visible((typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, LONGEST));
}

function bytes(value) {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${unit ? (value / 1000 ** unit).toFixed(1) : value} ${UNITS[unit]}`;
}

function time(value) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return String(value);
  const local = new Date(value - date.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}
