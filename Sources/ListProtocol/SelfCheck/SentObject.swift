import JSONBytes
import ListDiff
import ListState

/// An object as it was sent: params, a result, or a part of these.
struct SentObject {
  private let members: [String: Value]

  /// The members of a value; `nil` if it is not an object.
  init?(_ value: Value?) {
    guard let members = value?.members else { return nil }
    self.members = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The params of a request; a member that is `null` is absent.
  init(asked message: SharedBytes, _ range: Range<Int>?) {
    let value = range.map { Value(message: message, range: $0, pointer: "/params") }
    members = (SentObject(value)?.members ?? [:]).filter { $0.value.kind != .null }
  }

  subscript(name: String) -> Value? { members[name] }

  var list: [UInt8]? { members["list"]?.string }

  /// The string that a member is; empty if it is not one.
  func text(_ name: String) -> String {
    String(decoding: members[name]?.string ?? [], as: UTF8.self)
  }

  /// The number that a member is.
  func number(_ name: String) throws(BrokenLaw) -> Int {
    guard let number = members[name]?.integer else { throw BrokenLaw(words: "no number \(name)") }
    return number
  }

  /// The elements of the array that a member is.
  func elements(_ name: String) throws(BrokenLaw) -> [Value] {
    guard let elements = members[name]?.elements else { throw BrokenLaw(words: "no \(name)") }
    return elements
  }

  /// Makes sure that a member is a number, or is not there.
  func check(_ name: String, is wanted: Int?) throws(BrokenLaw) {
    guard members[name]?.integer == wanted, (members[name] == nil) == (wanted == nil) else {
      throw BrokenLaw(words: "\(name) is not \(wanted.map { "\($0)" } ?? "left out")")
    }
  }

  /// The path that a member is; `nil` for `null`.
  func path(_ name: String) throws(BrokenLaw) -> [Int]? {
    guard let value = members[name] else { throw BrokenLaw(words: "no path \(name)") }
    if value.kind == .null { return nil }
    let path = value.elements?.compactMap(\.integer) ?? []
    guard path.count == 2 else { throw BrokenLaw(words: "a path that is not two numbers") }
    return path
  }

  /// Makes sure that the numbers of a view are those of a list, if that is a view.
  func checkNumbers(of list: NamedList) throws(BrokenLaw) {
    let numbers = SentObject(members["view"])
    guard (numbers == nil) == (list.view == nil) else { throw BrokenLaw(words: "not a view") }
    guard let numbers, let wanted = list.view?.numbers else { return }
    try numbers.check("start", is: wanted.start)
    try numbers.check("matched", is: wanted.matched)
    try numbers.check("total", is: wanted.total)
    try numbers.check("shown", is: wanted.shown)
  }

  /// Makes sure that the counts of rows and sections are given ones.
  func check(_ wanted: ObviousCounts) throws(BrokenLaw) {
    let counts = SentObject(members["counts"])
    for (name, wanted) in [("rows", wanted.rows), ("sections", wanted.sections)] {
      guard let found = SentObject(counts?[name]) else { throw BrokenLaw(words: "no counts") }
      try found.check("deletes", is: wanted.deletes)
      try found.check("inserts", is: wanted.inserts)
      try found.check("moves", is: wanted.moves)
      try found.check("updates", is: wanted.updates)
    }
  }

  /// Makes sure that the selection and the cursor are those of a list.
  func check(_ marks: ObviousMarks) throws(BrokenLaw) {
    guard try rows("selection") == marks.selected else {
      throw BrokenLaw(words: "the selection is another one")
    }
    guard try path("cursor") == marks.cursor else {
      throw BrokenLaw(words: "the cursor is in another place")
    }
  }

  /// Makes sure that what is selected and deselected leads from one selection to another one.
  func checkSelection(from before: NamedList, to after: NamedList) throws(BrokenLaw) {
    var selected = ObviousMarks(before).selected
    for op in try elements("ops") {
      guard let op = SentObject(op) else { throw BrokenLaw(words: "not an operation") }
      let rows = try op.run()
      switch op.text("op") {
      case "selectItems" where selected.isDisjoint(with: rows): selected.formUnion(rows)
      case "deselectItems" where selected.isSuperset(of: rows): selected.subtract(rows)
      default: throw BrokenLaw(words: "an operation that changes no selection")
      }
    }
    guard selected == ObviousMarks(after).selected else {
      throw BrokenLaw(words: "the operations do not lead to the new selection")
    }
  }

  /// Makes sure that the items are reported that left the selection.
  func checkDeselected(
    from before: NamedList, to after: NamedList, _ ids: borrowing IDTable
  ) throws(BrokenLaw) {
    let (old, new) = (before.snapshot, after.snapshot)
    // Which of several items is which is not known here, and what a view does not show stays selected.
    let isPlain =
      before.view == nil && after.view == nil
      && !(old.arrangement.hasRepeats || new.arrangement.hasRepeats)
    let kept = Set(after.selection.items.members.map { new.arrangement.rows[$0] })
    var others = Array(before.selection.items.members)
    for value in try elements("deselected") {
      guard let left = SentObject(value), let at = try left.path("at"),
        let isGone = left["gone"]?.boolean
      else { throw BrokenLaw(words: "an item that left the selection without a place") }
      // Items without rows share a place.
      var place: Int?
      for (index, item) in others.enumerated()
      where place == nil && old.path(ofItem: item).numbers == at {
        if left.hasID(of: old.arrangement.rows[item], ids) { place = index }
      }
      guard let place else {
        throw BrokenLaw(words: "an item left the selection that was not there")
      }
      let key = old.arrangement.rows[others.remove(at: place)]
      let isHere = new.arrangement.rows.contains(key)
      guard !isPlain || isGone != isHere && !kept.contains(key) else {
        throw BrokenLaw(words: "an item is still there, or still selected")
      }
    }
    guard !isPlain || others.allSatisfy({ kept.contains(old.arrangement.rows[$0]) }) else {
      throw BrokenLaw(words: "other items left the selection")
    }
  }

  /// Whether the member `id` is the identifier of a key, or is not there if that is none.
  func hasID(of key: UInt32, _ ids: borrowing IDTable) -> Bool {
    var expected = ByteBuffer()
    expected.append(idOf: key, ids)
    var id: [UInt8] = []
    if let value = members["id"] { id = Array("\"id\":".utf8) + value.bytes + [0x2C] }
    return expected.withUnsafeBytes { $0.elementsEqual(id) }
  }

  /// The rows of ranges.
  private func rows(_ name: String) throws(BrokenLaw) -> Set<[Int]> {
    var rows: Set<[Int]> = []
    for range in try elements(name) {
      guard let more = try SentObject(range)?.run(), rows.isDisjoint(with: more) else {
        throw BrokenLaw(words: "a row twice in \(name)")
      }
      rows.formUnion(more)
    }
    return rows
  }

  private func run() throws(BrokenLaw) -> Set<[Int]> {
    guard let path = try path("at"), case let count = try number("count"), count > 0 else {
      throw BrokenLaw(words: "a range without a place")
    }
    return Set((0..<count).map { [path[0], path[1] + $0] })
  }
}

/// What is selected in a list and where its cursor is, found row by row.
struct ObviousMarks {
  private(set) var selected: Set<[Int]> = []
  private(set) var cursor: [Int]?

  init(_ list: NamedList) {
    self.init(
      list.snapshot, isSelected: list.selection.items.contains, isCursor: { $0 == list.cursor })
  }

  /// What is selected in a list now, in an older snapshot; each item is a row with an identity of its
  /// own in both.
  init(of list: NamedList, in past: Snapshot) {
    let keys = list.snapshot.arrangement.rows
    let selected = Set(list.selection.items.members.map { keys[$0] })
    self.init(past) {
      selected.contains(past.arrangement.rows[$0])
    } isCursor: { row in
      list.cursor.map { keys[$0] } == past.arrangement.rows[row]
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
