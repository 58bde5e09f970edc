/// Whether letters that differ only in case are the same to a query.
public enum CaseRule: String, Sendable, CaseIterable {
  /// They are, unless the term has a letter of the category Lu or Lt.
  case smart
  /// They are (Unicode simple case folding).
  case ignore
  /// They are not.
  case respect
}

/// What a user types to find rows: fzf's extended search.
///
/// ```swift
/// let match = Query("srcmain .swift$").match(in: "Sources/listd/main.swift")
/// ```
///
/// # What matches
///
/// A query consists of terms separated by spaces, all of which must match.
///
/// | term | matches a text that |
/// | --- | --- |
/// | `abc` | contains these characters in this order, others may stand between them |
/// | `'abc` | contains `abc` |
/// | `^abc` | begins with `abc` |
/// | `abc$` | ends with `abc` |
/// | `^abc$` | is `abc` |
/// | `!abc`, `!^abc`, `!abc$`, `!^abc$` | does not contain, begin with, end with `abc`, is not `abc` |
/// | `!'abc` | does not contain these characters in this order |
///
/// `a | b` matches what either term matches. A backslash before a space makes the space part of the
/// term; a tab stands for a space, too. Every string is a query. A term of which nothing is left,
/// such as `!` or `^`, is ignored; a query without terms matches everything. All characters are
/// compared as code points, after simple folding if case is ignored.
///
/// A row may have several members: a term matches if it matches in any of them, a negated one if it
/// matches in none.
///
/// # The score
///
/// The score of a query is the sum over its terms. Of several alternatives, members and ways to
/// align a term with a text the highest score counts. A negated term counts 0. For a term aligned
/// with a text:
///
/// * Each character of the term counts 16.
/// * Each counts a bonus for where it is matched, the first that applies:
///   10 at the start of the text, after white space, or if it is white space;
///   9 after a delimiter, one of `/ , : ; |`;
///   8 after another character that is not a letter or number, or if it is not one itself;
///   7 if it is an upper-case letter after a lower-case one, or a number after something else;
///   0 elsewhere.
/// * The bonus of the term's first character counts twice.
/// * A character that is matched directly after the one before it has at least a bonus that the run
///   of adjacent characters carries: 4, or 8 if one before it in the run has a bonus of 7 or 8 of its
///   own, or 9 if one has 9 or 10.
/// * A gap between two matched characters costs 3, and 1 more for each character in it after the
///   first. What stands before the first and after the last matched character costs nothing.
///
/// Letters, numbers, white space and case are those of the Unicode character database: Lu and Lt are
/// upper-case, Ll is lower-case, Lo and Lm are other letters, Nd, Nl and No are numbers.
///
/// If a term and a text are so long that the product of their lengths is more than 1,048,576, not all
/// alignments are compared: a fuzzy term is aligned as far left as it can end, and from there as
/// short as possible; any other at its first occurrence.
public struct Query: Sendable, Hashable {
  /// Alternatives, at least one of each of which must match.
  let sets: [[Term]]

  /// Parses a query.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(_ text: some StringProtocol, case rule: CaseRule = .smart) {
    var parser = QueryParser(rule: rule)
    parser.parse(text)
    sets = parser.sets
  }

  /// Whether the query has no terms and so matches everything.
  public var isEmpty: Bool { sets.isEmpty }
}

/// One condition of a query.
struct Term: Hashable, Sendable {
  enum Kind: Sendable { case fuzzy, substring, prefix, suffix, equal }

  var kind: Kind
  var isNegated: Bool
  var ignoresCase: Bool
  /// What is looked for, folded if case is ignored; not empty.
  var points: [UInt32]

  var count: Int { points.count }
}
