import ByteBuffers
import ListDiff
import ListStages
import ListState

/// Writes a change as stages of operations, or as a sequence of operations, with the inserted
/// contents, and the old ones if they are wanted.
struct StagesWriter: ~Copyable {
  private let stages: [Stage]
  private let contents: ContentWriter
  private var inserted: InsertedIndices
  private var old: OldContents?

  /// Creates a writer of stages that lead from `old` to `contents`; if `old` is `nil`, its contents are not
  /// written.
  init(_ stages: [Stage], contents: ContentWriter, old: ContentWriter?) {
    self.stages = stages
    inserted = InsertedIndices(stages)
    self.contents = contents
    self.old = old.map { OldContents($0, of: stages) }
  }

  /// Appends the array of stages.
  consuming func append(to buffer: inout ByteBuffer) {
    buffer.append(stages) { index, stage, buffer in
      inserted.beginStage()
      old?.begin(stage: index)
      append(stage.ops, stage.insertedRowCounts, to: &buffer)
    }
  }

  /// Appends an array of operations. Each applies to the result of the one before.
  consuming func appendSequence(to buffer: inout ByteBuffer) {
    var isEmpty = true
    buffer.append(0x5B)
    for (index, stage) in stages.enumerated() {
      inserted.beginStage()
      old?.begin(stage: index, isReversed: true)
      let sequence = OpSequence([stage])
      append(sequence.ops, sequence.insertedRowCounts, to: &buffer)
      isEmpty = isEmpty && sequence.ops.isEmpty
    }
    if !isEmpty { buffer.removeLast() }
    buffer.append(0x5D)
  }

  /// Appends operations, each followed by a comma.
  private mutating func append(
    _ ops: [Op], _ insertedRowCounts: [Int], to buffer: inout ByteBuffer
  ) {
    buffer.append(ops, insertedRowCounts) { op, rowCounts, buffer in
      append(op, contents, rowCounts, to: &buffer)
      old?.append(op, to: &buffer)
    }
  }

  private mutating func append(
    _ op: Op, _ contents: ContentWriter, _ rowCounts: ArraySlice<Int>,
    to buffer: inout ByteBuffer
  ) {
    switch op {
    case .insertSections(_, let count):
      appendList("sections", count, to: &buffer) { writer, offset, buffer in
        let section = writer.inserted.nextSection()
        let rows = (0..<rowCounts[rowCounts.startIndex + offset]).map { _ in
          writer.inserted.nextRow(contents.rows.start)
        }
        contents.appendSection(section, to: &buffer) { buffer in
          for (index, row) in rows.enumerated() {
            if index > 0 { buffer.append(0x2C) }
            contents.appendRow(row, to: &buffer)
          }
        }
      }
    case .insertItems(_, let count):
      appendList("items", count, to: &buffer) { writer, _, buffer in
        contents.appendRow(writer.inserted.nextRow(contents.rows.start), to: &buffer)
      }
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      appendList("sections", count, to: &buffer) { _, offset, buffer in
        contents.appendOwn(ofSection: at + offset, to: &buffer)
      }
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      let first = contents.rows.start(ofSection: at.section) + at.row
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
    buffer.append(list: name, count) { offset, buffer in element(&self, offset, &buffer) }
  }
}

extension ByteBuffer {
  /// Appends stages of operations without contents.
  mutating func append(_ stages: [Stage]) {
    append(stages) { _, stage, buffer in
      buffer.append(stage.ops, stage.insertedRowCounts) { _, _, _ in }
    }
  }

  /// Appends stages, each of which `ops` appends with a comma after each operation.
  fileprivate mutating func append(
    _ stages: [Stage], _ ops: (Int, Stage, inout ByteBuffer) -> Void
  ) {
    append(0x5B)
    for index in stages.indices {
      appendSeparator()
      append(0x5B)
      ops(index, stages[index], &self)
      if !stages[index].ops.isEmpty { removeLast() }
      append(0x5D)
    }
    append(0x5D)
  }

  /// Appends operations, each followed by a comma. `contents` appends those of an operation, of which the
  /// sections that are inserted have the first numbers of rows.
  fileprivate mutating func append(
    _ ops: [Op], _ insertedRowCounts: [Int],
    _ contents: (Op, ArraySlice<Int>, inout ByteBuffer) -> Void
  ) {
    var rowCounts = insertedRowCounts[...]
    for op in ops {
      if case .moveItems(let from, let to, let count) = op {
        // There can be many of these, and they have no contents.
        append(move: from, to: to, count)
        continue
      }
      append(opening: op)
      if case .insertSections(_, let count) = op {
        append(list: "rows", count) { [rowCounts] index, buffer in
          buffer.append(decimal: rowCounts[rowCounts.startIndex + index])
        }
      }
      contents(op, rowCounts, &self)
      if case .insertSections(_, let count) = op { rowCounts.removeFirst(count) }
      append("},")
    }
  }
}

/// The sections and rows that the stages of a change insert, in order, as indices in the new
/// snapshot.
struct InsertedIndices {
  private var stages: ArraySlice<StageInsertions>
  private var sections: ArraySlice<Int> = []
  private var rows: ArraySlice<StageInsertions.Rows> = []
  private var offset = 0

  /// The index of the first row of the current run.
  private var first = 0

  init(_ stages: [Stage]) {
    self.stages = StageInsertions.ofStages(stages)[...]
  }

  /// Continues with the insertions of the next stage.
  mutating func beginStage() {
    let arrivals = stages.removeFirst()
    sections = arrivals.sections[...]
    rows = arrivals.rows[...]
    offset = 0
  }

  /// Returns the next section that the stage inserts.
  mutating func nextSection() -> Int { sections.removeFirst() }

  /// Returns the next row that the stage inserts, either with a section or by itself. `start`
  /// returns the index of the first row of a new section.
  mutating func nextRow(_ start: (_ section: Int) -> Int) -> Int {
    let run = rows[rows.startIndex]
    if offset == 0 { first = start(run.at.section) + run.at.row }
    let row = first + offset
    offset += 1
    if offset == run.count {
      rows.removeFirst()
      offset = 0
    }
    return row
  }
}
