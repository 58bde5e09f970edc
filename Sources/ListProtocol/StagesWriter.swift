import JSONBytes
import ListDiff
import ListState

/// Writes a change as stages of operations, with what they bring in where that is wanted.
struct StagesWriter {
  let stages: [Stage]
  let contents: SnapshotWriter?

  /// Appends the array of stages.
  func append(to buffer: inout ByteBuffer) {
    let arrivals = contents == nil ? [] : Arrivals.ofStages(stages)
    buffer.append(0x5B)
    for (place, stage) in stages.enumerated() {
      if place > 0 { buffer.append(0x2C) }
      let arriving = contents.map { ArrivingContents($0, arrivals[place]) }
      append(stage, arriving, to: &buffer)
    }
    buffer.append(0x5D)
  }

  private func append(_ stage: Stage, _ arriving: ArrivingContents?, to buffer: inout ByteBuffer) {
    var arriving = arriving
    var rowCounts = stage.insertedRowCounts[...]
    buffer.append(0x5B)
    for (place, op) in stage.ops.enumerated() {
      if place > 0 { buffer.append(0x2C) }
      buffer.append(opening: op)
      var counts: ArraySlice<Int> = []
      if case .insertSections(_, let count) = op {
        counts = rowCounts.prefix(count)
        rowCounts.removeFirst(count)
        buffer.append(list: "rows", counts.count) { place, buffer in
          buffer.append(decimal: counts[counts.startIndex + place])
        }
      }
      arriving?.append(op, counts, to: &buffer)
      buffer.append(0x7D)
    }
    buffer.append(0x5D)
  }
}

/// What the operations of a stage bring in, in their order.
struct ArrivingContents {
  private let contents: SnapshotWriter
  private var sections: ArraySlice<Int>
  private var rows: ArraySlice<Arrivals.Rows>
  private var taken = 0

  init(_ contents: SnapshotWriter, _ arrivals: Arrivals) {
    self.contents = contents
    sections = arrivals.sections[...]
    rows = arrivals.rows[...]
  }

  /// Appends what an operation brings in, where it brings anything.
  mutating func append(_ op: Op, _ rowCounts: ArraySlice<Int>, to buffer: inout ByteBuffer) {
    switch op {
    case .insertSections:
      buffer.append(list: "sections", rowCounts.count) { place, buffer in
        let section = sections.removeFirst()
        let count = rowCounts[rowCounts.startIndex + place]
        contents.appendSection(section, to: &buffer) { appendRows(count, to: &$0) }
      }
    case .insertItems(_, let count):
      buffer.append(",\"items\":[")
      appendRows(count, to: &buffer)
      buffer.append("]")
    case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
      buffer.append(list: "sections", count) { contents.appendOwn(ofSection: at + $0, to: &$1) }
    case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
      let first = Int(contents.snapshot.rowStarts[at.section]) + at.row
      buffer.append(list: "items", count) { contents.appendRow(first + $0, to: &$1) }
    default: break
    }
  }

  private mutating func appendRows(_ count: Int, to buffer: inout ByteBuffer) {
    let starts = contents.snapshot.rowStarts
    for place in 0..<count {
      if place > 0 { buffer.append(0x2C) }
      let run = rows[rows.startIndex]
      contents.appendRow(Int(starts[run.at.section]) + run.at.row + taken, to: &buffer)
      taken += 1
      if taken == run.count {
        rows.removeFirst()
        taken = 0
      }
    }
  }
}

extension ByteBuffer {
  /// Appends an array as a member, with a comma before it.
  mutating func append(
    list name: StaticString, _ count: Int, _ element: (Int, inout ByteBuffer) -> Void
  ) {
    append(",\"")
    append(name)
    append("\":[")
    for place in 0..<count {
      if place > 0 { append(0x2C) }
      element(place, &self)
    }
    append("]")
  }
}
