import ByteBuffers
import JSONBytes
import ListDiff
import ListStages
import ListState

/// A change as a JSON Patch (RFC 6902) of `{"sections": […]}`, one operation after the other.
///
/// The elements are items, whatever rows they have. Items are added, removed, moved, and replaced
/// if their value changes. Own members of a section are added, removed and replaced one by one.
struct PatchWriter: ~Copyable {
  private var buffer = ByteBuffer()
  private let contents: ContentWriter

  /// The items and sections that are added although they were in the list, if nothing moves.
  private var added: (items: Set<Int>, sections: Set<Int>) = ([], [])

  /// The number of operations.
  private(set) var count = 0

  /// Creates an empty patch whose result has `contents`.
  init(_ contents: ContentWriter) {
    self.contents = contents
  }

  /// Appends the patch as an array.
  borrowing func append(to out: inout ByteBuffer) {
    out.append(0x5B)
    out.append(contentsOf: buffer)
    out.append(0x5D)
  }

  /// Adds the insertions, deletions and moves of `stages`, which are those of items. Unless `moves`, what
  /// moves is deleted and inserted.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of items that the operations
  ///   affect and *k* the number of operations.
  mutating func add(_ stages: [Stage], moves: Bool = true) {
    var stages = stages
    if !moves, stages.haveMoves {
      stages =
        stages.replacingMoves(
          rows: Counts(), sections: Counts(), rowCount: contents.rows.itemCount(ofSection:)
        )
        .stages
      for stage in StageInsertions.ofStages(stages) {
        added.sections.formUnion(stage.sections)
        for rows in stage.rows {
          let first = contents.rows.itemStart(ofSection: rows.at.section) + rows.at.row
          added.items.formUnion(first..<first + rows.count)
        }
      }
    }
    var inserted = InsertedIndices(stages)
    for stage in stages {
      inserted.beginStage()
      let sequence = OpSequence([stage])
      var itemCounts = sequence.insertedRowCounts[...]
      for op in sequence.ops { add(op, &inserted, &itemCounts) }
    }
  }

  private mutating func add(
    _ op: Op, _ inserted: inout InsertedIndices, _ itemCounts: inout ArraySlice<Int>
  ) {
    switch op {
    case .deleteSections(let at, let count):
      for _ in 0..<count { add("remove", at: .section(at)) }
    case .deleteItems(let at, let count):
      for _ in 0..<count { add("remove", at: .item(at)) }
    case .insertSections(let at, let count):
      for index in at..<at + count {
        let section = inserted.nextSection()
        let items = (0..<itemCounts.removeFirst()).map { _ in
          inserted.nextRow(contents.rows.itemStart)
        }
        open("add", at: .section(index))
        contents.appendSection(section, to: &buffer) { [contents] buffer in
          for (offset, item) in items.enumerated() {
            if offset > 0 { buffer.append(0x2C) }
            contents.appendItem(item, to: &buffer)
          }
        }
        buffer.append(0x7D)
      }
    case .insertItems(let at, let count):
      for offset in 0..<count {
        let item = inserted.nextRow(contents.rows.itemStart)
        addItem(item, "add", at: at.advanced(by: offset))
      }
    case .moveSections(let from, let to, let count):
      // Moved one by one, each section ends up after the ones moved before it.
      for offset in 0..<count {
        let isBackward = from > to
        move(
          .section(isBackward ? from + offset : from),
          .section(isBackward ? to + offset : to + count - 1))
      }
    case .moveItems(let from, let to, let count):
      let isForward = from.section == to.section && from.row < to.row
      let isBackward = from.section == to.section && from.row > to.row
      for offset in 0..<count {
        move(
          .item(isBackward ? from.advanced(by: offset) : from),
          .item(to.advanced(by: isForward ? count - 1 : offset)))
      }
    case .reloadSections, .reconfigureSections, .reloadItems, .reconfigureItems: break
    }
  }

  /// Adds the replacement of an item's value.
  mutating func replaceItem(_ item: Int, at path: Path) {
    if !added.items.contains(item) { addItem(item, "replace", at: path) }
  }

  private mutating func addItem(_ item: Int, _ name: StaticString, at path: Path) {
    open(name, at: .item(path))
    contents.appendItem(item, to: &buffer)
    buffer.append(0x7D)
  }

  /// Adds the changes in the own members of a section, given as two objects.
  mutating func add(
    section: Int, from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer
  ) {
    if Bytes.equal(old, new) || added.sections.contains(section) { return }
    let before = OwnMembers(old)
    let after = OwnMembers(new)
    for name in before.names where after[name] == nil {
      add("remove", at: .member(section, name))
    }
    for name in after.names {
      guard let value = after[name] else { continue }
      let partner = before[name]
      if let partner, JSONEquality.equal(old[slice: partner], new[slice: value]) { continue }
      open(partner == nil ? "add" : "replace", at: .member(section, name))
      buffer.append(json: new[slice: value], singleLine: contents.form.singleLine)
      buffer.append(0x7D)
    }
  }

  /// A location in the document.
  private enum Location {
    case section(Int)
    case item(Path)
    case member(Int, [UInt8])
  }

  private mutating func add(_ name: StaticString, at location: Location) {
    begin(name)
    append("path", location)
    buffer.append(0x7D)
  }

  /// Begins an operation that has a value.
  private mutating func open(_ name: StaticString, at location: Location) {
    begin(name)
    append("path", location)
    buffer.append(member: "value")
  }

  private mutating func move(_ from: Location, _ to: Location) {
    begin("move")
    append("from", from)
    append("path", to)
    buffer.append(0x7D)
  }

  private mutating func begin(_ name: StaticString) {
    buffer.append(count == 0 ? "{\"op\":\"" : ",{\"op\":\"")
    buffer.append(name)
    buffer.append("\"")
    count += 1
  }

  private mutating func append(_ name: StaticString, _ location: Location) {
    buffer.append(member: name)
    buffer.append("\"/sections/")
    switch location {
    case .section(let section): buffer.append(decimal: section)
    case .item(let path):
      buffer.append(decimal: path.section)
      buffer.append("/items/")
      buffer.append(decimal: path.row)
    case .member(let section, let name):
      buffer.append(decimal: section)
      buffer.append("/")
      var escaped: [UInt8] = []
      for byte in name {
        switch byte {
        case 0x7E: escaped += [0x7E, 0x30]
        case 0x2F: escaped += [0x7E, 0x31]
        default: escaped.append(byte)
        }
      }
      escaped.withUnsafeBytes { buffer.append(jsonStringBody: $0) }
    }
    buffer.append("\"")
  }
}

/// The members of an object in order. Of duplicate names, the last value is kept.
private struct OwnMembers {
  private(set) var names: [[UInt8]] = []
  private var values: [[UInt8]: Range<Int>] = [:]

  init(_ object: UnsafeRawBufferPointer) {
    JSONReader(object).forEachMember { reader, member, value in
      let name = reader.name(member)
      if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
  }

  subscript(name: [UInt8]) -> Range<Int>? { values[name] }
}

extension UnsafeRawBufferPointer {
  fileprivate subscript(slice range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

extension PatchWriter {
  /// Creates the patch for a change. Unless `moves`, what moves is removed and added.
  init(_ change: ListChange, _ contents: ContentWriter, moves: Bool) {
    self.init(contents)
    add(change.operations.itemStages ?? change.operations.stages, moves: moves)
    for (section, before) in change.operations.changedSections {
      before.withUnsafeBytes {
        add(section: section, from: $0, to: contents.rows.bytes(ofSection: section))
      }
    }
    for item in change.operations.changedItems {
      replaceItem(item, at: contents.rows.itemPath(ofItem: item))
    }
  }
}
