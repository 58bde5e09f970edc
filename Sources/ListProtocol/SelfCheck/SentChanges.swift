import ByteBuffers
import ListDiff
import ListState
import ListText

extension ListService {
  /// Checks the modified lists and the lists derived from them against reference implementations:
  /// edits of the whole snapshot, and composites and views that are composed again.
  mutating func checkTouched(_ method: Method, _ requestParams: SentObject)
    throws(InvariantViolation)
  {
    if method == .editSnapshot, let name = requestParams.list,
      let edits = fed.madeEdits ?? requestParams["edits"],
      requestParams["dryRun"]?.boolean != true,
      let before = selfCheck.listsBefore[name], before.sources == nil
    {
      // References refer to the text before the request.
      let now = book
      book.undo()
      defer { book = now }
      guard let edits = try? readEdits(edits, of: name),
        let made = try? store.edited(before.shownItems, of: before, edits),
        ReferenceList(itemsOf: made).isSame(
          as: ReferenceList(itemsOf: store.listOrNew(name).shownItems))
      else { throw InvariantViolation("the list is not the result of the edits") }
    }
    var names: Set<[UInt8]> = []
    for touched in store.modifiedLists {
      names.insert(touched.name)
      names.formUnion(store.dependents(of: touched.name))
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let list = store.peek(name), list.sources != nil else { continue }
      let made = store.composedAnew(list)
      guard made.numbers == list.viewNumbers,
        ReferenceList(itemsOf: made.snapshot).isSame(as: ReferenceList(itemsOf: list.shownItems))
      else {
        let name = String(decoding: name, as: UTF8.self)
        throw InvariantViolation("the list \(name) is not the result of its sources")
      }
    }
  }

  /// Checks a change of a list, or of two snapshots that are compared.
  ///
  /// `isSince` if the change is from a revision that a client knows; `isLast` and `isOnly` if it is
  /// the last or the only one of the list for a client.
  mutating func check(
    change: SentObject, _ encoding: ChangeEncoding, isSince: Bool = false, isLast: Bool = true,
    isOnly: Bool = true
  ) throws(InvariantViolation) {
    try expect(change.text("format") == encoding.format.rawValue, "another format")
    guard let name = change.list else {
      guard encoding.format != .none else { return }
      guard let checked = selfCheck.checked.last, checked.list == nil else {
        throw InvariantViolation("a change of nothing")
      }
      try change.check("baseRevision", is: checked.baseRevision)
      try change.check("revision", is: checked.revision)
      return try check(change, encoding, checked)
    }
    // A client can follow a list that does not exist yet.
    try expect(store.contains(name) || isSince, "not a list")
    let now = store.listOrNew(name)
    let base = try change.number("baseRevision")
    let revision = try change.number("revision")
    // A composite may change several times; changes of texts and selections alone are not recorded.
    let candidates = selfCheck.checked.filter { $0.list == name }
    let checked =
      candidates.last { $0.baseRevision == base && $0.revision == revision } ?? candidates.last
      ?? SelfCheck.CheckedChange(
        old: now.shownItems, new: now.shownItems, change: ListChange(unchanged: now), list: name,
        baseRevision: now.revision, revision: now.revision)
    try change.check("baseRevision", is: checked.baseRevision)
    try change.check("revision", is: checked.revision)
    try check(change, encoding, checked)
    guard isLast else { return }
    try change.check(ReferenceMarks(now))
    try change.checkNumbers(of: now)
    guard !isSince, isOnly, candidates.count < 2 else { return }
    let before = selfCheck.listsBefore[name]
    try change.checkDeselected(from: before ?? NamedList(name: name), to: now, store.ids)
    if encoding.format == .textEdits, change["reload"] == nil {
      try check(text: change, encoding.text, from: before, to: now)
    }
  }

  /// Checks the operations of a change in its format.
  private func check(
    _ change: SentObject, _ encoding: ChangeEncoding, _ checked: SelfCheck.CheckedChange
  ) throws(InvariantViolation) {
    if encoding.format == .none { return }
    if encoding.moves { try change.check(checked.counts) }
    if let reload = change["reload"] {
      try expect(reload.boolean == true && encoding.maxOps < .max, "an unnecessary reload")
      return
    }
    let answer = try expect(change[encoding.format.rawValue], "no \(encoding.format.rawValue)")
    if encoding.format != .textEdits {
      let counts = try SelfCheck.check(
        answer, encoding.format, encoding.content, encoding.form, from: checked.old, to: checked.new
      )
      if !encoding.moves, let counts {
        try expect(counts.rows.moves + counts.sections.moves == 0, "a move that is not wanted")
        try change.check(counts)
      }
    }
    // The text of a list depends on more than its snapshot.
    guard encoding.format == .textEdits, checked.list == nil else { return }
    var book = book
    let pages = [checked.old, checked.new].map { snapshot in
      ReferencePage(
        text: book.render(snapshot, of: checked.templates, store.ids, spans: encoding.text.spans),
        snapshot: snapshot)
    }
    try check(edits: change, encoding.text, from: pages[0], to: pages[1])
  }

  /// Checks a change of a selection, and of the text that shows it.
  mutating func check(
    selection change: SentObject, _ encoding: ChangeEncoding, isLast: Bool = true,
    isOnly: Bool = true
  ) throws(InvariantViolation) {
    guard let name = change.list, let now = store.peek(name) else {
      throw InvariantViolation("not a list")
    }
    if change["revision"] != nil { try change.check("revision", is: now.revision) }
    guard isLast else { return }
    try change.check(ReferenceMarks(now))
    let before = selfCheck.listsBefore[name] ?? now
    guard isOnly else { return }
    // If the list has changed, too, the rows have other paths.
    if change["ops"] != nil, before.revision == now.revision {
      try change.checkSelection(from: before, to: now)
    }
    if change["textEdits"] != nil {
      return try check(text: change, encoding.text, from: before, to: now)
    }
    guard encoding.format == .textEdits else { return }
    let page = page(of: now, in: book, encoding.text)
    try change.check("textRevision", is: book.text(of: name).revision)
    try change.check("cursorLine", ofCursor: page)
    try change.check(selectedLinesOf: encoding.text.selectedLines ? page : nil)
  }

  /// Checks that the items that were expanded are in the outline and await their children.
  mutating func check(expanded params: SentObject, in name: [UInt8]) throws(InvariantViolation) {
    let items = try params.elements("items")
    let list = store.listOrNew(name)
    guard store.isOutline(name), !items.isEmpty else {
      throw InvariantViolation("not an outline")
    }
    for item in items {
      let shown: [UInt8]
      if let named = SentObject(item), named["path"] != nil {
        let path = try named.path("path")
        let row = try expect(
          list.rows.row(section: path[0], path[1]), "an item that is not shown was expanded")
        var text = ByteBuffer()
        ContentWriter(list.rows).appendRow(row, to: &text)
        shown = text.withUnsafeBytes { Array($0) }
      } else {
        guard let reference = try? ItemReference.read(item, store.ids, nil),
          let found = store.item(reference, of: list)
        else {
          throw InvariantViolation("an item that is not in the outline was expanded")
        }
        shown = list.text(ofItem: found)
      }
      let value = SentObject(Value(SharedBytes(copying: shown)))
      try expect(
        value?["$expanded"]?.boolean == true && value?["$children"]?.integer == 0,
        "an item does not wait for its children")
    }
  }
}
