/// Whether a query distinguishes letters that differ only in case.
public enum CaseRule: String, Sendable, CaseIterable {
  /// Only in terms that have a letter of the category Lu or Lt.
  case smart
  /// Never: letters are compared after Unicode simple case folding.
  case ignore
  /// Always.
  case respect
}

/// A query in the language of fzf's extended search (0.74).
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
/// | `abc` | contains these characters in this order, possibly with others between them |
/// | `'abc` | contains `abc` |
/// | `'abc'` | contains `abc` as a whole word |
/// | `^abc` | begins with `abc` |
/// | `abc$` | ends with `abc` |
/// | `^abc$` | is `abc` |
/// | `!abc`, `!'abc'` | does not contain `abc`, does not contain it as a whole word |
/// | `!^abc`, `!abc$`, `!^abc$` | does not begin with `abc`, does not end with it, is not `abc` |
/// | `!'abc` | does not contain these characters in this order |
///
/// `a | b` matches a text that either term matches. A backslash before a space makes the space part of
/// the term. In a term a tab stands for a space. No letter or number is directly before or after a whole
/// word. `^` and `$` skip white space at the start and the end of a text, unless the term has some there.
/// Every string is a query. A term without characters, such as `!` or `^`, is ignored. A query without
/// terms matches everything. Characters are compared as code points, after simple folding if case is
/// ignored.
///
/// If a row has several members, a term matches if it matches any of them, and a negated term if it
/// matches none.
///
/// # The score
///
/// The score of a query is the sum of the scores of its terms. If there are several alternatives,
/// members or alignments of a term with a text, the highest score counts. The score of a negated term
/// is 0. The score of an alignment is computed as follows:
///
/// * Each character of the term has 16 points.
/// * Each has a bonus for its position in the text, the first of these that applies:
///   10 at the start of the text, after white space, or if it is white space;
///   9 after a delimiter, one of `/ , : ; |`;
///   8 after another character that is not a letter or number, or if it is not one itself;
///   7 if it is an upper-case letter after a lower-case one, or a number after another character;
///   otherwise 0.
/// * The bonus of the term's first character counts twice.
/// * A character that is matched directly after the one before it has at least the bonus that the run
///   of adjacent characters carries: 4, or 8 if an earlier character of the run has a bonus of 7 or 8
///   of its own, or 9 if one has 9 or 10.
/// * A gap between two matched characters costs 3, and 1 more for each character in it after the
///   first. Characters before the first and after the last matched one cost nothing.
///
/// A whole word of *n* characters (`'abc'`) scores 26 *n* + 10 and the bonus of its first character;
/// instead of the bonus, 6 if an underscore precedes it, 7 if one follows it, and 5 if both.
///
/// Letters, numbers, white space and case are those of the Unicode character database: Lu and Lt are
/// upper-case, Ll is lower-case, Lo and Lm are other letters, Nd, Nl and No are numbers.
///
/// If the product of the lengths of a term and a text is more than 1,048,576, not all alignments are
/// compared: of those that end first, a fuzzy term has the shortest one. Any other term has its first
/// occurrence.
public struct Query: Sendable, Hashable {
  /// Sets of alternatives. At least one term of each set must match.
  let sets: [[Term]]

  /// Parses a query.
  ///
  /// If it `isExact`, `abc` means what `'abc` means otherwise, and the other way round.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(
    _ text: some StringProtocol, case rule: CaseRule = .smart, isExact: Bool = false
  ) {
    var parser = QueryParser(rule: rule, isExact: isExact)
    parser.parse(text)
    sets = parser.sets
  }

  /// Whether the query has no terms, and therefore matches everything.
  public var isEmpty: Bool { sets.isEmpty }
}

/// One condition of a query.
struct Term: Hashable, Sendable {
  enum Kind: Sendable { case fuzzy, substring, word, prefix, suffix, equal }

  var kind: Kind
  var isNegated: Bool
  var ignoresCase: Bool
  /// The code points of the term, folded if case is ignored; never empty.
  var points: [UInt32]

  var count: Int { points.count }

  /// The highest score that the term can have.
  var ideal: Int32 { Alignment.highest(count) + (kind == .word ? BonusCode.highest : 0) }

  /// Whether the term matches at the start of a text, and there skips white space.
  var skipsSpaceBefore: Bool {
    (kind == .prefix || kind == .equal) && !CharacterTable.shared.isWhite(points[0])
  }

  /// Whether the term matches at the end of a text, and there skips white space.
  var skipsSpaceAfter: Bool {
    (kind == .suffix || kind == .equal) && !CharacterTable.shared.isWhite(points[count - 1])
  }
}
