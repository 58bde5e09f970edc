// JSON with integers that JavaScript represents exactly.
//
// A double cannot distinguish integers from 2^53 on: 9007199254740993 would become 9007199254740992, which may
// be the identifier of another item. Such a number is an error in both directions.

import { UnsafeNumber } from "./errors.js";

const ADVICE = "JavaScript holds integers exactly below 2^53 only; use strings";
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The JSON text of a value. Throws `UnsafeNumber` with the path of a number that would change. */
export function stringify(value) {
  const text = JSON.stringify(value, bigInts);
  check(value, "");
  return text;
}

function bigInts(name, value) {
  if (typeof value === "bigint") throw new UnsafeNumber(`${name} is the BigInt ${value}: ${ADVICE}`);
  return value;
}

function check(value, path) {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new UnsafeNumber(`${path} is ${value}, which JSON cannot represent`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new UnsafeNumber(`${path} is ${value}: ${ADVICE}`);
    }
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) within(value[index], index, path);
  } else if (typeof value === "object" && value !== null && typeof value.toJSON !== "function") {
    for (const name in value) within(value[name], name, path);
  }
}

// The path is built only for values that may be invalid.
function within(value, name, path) {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) check(value, `${path}/${name}`);
  } else if (typeof value === "object" && value !== null) {
    check(value, `${path}/${name}`);
  }
}

/** The first integer in a JSON text that a double cannot represent exactly, as text, or `null`. */
export function unsafeInteger(text) {
  if (!/\d{16}/.test(text)) return null;
  for (const [token] of text.matchAll(TOKENS)) {
    if (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))) return token;
  }
  return null;
}

/** The error for such an integer. */
export function refused(integer) {
  return new UnsafeNumber(`the daemon sent ${integer}: ${ADVICE} as identifiers`);
}
