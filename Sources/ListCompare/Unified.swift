import ByteBuffers

/// The format of `diff -u`, which `patch` and `git apply` read.
struct Unified: ~Copyable {
  static let missingNewline = "\\ No newline at end of file"

  /// Appends the header of a hunk: ranges of lines. For an empty range, the number is that of the
  /// line before.
  static func append(hunk old: Range<Int>, _ new: Range<Int>, to output: inout ByteBuffer) {
    output.append("@@ -")
    append(old, to: &output)
    output.append(" +")
    append(new, to: &output)
    output.append(" @@")
  }

  private static func append(_ lines: Range<Int>, to output: inout ByteBuffer) {
    output.append(decimal: lines.isEmpty ? lines.lowerBound - 1 : lines.lowerBound)
    guard lines.count != 1 else { return }
    output.append(",")
    output.append(decimal: lines.count)
  }

  /// The lines of a file.
  private enum Lines {
    case text(LineCursor)
    case rows(RecordTable, ComparedFile)

    var file: ComparedFile {
      switch self {
      case .text(let cursor): cursor.file
      case .rows(_, let file): file
      }
    }

    /// The bytes of a line, with its line feed.
    mutating func range(ofLine line: Int) -> Range<Int> {
      switch self {
      case .text(var cursor):
        let range = cursor.range(ofLine: line)
        self = .text(cursor)
        return range
      case .rows(let table, let file):
        let row = table.rows[line]
        return row.lowerBound..<min(row.upperBound + 1, file.content.count)
      }
    }
  }

  private let steps: [ChangeStep]
  private var old: Lines
  private var new: Lines
  private let context: Int

  /// Creates a change of lines with `context` unchanged lines around changes.
  init(_ lines: LineComparison, context: Int) {
    steps = lines.steps
    self.context = context
    old = .text(LineCursor(lines.old, lines.rows.old))
    new = .text(LineCursor(lines.new, lines.rows.new))
  }

  /// Creates a change of rows that are lines.
  init(_ rows: RecordComparison, context: Int) {
    steps = rows.steps
    self.context = context
    old = .rows(rows.old, ComparedFile(name: rows.old.name, content: rows.old.content))
    new = .rows(rows.new, ComparedFile(name: rows.new.name, content: rows.new.content))
  }

  /// Appends the change. Calls `flush` after each part that may be large.
  mutating func append(
    to output: inout ByteBuffer, flush: (inout ByteBuffer) -> Void
  ) {
    output.append(contentsOf: "--- \(Self.quoted(old.file.name))\n".utf8)
    output.append(contentsOf: "+++ \(Self.quoted(new.file.name))\n".utf8)
    var hunks = Hunks(steps, context: context)
    while let hunk = hunks.next() {
      let oldStart = old.file.linesBefore + 1 + hunk.old.lowerBound
      let newStart = new.file.linesBefore + 1 + hunk.new.lowerBound
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
      // Lines that count as equal are those of the old file, which a patch is applied to.
      default: Self.append(" ", step.old + offset, &old, to: &output)
      }
      if output.count > 1 << 16 { flush(&output) }
    }
  }

  private static func append(
    _ sign: StaticString, _ line: Int, _ side: inout Lines, to output: inout ByteBuffer
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
