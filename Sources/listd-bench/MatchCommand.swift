import Foundation
import FuzzyMatch

/// `listd-bench match`: searches paths, and compares with `fzf --filter` if it is installed.
struct MatchCommand {
  private var sizes: [Int] = []
  private var file: String?
  private var best = 40
  private static let queries = [
    "c", "co", "con", "conf", "confi", "srcmain", "usrlibpy", "t", "'conf", "^/usr .py$",
    "src !test", "json$ | yaml$", "Main", "zzqxj", "konfig свет",
  ]

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size > 0 else { return nil }
        sizes.append(size)
      case "--lines":
        guard let path = rest.popFirst() else { return nil }
        file = path
      default: return nil
      }
    }
    if sizes.isEmpty, file == nil { sizes = [100_000] }
  }

  func run() throws(MatchFiles.Problem) {
    if let file { try measure(MatchFiles.lines(of: file)) }
    for size in sizes { try measure(PathCorpus.paths(size)) }
  }

  private func measure(_ lines: [String]) throws(MatchFiles.Problem) {
    let clock = ContinuousClock()
    var texts = TextStore()
    let start = clock.now
    texts = TextStore(lines)
    let preparing = start.millisecondsAgo
    let length = lines.reduce(0) { $0 + $1.unicodeScalars.count }
    let bytes = Double(texts.byteCount - 12 * lines.count) / Double(max(1, length))
    print("\(lines.count) texts of \(length / max(1, lines.count)) characters, ms")
    print("prepared in \(preparing.text) ms, \(bytes.text) bytes a character and 12 a row")
    print(row("query", ["matched", "all", "best \(best)", "typed", "fzf", "ratio"]))
    let path = try MatchFiles.temporary(lines)
    defer { unlink(path) }
    for text in Self.queries {
      let query = Query(text)
      let shorter = Query(String(text.dropLast()))
      var fresh = texts
      let matches = fresh.matches(of: query)
      // No other query narrows this one, so the store keeps nothing of use.
      let everything = Query("!\u{10FFFF}")
      let clearing = Measurement { _ = fresh.matches(of: everything) }.milliseconds
      let all = Measurement {
        _ = fresh.matches(of: everything)
        _ = fresh.matches(of: query)
      }.milliseconds
      let first = Measurement {
        _ = fresh.matches(of: everything)
        _ = fresh.best(best, of: query, checking: {})
      }.milliseconds
      _ = fresh.best(best, of: shorter, checking: {})
      let kept = fresh
      let typed = Measurement {
        var copy = kept
        _ = copy.best(best, of: query, checking: {})
      }.milliseconds
      let other = MatchFiles.filter(text, path)
      print(
        row(
          text,
          [
            "\(matches.count)", (all - clearing).text, (first - clearing).text, typed.text,
            other?.text ?? "–", other.map { ((first - clearing) / $0).text } ?? "–",
          ]))
    }
  }

  private func row(_ name: String, _ cells: [String]) -> String {
    func space(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count))
    }
    return name + space(name, 16) + cells.map { space($0, 11) + $0 }.joined()
  }
}
