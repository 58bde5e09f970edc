// The width of text in a terminal.

const WIDE = new RegExp(
  "[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f"
    + "\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f900}-\\u{1f9ff}\\u{20000}-\\u{3fffd}]",
  "u",
);
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** The number of columns of a character. */
export function width(character) {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The beginning of a text that fits into `columns` columns. Control characters are escaped. */
export function clip(text, columns) {
  let clipped = "", used = 0;
  for (const character of text) {
    const shown = CONTROL.test(character) ? escaped(character) : character;
    const wide = shown === character ? width(character) : shown.length;
    if (used + wide > columns) return clipped;
    clipped += shown;
    used += wide;
  }
  return clipped;
}

function escaped(character) {
  return `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;
}
