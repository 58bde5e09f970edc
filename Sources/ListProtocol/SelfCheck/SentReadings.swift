import JSONBytes
import ListDiff
import ListState
import ListText

// Each result is compared with the whole snapshot of its list, also if the list is edited in a tree.

extension ListService {
  /// Checks the result of a method that changes nothing.
  mutating func check(
    reading value: Value, of method: Method, _ asked: SentObject, _ options: TextOptions
  ) throws(BrokenLaw) {
    guard let result = SentObject(value) else { throw BrokenLaw(words: "not an object") }
    if method == .getLists { return try check(lists: result) }
    guard let name = result.list, name == asked.list else { throw BrokenLaw(words: "no list") }
    let now = store.listOrNew(name)
    let revision = asked["revision"]?.integer ?? now.revision
    try result.check("revision", is: revision)
    switch method {
    case .getSnapshot: try check(snapshot: result, of: now, revision, asked["window"])
    case .getSelection: try check(selected: result, of: now)
    case .getText: try check(wholeText: result, asked, options)
    default: try check(locations: result, in: now, asked)
    }
  }

  private mutating func check(
    selected result: SentObject, of list: NamedList
  ) throws(BrokenLaw) {
    try result.check(ObviousMarks(list))
    let items: [[UInt8]]
    if let view = list.view, store.isOutline(list.name) {
      items = list.fullSelection.items.members.map { item in
        store.text(ofItem: item, of: view).withUnsafeBytes {
          ObviousList.alike(ObviousList.canonical($0))
        }
      }
    } else {
      let all = store.allItems(of: list)
      items = list.fullSelection.items.members.map { ObviousList.item($0, of: all) }
    }
    guard result["items"]?.elements?.map(ObviousList.row) == items else {
      throw BrokenLaw(words: "other items are selected")
    }
  }

  /// Checks what a subscriber without a revision is sent.
  func check(opening result: SentObject) throws(BrokenLaw) {
    guard let name = result.list, let snapshot = SentObject(result["snapshot"]) else {
      throw BrokenLaw(words: "neither a change nor a snapshot")
    }
    let now = store.listOrNew(name)
    try result.check("revision", is: now.revision)
    try result.check(ObviousMarks(now))
    try result.checkNumbers(of: now)
    try snapshot.check(sectionsOf: now.snapshot)
  }

  private func check(lists result: SentObject) throws(BrokenLaw) {
    let lists = try result.elements("lists")
    guard lists.count == store.names.count else { throw BrokenLaw(words: "not every list") }
    for (value, name) in zip(lists, store.names) {
      guard let result = SentObject(value), result.list == name else {
        throw BrokenLaw(words: "another list")
      }
      let list = store.listOrNew(name)
      try result.check("revision", is: list.revision)
      try result.check("sections", is: list.snapshot.sections.count)
      try result.check("items", is: list.snapshot.itemCount)
      try result.check("rows", is: list.snapshot.rowCount)
      try result.check("selected", is: Array(list.fullSelection.items.members).count)
      try result.checkNumbers(of: list)
      let definition = result["definition"].map { ObviousList.canonical($0.bytes) }
      guard definition == list.view?.rules.source.withUnsafeBytes(ObviousList.canonical) else {
        throw BrokenLaw(words: "another view")
      }
      guard result["sources"]?.elements?.map({ $0.string ?? [] }) == list.sources else {
        throw BrokenLaw(words: "other sources")
      }
    }
  }

  private mutating func check(
    snapshot result: SentObject, of list: NamedList, _ revision: Int, _ window: Value?
  ) throws(BrokenLaw) {
    guard let snapshot = try? list.snapshot(of: revision) else {
      throw BrokenLaw(words: "a revision that is not kept")
    }
    if revision == list.revision {
      try result.check(ObviousMarks(list))
      try result.checkNumbers(of: list)
    } else if snapshot.isPlain, list.snapshot.isPlain {
      try result.check(ObviousMarks(of: list, in: snapshot))
    } else {
      let marks = store.marks(of: list, in: snapshot)
      try result.check(
        ObviousMarks(
          snapshot, isSelected: marks.selection.contains, isCursor: { $0 == marks.cursor }))
    }
    guard let window = SentObject(window) else { return try result.check(sectionsOf: snapshot) }
    let start = try window.number("start")
    try result.check("start", is: start)
    try result.check("total", is: snapshot.rowCount)
    var rows = (0..<snapshot.rowCount).dropFirst(start).prefix(try window.number("count"))
    for value in try result.elements("rows") {
      guard let found = SentObject(value), let row = rows.popFirst(),
        try found.path("at") == snapshot.path(ofRow: row).numbers,
        ObviousList.row(found["content"]) == ObviousList.row(row, of: snapshot)
      else { throw BrokenLaw(words: "another row in the window") }
    }
    guard rows.isEmpty else { throw BrokenLaw(words: "not all rows of the window") }
  }
}

extension SentObject {
  /// Makes sure that the sections are those of a snapshot, with all items.
  fileprivate func check(sectionsOf snapshot: Snapshot) throws(BrokenLaw) {
    guard let sections = self["sections"],
      ObviousList(sections: sections).isSame(as: ObviousList(itemsOf: snapshot))
    else { throw BrokenLaw(words: "another snapshot") }
  }
}

extension Path {
  var numbers: [Int] { [section, row] }
}

extension Snapshot {
  /// Whether each item is a row with an identity of its own.
  fileprivate var isPlain: Bool { parts == nil && !arrangement.hasRepeats }
}
