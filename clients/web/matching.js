// What a query matches, as in the chapter "Matching" of the protocol, for pages without a daemon: the same texts, with
// simpler scores.

import { itemOf, memberOf } from "./rows.js";

const WORD = /[\p{L}\p{N}]/u;

/** A function that returns the score of a row, or `null` if the row does not match. */
export function matcherOf(match) {
  const { query = "", members = ["text"] } = match ?? {};
  const terms = termsOf(query);
  return (row) => {
    const item = itemOf(row), texts = members.map((name) => {
      const value = memberOf(item, name);
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    });
    let sum = 0;
    for (const alternatives of terms) {
      const scores = alternatives.map((term) => scoreOf(term, texts)).filter((one) => one !== null);
      if (!scores.length) return null;
      sum += Math.max(...scores);
    }
    return sum;
  };
}

// The terms of a query: each one is a list of alternatives.
function termsOf(query) {
  const words = query.match(/(?:\\ |\S)+/g) ?? [], terms = [];
  let joins = false;
  for (const word of words) {
    if (word === "|") {
      joins = terms.length > 0;
      continue;
    }
    const term = termOf(word.replaceAll("\\ ", " "));
    if (!term.text) continue;
    if (joins) terms.at(-1).push(term);
    else terms.push([term]);
    joins = false;
  }
  return terms;
}

function termOf(word) {
  const isNegated = word.startsWith("!");
  let text = isNegated ? word.slice(1) : word, kind = isNegated ? "part" : "fuzzy";
  if (text.length > 2 && text.startsWith("'") && text.endsWith("'")) [kind, text] = ["word", text.slice(1, -1)];
  else if (text.startsWith("'")) [kind, text] = [isNegated ? "fuzzy" : "part", text.slice(1)];
  else if (text.startsWith("^") && text.endsWith("$") && text.length > 2) [kind, text] = ["whole", text.slice(1, -1)];
  else if (text.startsWith("^")) [kind, text] = ["begin", text.slice(1)];
  else if (text.endsWith("$") && text.length > 1) [kind, text] = ["end", text.slice(0, -1)];
  const fold = (one) => (/\p{Lu}|\p{Lt}/u.test(text) ? one : one.toLowerCase());
  return { isNegated, kind, text: fold(text), fold };
}

function scoreOf({ isNegated, kind, text, fold }, texts) {
  const scores = texts.map((one) => FINDERS[kind](fold(one), text)).filter((one) => one !== null);
  if (isNegated) return scores.length ? null : 0;
  return scores.length ? Math.max(...scores) : null;
}

const when = (isFound, text) => (isFound ? 20 * text.length : null);

const FINDERS = {
  part: (text, wanted) => when(text.includes(wanted), wanted),
  begin: (text, wanted) => when(text.trimStart().startsWith(wanted), wanted),
  end: (text, wanted) => when(text.trimEnd().endsWith(wanted), wanted),
  whole: (text, wanted) => when(text.trim() === wanted, wanted),
  word(text, wanted) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const isWord = !WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + wanted.length] ?? "");
      if (isWord) return when(true, wanted);
    }
    return null;
  },
  // The shortest range that ends with the first match, as fzf's first algorithm finds it.
  fuzzy(text, wanted) {
    let end = 0;
    for (const letter of wanted) {
      const found = text.indexOf(letter, end);
      if (found < 0) return null;
      end = found + letter.length;
    }
    let start = end;
    for (const letter of [...wanted].reverse()) start = text.lastIndexOf(letter, start - 1);
    const gaps = end - start - wanted.length;
    return 20 * wanted.length - 3 * gaps + (WORD.test(text[start - 1] ?? "") ? 0 : 8);
  },
};
