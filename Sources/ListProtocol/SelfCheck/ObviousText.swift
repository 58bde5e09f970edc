/// A text as its lines, edited in the plainest way there is.
struct ObviousText {
  private(set) var lines: [ArraySlice<UInt8>]

  /// The lines of a text, each with the line feed at its end.
  init(_ text: [UInt8]) {
    lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
    lines.removeLast()
  }

  /// Makes LSP text edits.
  ///
  /// - Throws: where they are not of whole lines, ascending and apart.
  func applying(edits: Value) throws(BrokenLaw) -> [UInt8] {
    var result: [UInt8] = []
    var next = 0
    for edit in edits.elements ?? [] {
      let start = try line("start", of: edit)
      let end = try line("end", of: edit)
      guard next <= start, start <= end, end <= lines.count,
        let text = Self.member("newText", of: edit)?.string
      else { throw BrokenLaw(words: "an edit of lines \(start) to \(end)") }
      result += lines[next..<start].joined() + text
      next = end
    }
    return result + lines[next...].joined()
  }

  private func line(_ name: String, of edit: Value) throws(BrokenLaw) -> Int {
    guard let position = Self.member("range", of: edit).flatMap({ Self.member(name, of: $0) }),
      Self.member("character", of: position)?.integer == 0,
      let line = Self.member("line", of: position)?.integer
    else { throw BrokenLaw(words: "an edit without a line that it begins or ends at") }
    return line
  }

  private static func member(_ name: String, of value: Value) -> Value? {
    value.members?.last { $0.name == name }?.value
  }
}
