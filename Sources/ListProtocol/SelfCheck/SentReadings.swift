import JSONBytes
import ListDiff
import ListState
import ListText

// Each result is compared with the whole snapshot of its list.

extension ListService {
  /// Checks the result of a method that changes nothing.
  mutating func check(
    reading value: Value, of method: Method, _ requestParams: SentObject, _ options: TextOptions
  ) throws(InvariantViolation) {
    let result = try expect(SentObject(value), "not an object")
    if method == .getLists { return try check(lists: result) }
    guard let name = result.list, name == requestParams.list else {
      throw InvariantViolation("no list")
    }
    let now = store.listOrNew(name)
    let revision = requestParams["revision"]?.integer ?? now.revision
    try result.check("revision", is: revision)
    switch method {
    case .getSnapshot: try check(snapshot: result, of: now, revision, requestParams)
    case .getSelection: try check(selected: result, of: now)
    case .getText: try check(wholeText: result, requestParams, options)
    default: try check(locations: result, in: now, requestParams)
    }
  }

  private mutating func check(
    selected result: SentObject, of list: NamedList
  ) throws(InvariantViolation) {
    try result.check(ReferenceMarks(list))
    let known = store.peek(list.name) ?? list
    let contents = ContentWriter(list.rows, ContentForm(singleLine: false))
    let items = list.allSelectedItems.map { item in
      guard list.view != nil else { return ReferenceList.item(item, contents) }
      return ReferenceList.normalized(ReferenceList.canonical(known.text(ofItem: item)))
    }
    try expect(
      result["items"]?.elements?.map(ReferenceList.row) == items, "other items are selected")
  }

  /// Checks the answer to a subscription without a revision.
  func check(
    opening result: SentObject, _ encoding: ChangeEncoding
  ) throws(InvariantViolation) {
    guard let name = result.list, let snapshot = SentObject(result["snapshot"]) else {
      throw InvariantViolation("neither a change nor a snapshot")
    }
    let now = store.listOrNew(name)
    try result.check("revision", is: now.revision)
    try result.check(ReferenceMarks(now))
    try result.checkNumbers(of: now)
    try snapshot.check(sectionsOf: now.shownItems, encoding.form)
  }

  private func check(lists result: SentObject) throws(InvariantViolation) {
    let lists = try result.objects("lists")
    try expect(lists.count == store.names.count, "not every list")
    for (result, name) in zip(lists, store.names) {
      try expect(result.list == name, "another list")
      let list = store.listOrNew(name)
      try result.check("revision", is: list.revision)
      try result.check("sections", is: list.shownItems.sections.count)
      try result.check("items", is: list.shownItems.itemCount)
      try result.check("rows", is: list.shownItems.rowCount)
      try result.check("selected", is: list.allSelectedItems.count)
      try result.checkNumbers(of: list)
      let definition = result["definition"].map { ReferenceList.canonical($0.bytes) }
      try expect(
        definition == list.view.map({ ReferenceList.canonical($0.rules.source) }), "another view")
      try expect(
        result["sources"]?.elements?.map({ $0.string ?? [] }) == list.sources, "other sources")
    }
  }

  private mutating func check(
    snapshot result: SentObject, of list: NamedList, _ revision: Int, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    let snapshot = try expect(try? list.snapshot(of: revision), "a revision that is not kept")
    if revision == list.revision {
      try result.check(ReferenceMarks(list))
      try result.checkNumbers(of: list)
    } else if case let all = list.allItems, snapshot.isPlain, all.isPlain {
      try result.check(ReferenceMarks(of: list, all, in: snapshot))
    } else {
      let marks = store.marks(of: store.peek(list.name) ?? list, in: snapshot)
      try result.check(
        ReferenceMarks(
          snapshot, isSelected: marks.selected.contains, isCursor: { $0 == marks.cursor }))
    }
    let members = requestParams["members"]?.elements?.map { $0.string ?? [] }
    let form = ContentForm(singleLine: false, members: members.map { WantedMembers($0) })
    guard let window = SentObject(requestParams["window"]) else {
      return try result.check(sectionsOf: snapshot, form)
    }
    let contents = ContentWriter(ListRows(snapshot), form)
    let start = try window.number("start")
    try result.check("start", is: start)
    try result.check("total", is: snapshot.rowCount)
    var rows = (0..<snapshot.rowCount).dropFirst(start).prefix(try window.number("count"))
    for found in try result.objects("rows") {
      guard let row = rows.popFirst(), try found.path("at") == snapshot.path(ofRow: row).numbers,
        ReferenceList.row(found["content"]) == ReferenceList.row(row, contents)
      else { throw InvariantViolation("another row in the window") }
    }
    try expect(rows.isEmpty, "not all rows of the window")
  }
}

extension SentObject {
  /// Checks that the sections are those of a snapshot, with all items.
  fileprivate func check(
    sectionsOf snapshot: Snapshot, _ form: ContentForm
  ) throws(InvariantViolation) {
    guard let sections = self["sections"],
      ReferenceList(sections: sections).isSame(as: ReferenceList(itemsOf: snapshot, form))
    else { throw InvariantViolation("another snapshot") }
  }
}

extension Path {
  var numbers: [Int] { [section, row] }
}

extension Snapshot {
  /// Whether each item is a row with a unique identity.
  fileprivate var isPlain: Bool { parts == nil && !arrangement.hasRepeats }
}
