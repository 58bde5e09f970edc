import FuzzyMatch

/// `listd-bench filter`: prints the lines of a file that match each query of another file, best
/// first, as numbers from 0.
struct FilterCommand {
  private let lines: String
  private let queries: String

  /// Reads the arguments; `nil` if there are not two.
  init?(_ arguments: ArraySlice<String>) {
    guard arguments.count == 2, let first = arguments.first, let last = arguments.last else {
      return nil
    }
    (lines, queries) = (first, last)
  }

  func run() throws(MatchFiles.Problem) {
    var texts = TextStore(try MatchFiles.lines(of: lines))
    for query in try MatchFiles.lines(of: queries) {
      let matches = texts.matches(of: Query(query))
      let ranked = texts.best(matches.count, of: matches)
      print(ranked.map { String($0.row) }.joined(separator: " "))
    }
  }
}
