import JSONBytes
import ListDiff
import ListState
import ListText

extension ListService {
  /// Checks the lists that a request has touched and what is made of them beside plain
  /// implementations: edits made of the whole snapshot, and composites and views made anew.
  mutating func checkTouched(_ method: Method, _ asked: SentObject) throws(BrokenLaw) {
    if method == .editSnapshot, let name = asked.list, let edits = asked["edits"],
      let before = selfCheck.listsBefore[name]?.whole, before.sources == nil
    {
      // References are to what was there before.
      let now = book
      book = bookBefore ?? book
      defer { book = now }
      guard let edits = try? readEdits(edits, lines(of: name, afterChange: true)),
        let made = try? store.edited(before.snapshot, of: before, edits).snapshot,
        ObviousList(itemsOf: made).isSame(as: ObviousList(itemsOf: store.listOrNew(name).snapshot))
      else { throw BrokenLaw(words: "the list is not what the edits make of it") }
    }
    var names: Set<[UInt8]> = []
    for touched in store.touched {
      names.insert(touched.name)
      names.formUnion(store.dependents(of: touched.name))
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let list = store.peek(name)?.whole, list.sources != nil else { continue }
      let made = store.composedAnew(list)
      guard made.numbers == list.view?.numbers,
        ObviousList(itemsOf: made.snapshot).isSame(as: ObviousList(itemsOf: list.snapshot))
      else {
        let name = String(decoding: name, as: UTF8.self)
        throw BrokenLaw(words: "the list \(name) is not what its sources make of it")
      }
    }
  }

  /// Checks a change of a list, or of two snapshots that are compared.
  ///
  /// `isSince` says that the change is from a revision that a client knows; `isLast` and `isOnly` whether
  /// it is the last and the only one of the list that a client is sent.
  mutating func check(
    change: SentObject, _ form: Subscription.Form, isSince: Bool = false, isLast: Bool = true,
    isOnly: Bool = true
  ) throws(BrokenLaw) {
    guard change.text("format") == form.format.rawValue else {
      throw BrokenLaw(words: "another format")
    }
    guard let name = change.list else {
      guard form.format != .none else { return }
      guard let told = selfCheck.told.last, told.list == nil else {
        throw BrokenLaw(words: "a change of nothing")
      }
      try change.check("baseRevision", is: told.baseRevision)
      try change.check("revision", is: told.revision)
      return try check(change, form, told)
    }
    guard let now = store.peek(name)?.whole else { throw BrokenLaw(words: "not a list") }
    let base = try change.number("baseRevision")
    let revision = try change.number("revision")
    // A list that is made of others may change several times; of texts and selections nothing is noted.
    let candidates = selfCheck.told.filter { $0.list == name }
    let told =
      candidates.last { $0.baseRevision == base && $0.revision == revision } ?? candidates.last
      ?? SelfCheck.Told(
        old: now.snapshot, new: now.snapshot, change: SnapshotChange(), list: name,
        baseRevision: now.revision, revision: now.revision)
    try change.check("baseRevision", is: told.baseRevision)
    try change.check("revision", is: told.revision)
    try check(change, form, told)
    guard isLast else { return }
    try change.check(ObviousMarks(now))
    try change.checkNumbers(of: now)
    guard !isSince, isOnly, candidates.count < 2 else { return }
    let before = selfCheck.listsBefore[name]?.whole
    try change.checkDeselected(from: before ?? NamedList(name: name), to: now, store.ids)
    if form.format == .textEdits, change["reload"] == nil {
      try check(text: change, form.text, from: before, to: now)
    }
  }

  /// Checks what a change does, in its format.
  private func check(
    _ change: SentObject, _ form: Subscription.Form, _ told: SelfCheck.Told
  ) throws(BrokenLaw) {
    if form.format == .none { return }
    try change.check(told.counts)
    if let reload = change["reload"] {
      guard reload.boolean == true, form.maxOps < .max else {
        throw BrokenLaw(words: "a list is to be read anew without need")
      }
      return
    }
    guard let answer = change[form.format.rawValue] else {
      throw BrokenLaw(words: "no \(form.format.rawValue)")
    }
    if form.format != .textEdits {
      try SelfCheck.check(
        answer, form.format, hasContents: form.content, from: told.old, to: told.new)
    }
    // The text of a list is not that of its snapshot alone.
    guard form.format == .textEdits, told.list == nil else { return }
    var book = book
    let pages = [told.old, told.new].map { snapshot in
      ObviousPage(
        text: book.render(snapshot, of: told.templates, store.ids, spans: form.text.spans),
        snapshot: snapshot)
    }
    try check(edits: change, form.text, from: pages[0], to: pages[1])
  }

  /// Checks a change of a selection, and of the text that shows it.
  mutating func check(
    selection change: SentObject, _ form: Subscription.Form, isLast: Bool = true,
    isOnly: Bool = true
  ) throws(BrokenLaw) {
    guard let name = change.list, let now = store.peek(name)?.whole else {
      throw BrokenLaw(words: "not a list")
    }
    if change["revision"] != nil { try change.check("revision", is: now.revision) }
    guard isLast else { return }
    try change.check(ObviousMarks(now))
    let before = selfCheck.listsBefore[name]?.whole ?? now
    guard isOnly else { return }
    // In a list that has changed, too, rows have other places.
    if change["ops"] != nil, before.revision == now.revision {
      try change.checkSelection(from: before, to: now)
    }
    if change["textEdits"] != nil {
      return try check(text: change, form.text, from: before, to: now)
    }
    guard form.format == .textEdits else { return }
    let page = page(of: now, in: book, form.text)
    try change.check("textRevision", is: book.text(of: name).revision)
    try change.check("cursorLine", ofCursor: page)
    try change.check(selectedLinesOf: form.text.selectedLines ? page : nil)
  }

  /// Checks which items of an outline were expanded: they are in it, and wait for their children.
  mutating func check(expanded params: SentObject, in name: [UInt8]) throws(BrokenLaw) {
    let items = try params.elements("items")
    let list = store.listOrNew(name)
    guard let view = list.view, store.isOutline(name), !items.isEmpty else {
      throw BrokenLaw(words: "not an outline")
    }
    for item in items {
      let shown: [UInt8]
      if let named = SentObject(item), named["path"] != nil {
        guard let path = try named.path("path"),
          let row = list.snapshot.row(section: path[0], path[1])
        else { throw BrokenLaw(words: "an item that is not shown was expanded") }
        var text = ByteBuffer()
        SnapshotWriter(snapshot: list.snapshot, singleLine: true).appendRow(row, to: &text)
        shown = text.withUnsafeBytes { Array($0) }
      } else {
        guard let reference = try? ItemReference.read(item, store.ids, nil),
          let found = try? store.resolve(
            [reference], in: store.allItems(of: list), of: list, selectable: false)
        else { throw BrokenLaw(words: "an item that is not in the outline was expanded") }
        shown = store.text(ofItem: found[0], of: view)
      }
      let value = SentObject(
        Value(message: SharedBytes(copying: shown), range: 0..<shown.count, pointer: ""))
      guard value?["$expanded"]?.boolean == true, value?["$children"]?.integer == 0 else {
        throw BrokenLaw(words: "an item does not wait for its children")
      }
    }
  }
}
