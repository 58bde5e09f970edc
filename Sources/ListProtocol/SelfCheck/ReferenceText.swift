import ListText

/// A text as its lines, edited in the most direct way.
struct ReferenceText {
  private(set) var lines: [ArraySlice<UInt8>]

  /// The lines of the text, each with its line feed.
  init(_ text: [UInt8]) {
    lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
    lines.removeLast()
  }

  /// Applies LSP text edits. Returns the new text and the ranges of lines that were replaced.
  ///
  /// - Throws: unless the edits are of whole lines, ascending and disjoint.
  func applying(edits: Value) throws(InvariantViolation) -> (text: [UInt8], edits: [LineEdit]) {
    var result: [UInt8] = []
    var made: [LineEdit] = []
    var next = 0
    var count = 0
    for edit in edits.elements ?? [] {
      let start = try line("start", of: edit)
      let end = try line("end", of: edit)
      guard next <= start, start <= end, end <= lines.count,
        let text = Self.member("newText", of: edit)?.string, text.isEmpty || text.last == 0x0A
      else { throw InvariantViolation(message: "an edit of lines \(start) to \(end)") }
      result += lines[next..<start].joined() + text
      count += start - next
      let inserted = text.count { $0 == 0x0A }
      made.append(LineEdit(old: start..<end, new: count..<count + inserted))
      count += inserted
      next = end
    }
    return (result + lines[next...].joined(), made)
  }

  private func line(_ name: String, of edit: Value) throws(InvariantViolation) -> Int {
    guard let position = Self.member("range", of: edit).flatMap({ Self.member(name, of: $0) }),
      Self.member("character", of: position)?.integer == 0,
      let line = Self.member("line", of: position)?.integer
    else {
      throw InvariantViolation(message: "an edit that does not begin and end with whole lines")
    }
    return line
  }

  private static func member(_ name: String, of value: Value) -> Value? {
    value.members?.last { $0.name == name }?.value
  }
}
