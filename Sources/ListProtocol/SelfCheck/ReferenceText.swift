import ListText

/// A text as its lines, edited in the most direct way.
struct ReferenceText {
  private(set) var lines: [ArraySlice<UInt8>]

  /// The lines of the text, each with its line feed.
  init(_ text: [UInt8]) {
    lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0 + [0x0A] }
    lines.removeLast()
  }

  /// Reads LSP text edits, each with its lines before and after all edits, and the new text of these.
  ///
  /// - Throws: unless the edits are of whole lines, ascending and disjoint.
  static func read(_ edits: Value) throws(InvariantViolation) -> [(lines: LineEdit, text: [UInt8])]
  {
    var read: [(lines: LineEdit, text: [UInt8])] = []
    var next = 0
    var shift = 0
    for edit in edits.elements ?? [] {
      let start = try line("start", of: edit)
      let end = try line("end", of: edit)
      let text = try expect(edit["newText"]?.string, "an edit without a new text")
      try expect(
        next <= start && start <= end && (text.isEmpty || text.last == 0x0A),
        "an edit of lines \(start) to \(end)")
      let inserted = text.count { $0 == 0x0A }
      let new = start + shift..<start + shift + inserted
      read.append((LineEdit(old: start..<end, new: new), text))
      next = end
      shift += inserted - (end - start)
    }
    return read
  }

  /// Applies LSP text edits. Returns the new text and the ranges of lines that were replaced.
  ///
  /// - Throws: unless the edits are of whole lines, ascending and disjoint.
  func applying(edits: Value) throws(InvariantViolation) -> (text: [UInt8], edits: [LineEdit]) {
    let edits = try Self.read(edits)
    var result: [UInt8] = []
    var next = 0
    for (edit, text) in edits {
      try expect(edit.old.upperBound <= lines.count, "an edit of line \(edit.old.upperBound)")
      result += lines[next..<edit.old.lowerBound].joined() + text
      next = edit.old.upperBound
    }
    return (result + lines[next...].joined(), edits.map { $0.lines })
  }

  private static func line(_ name: String, of edit: Value) throws(InvariantViolation) -> Int {
    let position = edit["range"]?[name]
    try expect(
      position?["character"]?.integer == 0, "an edit that does not begin and end with whole lines")
    return try expect(position?["line"]?.integer, "an edit without a line")
  }
}
