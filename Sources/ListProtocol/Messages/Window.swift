/// A range of the rows of a list, or of the lines of a text, counted through all sections.
struct Window {
  let start: Int
  let count: Int

  /// Returns the part of the window that is within `total` rows or lines.
  func range(in total: Int) -> Range<Int> {
    let first = min(start, total)
    return first..<first + min(count, total - first)
  }
}

extension Window {
  init(_ value: Value) throws(Failure) {
    let params = try Params(value, known: [.start, .count])
    start = try params.requireCount(.start)
    count = try params.requireCount(.count)
  }
}
