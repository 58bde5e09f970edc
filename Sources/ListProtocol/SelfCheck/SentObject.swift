import ByteBuffers
import ListDiff
import ListState

/// An object as it was sent: parameters, a result, or a part of these.
struct SentObject {
  /// The value that it was read from; `nil` if a request has no parameters.
  let value: Value?
  private let members: [String: Value]

  /// Reads the members of a value; fails if it is not an object.
  init?(_ value: Value?) {
    guard let members = value?.members else { return nil }
    self.value = value
    self.members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Reads the parameters of a request. A member that is `null` is absent.
  init(params message: SharedBytes, _ range: Range<Int>?) {
    let params = range.map { Value(message: message, range: $0, .params) }
    value = params?.kind == .null ? nil : params
    members = (SentObject(value)?.members ?? [:]).filter { $0.value.kind != .null }
  }

  subscript(name: String) -> Value? { members[name] }

  var list: [UInt8]? { members["list"]?.string }

  /// Returns a member as a string; empty if it is not one.
  func text(_ name: String) -> String {
    String(decoding: members[name]?.string ?? [], as: UTF8.self)
  }

  /// Returns a member as a number.
  func number(_ name: String) throws(InvariantViolation) -> Int {
    let number = try expect(members[name]?.integer, "no number \(name)")
    return number
  }

  /// Returns the elements of a member that is an array.
  func elements(_ name: String) throws(InvariantViolation) -> [Value] {
    let elements = try expect(members[name]?.elements, "no \(name)")
    return elements
  }

  /// Returns the elements of a member that is an array of objects.
  func objects(_ name: String) throws(InvariantViolation) -> [SentObject] {
    var objects: [SentObject] = []
    for value in try elements(name) {
      objects.append(try expect(SentObject(value), "not an object in \(name)"))
    }
    return objects
  }

  /// Checks that a member is a number, or is absent if that is `nil`.
  func check(_ name: String, is wanted: Int?) throws(InvariantViolation) {
    try expect(
      members[name]?.integer == wanted && (members[name] == nil) == (wanted == nil),
      "\(name) is not \(wanted.map { "\($0)" } ?? "left out")")
  }

  /// Returns a member as a path.
  func path(_ name: String) throws(InvariantViolation) -> [Int] {
    let path = members[name]?.elements?.compactMap(\.integer) ?? []
    try expect(path.count == 2, "no path \(name)")
    return path
  }

  /// Checks the numbers of a view, which other lists do not have.
  func checkNumbers(of list: NamedList) throws(InvariantViolation) {
    let numbers = SentObject(members["view"])
    try expect((numbers == nil) == (list.view == nil), "not a view")
    guard let numbers, let wanted = list.viewNumbers else { return }
    try numbers.check("start", is: wanted.start)
    try numbers.check("matched", is: wanted.matched)
    try numbers.check("total", is: wanted.total)
    try numbers.check("shown", is: wanted.shown)
  }

  /// Checks the counts of rows and sections.
  func check(_ wanted: ReferenceCounts) throws(InvariantViolation) {
    let counts = SentObject(members["counts"])
    for (name, wanted) in [("rows", wanted.rows), ("sections", wanted.sections)] {
      let found = try expect(SentObject(counts?[name]), "no counts")
      try found.check("deletes", is: wanted.deletes)
      try found.check("inserts", is: wanted.inserts)
      try found.check("moves", is: wanted.moves)
      try found.check("updates", is: wanted.updates)
    }
  }

  /// Checks the selection and the cursor.
  func check(_ marks: ReferenceMarks) throws(InvariantViolation) {
    try expect(rows("selection") == marks.selected, "the selection is another one")
    let cursor = members["cursor"]?.kind == .null ? nil : try path("cursor")
    try expect(cursor == marks.cursor, "the cursor is at another path")
  }

  /// Checks that the operations lead from one selection to the other.
  func checkSelection(from before: NamedList, to after: NamedList) throws(InvariantViolation) {
    var selected = ReferenceMarks(before).selected
    for op in try objects("ops") {
      let rows = try op.run()
      switch op.text("op") {
      case "selectItems" where selected.isDisjoint(with: rows): selected.formUnion(rows)
      case "deselectItems" where selected.isSuperset(of: rows): selected.subtract(rows)
      default: throw InvariantViolation("an operation that changes no selection")
      }
    }
    try expect(
      selected == ReferenceMarks(after).selected, "the operations do not lead to the new selection")
  }

  /// Checks that the items that left the selection are reported.
  func checkDeselected(
    from before: NamedList, to after: NamedList, _ ids: borrowing IDTable
  ) throws(InvariantViolation) {
    let (old, new) = (before.shownItems, after.shownItems)
    // Repeated items cannot be distinguished here, and items that a view does not show stay
    // selected.
    let isPlain =
      before.view == nil && after.view == nil
      && !(old.arrangement.hasRepeats || new.arrangement.hasRepeats)
    let kept = Set(after.selectedItems.map { new.arrangement.rows[$0] })
    var others = before.selectedItems
    for left in try objects("deselected") {
      let at = try left.path("at")
      let isGone = try expect(left["gone"]?.boolean, "a deselected item without \"gone\"")
      // Items without rows have the same path.
      var position: Int?
      for (index, item) in others.enumerated() where old.path(ofItem: item).numbers == at {
        if left.hasID(of: old.arrangement.rows[item], ids) { position = position ?? index }
      }
      let found = try expect(position, "an item left the selection that was not there")
      let key = old.arrangement.rows[others.remove(at: found)]
      let isHere = new.arrangement.rows.contains(key)
      try expect(
        !isPlain || isGone != isHere && !kept.contains(key),
        "an item is still there, or still selected")
    }
    try expect(
      !isPlain || others.allSatisfy({ kept.contains(old.arrangement.rows[$0]) }),
      "other items left the selection")
  }

  /// Reports whether the member `id` is the identifier with a key, or is absent if that has none.
  func hasID(of key: UInt32, _ ids: borrowing IDTable) -> Bool {
    var expected = ByteBuffer()
    expected.append(idOf: key, ids)
    var id: [UInt8] = []
    if let value = members["id"] { id = Array("\"id\":".utf8) + value.bytes }
    return expected.withUnsafeBytes { $0.elementsEqual(id) }
  }

  /// Returns the rows of ranges.
  private func rows(_ name: String) throws(InvariantViolation) -> Set<[Int]> {
    var rows: Set<[Int]> = []
    for range in try objects(name) {
      let more = try range.run()
      try expect(rows.isDisjoint(with: more), "a duplicate row in \(name)")
      rows.formUnion(more)
    }
    return rows
  }

  private func run() throws(InvariantViolation) -> Set<[Int]> {
    let (path, count) = (try path("at"), try number("count"))
    try expect(count > 0, "a range of nothing")
    return Set((0..<count).map { [path[0], path[1] + $0] })
  }
}

/// The selection and the cursor of a list, found row by row.
struct ReferenceMarks {
  private(set) var selected: Set<[Int]> = []
  private(set) var cursor: [Int]?

  init(_ list: NamedList) {
    let selected = Set(list.selectedItems)
    self.init(
      list.shownItems, isSelected: selected.contains, isCursor: { $0 == list.cursor })
  }

  /// Finds the present selection of a list, whose items are `all`, in an older snapshot. In both, each
  /// item must be a row with a unique identity.
  init(of list: NamedList, _ all: Snapshot, in past: Snapshot) {
    let selected = Set(list.allSelectedItems.map { all.arrangement.rows[$0] })
    let cursor = list.cursor.map { list.shownItems.arrangement.rows[$0] }
    self.init(past) {
      selected.contains(past.arrangement.rows[$0])
    } isCursor: { row in
      cursor == past.arrangement.rows[row]
    }
  }

  init(_ snapshot: Snapshot, isSelected: (Int) -> Bool, isCursor: (Int) -> Bool) {
    let starts = snapshot.rowStarts.map { Int($0) }
    for section in snapshot.sections.indices {
      for row in starts[section]..<starts[section + 1] {
        let path = [section, row - starts[section]]
        if isSelected(snapshot.item(ofRow: row)) { selected.insert(path) }
        if isCursor(row) { cursor = path }
      }
    }
  }
}
