import JSONBytes
import ListDiff

/// The lines of two plain texts, drawn as they are but for control characters.
struct DrawnLines: DrawnLists {
  let lines: ComparedLines
  var matching: Matching { lines.matching }
  var movement: Movement { lines.movement }
  let oldStarts: [Int32]
  let newStarts: [Int32]
  var rowsBefore: Int { lines.linesBefore }
  var hasHeadings: Bool { false }

  init(_ lines: ComparedLines) {
    self.lines = lines
    oldStarts = [0, Int32(truncatingIfNeeded: lines.oldCount)]
    newStarts = [0, Int32(truncatingIfNeeded: lines.newCount)]
  }

  func isChanged(row: Int) -> Bool { false }
  func isChanged(section: Int) -> Bool { false }
  func append(oldRow: Int, to buffer: inout ByteBuffer) {
    buffer.append(printable: lines.oldLine(oldRow))
  }
  func append(newRow: Int, to buffer: inout ByteBuffer) {
    buffer.append(printable: lines.newLine(newRow))
  }
  func append(oldSection: Int, to buffer: inout ByteBuffer) {}
  func append(newSection: Int, to buffer: inout ByteBuffer) {}
}
