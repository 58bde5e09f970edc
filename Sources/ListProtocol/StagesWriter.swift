import JSONBytes
import ListDiff
import ListState

/// Writes a change as stages of operations, or as operations one after the other, with what they
/// bring in where that is wanted.
struct StagesWriter {
  let stages: [Stage]
  let contents: SnapshotWriter?
  private var arrivals: Arrivals

  /// A writer of the stages of a change to a snapshot whose rows are matched.
  init(_ stages: [Stage], matching: Matching, to new: Snapshot, contents: SnapshotWriter?) {
    self.stages = stages
    self.contents = contents
    arrivals = Arrivals(matching: matching, newStarts: new.rowStarts)
  }

  /// Appends the array of stages.
  consuming func append(to buffer: inout ByteBuffer) {
    buffer.append(0x5B)
    for (place, stage) in stages.enumerated() {
      if place > 0 { buffer.append(0x2C) }
      if contents != nil { arrivals.enter(stage) }
      append(stage, to: &buffer)
    }
    buffer.append(0x5D)
  }

  /// Appends an array of operations, each on the result of the one before.
  consuming func appendSequence(to buffer: inout ByteBuffer) {
    var isFirst = true
    buffer.append(0x5B)
    for stage in stages {
      if contents != nil { arrivals.enter(stage) }
      let sequence = OpSequence([stage])
      append(sequence.ops, sequence.insertedRowCounts, isFirst: &isFirst, to: &buffer)
    }
    buffer.append(0x5D)
  }

  private mutating func append(_ stage: Stage, to buffer: inout ByteBuffer) {
    var isFirst = true
    buffer.append(0x5B)
    append(stage.ops, stage.insertedRowCounts, isFirst: &isFirst, to: &buffer)
    buffer.append(0x5D)
  }

  private mutating func append(
    _ ops: [Op], _ insertedRowCounts: [Int], isFirst: inout Bool, to buffer: inout ByteBuffer
  ) {
    var rowCounts = insertedRowCounts[...]
    for op in ops {
      if !isFirst { buffer.append(0x2C) }
      isFirst = false
      buffer.append(opening: op)
      if case .insertSections(_, let count) = op {
        append(rowCounts: rowCounts.prefix(count), to: &buffer)
      }
      if let contents { append(op, contents, rowCounts, to: &buffer) }
      if case .insertSections(_, let count) = op { rowCounts.removeFirst(count) }
      buffer.append(0x7D)
    }
  }

  private func append(rowCounts: ArraySlice<Int>, to buffer: inout ByteBuffer) {
    buffer.append(",\"rows\":[")
    for (place, count) in rowCounts.enumerated() {
      if place > 0 { buffer.append(0x2C) }
      buffer.append(decimal: count)
    }
    buffer.append(0x5D)
  }

  private mutating func append(
    _ op: Op, _ contents: SnapshotWriter, _ rowCounts: ArraySlice<Int>,
    to buffer: inout ByteBuffer
  ) {
    switch op {
    case .insertSections(let at, let count):
      appendList("sections", count, to: &buffer) { writer, offset, buffer in
        let section = writer.arrivals.section(at: at + offset)
        let rows = (0..<rowCounts[rowCounts.startIndex + offset]).map { _ in
          writer.arrivals.nextRow(inSectionAt: at + offset)
        }
        contents.appendSection(section, to: &buffer) { buffer in
          for (place, row) in rows.enumerated() {
            if place > 0 { buffer.append(0x2C) }
            contents.appendRow(row, to: &buffer)
          }
        }
      }
    case .insertItems(let at, let count):
      appendList("items", count, to: &buffer) { writer, _, buffer in
        contents.appendRow(writer.arrivals.nextRow(inSectionAt: at.section), to: &buffer)
      }
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      appendList("sections", count, to: &buffer) { _, offset, buffer in
        contents.appendSection(at + offset, to: &buffer)
      }
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      let first = Int(contents.snapshot.rowStarts[at.section]) + at.row
      appendList("items", count, to: &buffer) { _, offset, buffer in
        contents.appendRow(first + offset, to: &buffer)
      }
    default: break
    }
  }

  private mutating func appendList(
    _ name: StaticString, _ count: Int, to buffer: inout ByteBuffer,
    _ element: (inout StagesWriter, Int, inout ByteBuffer) -> Void
  ) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":[")
    for offset in 0..<count {
      if offset > 0 { buffer.append(0x2C) }
      element(&self, offset, &buffer)
    }
    buffer.append(0x5D)
  }
}
