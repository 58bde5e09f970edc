import ByteBuffers

/// The format of `diff -u`, which `patch` and `git apply` read.
struct Unified: ~Copyable {
  static let missingNewline = "\\ No newline at end of file"

  /// Appends the header of a hunk: ranges of lines. For an empty range, the number is that of the
  /// line before.
  static func append(hunk old: Range<Int>, _ new: Range<Int>, to output: inout ByteBuffer) {
    output.append("@@")
    for (sign, range) in [(" -" as StaticString, old), (" +", new)] {
      output.append(sign)
      output.append(decimal: range.isEmpty ? range.lowerBound - 1 : range.lowerBound)
      if range.count != 1 {
        output.append(",")
        output.append(decimal: range.count)
      }
    }
    output.append(" @@")
  }

  private let lines: LineComparison
  private var old: LineCursor
  private var new: LineCursor
  private let context: Int

  /// Creates a change of lines with `context` unchanged lines around changes.
  init(_ lines: LineComparison, context: Int) {
    self.lines = lines
    self.context = context
    old = LineCursor(lines.old, lines.rows.old)
    new = LineCursor(lines.new, lines.rows.new)
  }

  /// Appends the change. Calls `flush` after each part that may be large.
  mutating func append(
    to output: inout ByteBuffer, flush: (inout ByteBuffer) -> Void
  ) {
    output.append(contentsOf: "--- \(Self.quoted(lines.old.name))\n".utf8)
    output.append(contentsOf: "+++ \(Self.quoted(lines.new.name))\n".utf8)
    var hunks = Hunks(lines.steps, context: context)
    while let hunk = hunks.next() {
      let oldStart = lines.old.linesBefore + 1 + hunk.old.lowerBound
      let newStart = lines.new.linesBefore + 1 + hunk.new.lowerBound
      Self.append(
        hunk: oldStart..<oldStart + hunk.old.count, newStart..<newStart + hunk.new.count,
        to: &output)
      output.append("\n")
      for index in 0..<hunk.count { append(hunk[index], to: &output, flush: flush) }
    }
  }

  /// Appends the lines of a step. Moves are deletes and inserts.
  private mutating func append(
    _ step: ChangeStep, to output: inout ByteBuffer, flush: (inout ByteBuffer) -> Void
  ) {
    for offset in 0..<step.count {
      switch step.kind {
      case .deleted, .departed: Self.append("-", step.old + offset, &old, to: &output)
      case .inserted, .arrived: Self.append("+", step.new + offset, &new, to: &output)
      default: Self.append(" ", step.new + offset, &new, to: &output)
      }
      if output.count > 1 << 16 { flush(&output) }
    }
  }

  private static func append(
    _ sign: StaticString, _ line: Int, _ side: inout LineCursor, to output: inout ByteBuffer
  ) {
    let range = side.range(ofLine: line)
    output.append(sign)
    side.file.content.withBytes { text in
      output.append(UnsafeRawBufferPointer(rebasing: text[range]))
      guard text[range].last != 0x0A else { return }
      output.append("\n")
      output.append(contentsOf: Self.missingNewline.utf8)
      output.append("\n")
    }
  }

  /// Quotes a file name like GNU diff and git if it has control characters, quotation marks or
  /// backslashes.
  private static func quoted(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }) else {
      return name.contains(" ") ? name + "\t" : name
    }
    var result = "\""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 8)
        result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
