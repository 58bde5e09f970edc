import ListText

/// A text as its lines, edited in the plainest way there is.
struct ObviousText {
  private(set) var lines: [ArraySlice<UInt8>]

  /// The lines of a text, each with the line feed at its end.
  init(_ text: [UInt8]) {
    lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
    lines.removeLast()
  }

  /// Makes LSP text edits; returns the new text, and which lines are replaced by which.
  ///
  /// - Throws: if they are not of whole lines, ascending and apart.
  func applying(edits: Value) throws(BrokenLaw) -> (text: [UInt8], edits: [LineEdit]) {
    var result: [UInt8] = []
    var made: [LineEdit] = []
    var next = 0
    var count = 0
    for edit in edits.elements ?? [] {
      let start = try line("start", of: edit)
      let end = try line("end", of: edit)
      guard next <= start, start <= end, end <= lines.count,
        let text = Self.member("newText", of: edit)?.string, text.isEmpty || text.last == 0x0A
      else { throw BrokenLaw(words: "an edit of lines \(start) to \(end)") }
      result += lines[next..<start].joined() + text
      count += start - next
      let brought = text.count { $0 == 0x0A }
      made.append(LineEdit(old: start..<end, new: count..<count + brought))
      count += brought
      next = end
    }
    return (result + lines[next...].joined(), made)
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
