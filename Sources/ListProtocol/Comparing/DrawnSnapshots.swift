import JSONBytes
import ListDiff
import ListState

/// Two snapshots, drawn as the JSON that they are.
struct DrawnSnapshots: DrawnLists {
  let old: Snapshot
  let new: Snapshot
  let matching: Matching
  let movement: Movement
  let oldStarts: [Int32]
  let newStarts: [Int32]
  let hasHeadings: Bool
  var rowsBefore: Int { 0 }
  private var changedRows: BitSet
  private var changedSections: BitSet

  init(_ change: SnapshotChange, from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
    matching = change.matching
    movement = change.movement
    oldStarts = old.rowStarts
    newStarts = new.rowStarts
    hasHeadings =
      max(old.sections.count, new.sections.count) > 1
      || movement.sectionCounts != Counts()
    changedRows = BitSet(bound: new.rowCount)
    changedSections = BitSet(bound: new.sections.count)
    for op in change.stages.last?.ops ?? [] {
      switch op {
      case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
        for section in at..<at + count { changedSections.insert(section) }
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        let first = Int(newStarts[at.section]) + at.row
        for row in first..<first + count { changedRows.insert(row) }
      default: break
      }
    }
  }

  func isChanged(row: Int) -> Bool { changedRows.contains(row) }
  func isChanged(section: Int) -> Bool { changedSections.contains(section) }

  func append(oldRow: Int, to buffer: inout ByteBuffer) {
    append(old.bytes(of: old.payload(ofRow: oldRow)), to: &buffer)
  }

  func append(newRow: Int, to buffer: inout ByteBuffer) {
    append(new.bytes(of: new.payload(ofRow: newRow)), to: &buffer)
  }

  func append(oldSection: Int, to buffer: inout ByteBuffer) {
    append(old.bytes(of: old.sections[oldSection].own), to: &buffer)
  }

  func append(newSection: Int, to buffer: inout ByteBuffer) {
    append(new.bytes(of: new.sections[newSection].own), to: &buffer)
  }

  /// A string without its quotation marks, all else as it is but for control characters.
  private func append(_ json: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    let isString = json[0] == 0x22
    let bytes = isString ? UnsafeRawBufferPointer(rebasing: json[1..<json.count - 1]) : json
    var line = ByteBuffer(capacity: bytes.count)
    line.append(json: bytes, singleLine: true)
    line.withUnsafeBytes { buffer.append(printable: $0) }
  }
}
