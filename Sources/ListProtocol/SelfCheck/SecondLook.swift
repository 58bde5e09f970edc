import ByteBuffers
import JSONBytes
import ListState

/// What a self-check remembers from one request to the next, to find the same states again by another
/// way: older snapshots as they were, and the records of a journal of the lists.
struct SecondLook {
  /// An older revision of a list as it was when it was the current one.
  struct KeptRevision {
    var revision: Int
    var list: ReferenceList
  }

  /// Up to ``most`` revisions of each list.
  private(set) var kept: [[UInt8]: [KeptRevision]] = [:]

  /// The records that restore the lists, each a JSON array; empty if none were written yet.
  private(set) var records: [[UInt8]] = []

  /// Those of the last request, which may yet be undone.
  private var lastRecords: [UInt8]?

  /// The most revisions of a list that are remembered.
  private static let most = 4

  /// The size in bytes up to which lists are restored, which takes a time that grows with it.
  static let journalLimit = 1 << 18

  private var random: UInt64 = 1

  /// Returns a number below a bound, the same in every process.
  mutating func number(below bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % bound
  }

  /// Returns one of some elements, the same in every process; `nil` if there are none.
  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }

  /// Remembers the current revision of a list.
  mutating func keep(_ list: NamedList) {
    guard kept[list.name]?.contains(where: { $0.revision == list.revision }) != true else { return }
    let revision = KeptRevision(
      revision: list.revision, list: ReferenceList(itemsOf: list.shownItems))
    var all = kept[list.name] ?? []
    if all.count < Self.most {
      all.append(revision)
    } else {
      all[number(below: all.count)] = revision
    }
    kept[list.name] = all
  }

  /// Forgets the revisions of a list that its history does not have any more.
  mutating func forget(_ name: [UInt8], before oldest: Int) {
    kept[name]?.removeAll { $0.revision < oldest }
  }

  /// Begins a request; the one before can no longer be undone.
  mutating func begin() {
    if let last = lastRecords { records.append(last) }
    lastRecords = nil
  }

  /// Forgets what the last request has added.
  mutating func rollBack() { lastRecords = nil }

  /// Adds the records of a request.
  mutating func add(_ records: [UInt8]) { lastRecords = records }

  /// Begins another journal with the records that restore all lists.
  mutating func restart(_ records: [[UInt8]]) {
    self.records = records
    lastRecords = nil
  }

  /// All records as one text, and the range of each request in it.
  var journal: (text: SharedBytes, changes: [Range<Int>]) {
    var text: [UInt8] = []
    var changes: [Range<Int>] = []
    for record in records + (lastRecords.map { [$0] } ?? []) {
      changes.append(text.count..<text.count + record.count)
      text += record
    }
    return (SharedBytes(copying: text), changes)
  }
}

extension ListService {
  /// Finds some of what a request has changed by another way: the items of old revisions that it named
  /// and of one that it did not name, the lists as a journal restores them, and a text.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the modified lists, and of all lists if these
  ///   are small.
  mutating func lookAgain(
    _ method: Method, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    try checkOldReferences(method, requestParams)
    for touched in store.modifiedLists {
      guard let list = store.peek(touched.name) else {
        selfCheck.look.forget(touched.name, before: .max)
        continue
      }
      selfCheck.look.forget(list.name, before: list.oldestRevision)
      try checkOldRevision(of: list)
      selfCheck.look.keep(list)
    }
    try checkText()
    try checkJournal()
  }

  /// Checks that the items that a request names by rows of old revisions are those that it marks.
  private mutating func checkOldReferences(
    _ method: Method, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    guard let name = requestParams.list, let before = selfCheck.listsBefore[name],
      let now = store.peek(name)
    else { return }
    if let key = oldKey(requestParams["cursor"], before), let cursor = now.cursor {
      try expect(
        now.shownItems.arrangement.rows[now.shownItems.item(ofRow: cursor)] == key,
        "the cursor is on another item than that of the old row")
    }
    let isReplacing = method != .select || requestParams.text("action") == "replace"
    let references = requestParams[method == .select ? "items" : "selected"]?.elements ?? []
    guard isReplacing, now.view?.rules.selectsInSources != true else { return }
    let all = now.allItems
    let selected = Set(now.allSelectedItems.map { all.arrangement.rows[$0] })
    let isSingle = all.sections.contains { $0.selectionMode == .single }
    for (index, reference) in references.enumerated() {
      guard let key = oldKey(reference, before) else { continue }
      // In a section with single selection the last item wins.
      try expect(
        selected.contains(key) || isSingle && index < references.count - 1,
        "another item is selected than that of the old row")
    }
  }

  /// Returns the key of the item that was at the row of an old revision that a reference names; `nil`
  /// for other references.
  private func oldKey(_ reference: Value?, _ before: NamedList) -> UInt32? {
    guard let reference = SentObject(reference), let revision = reference["revision"]?.integer,
      let path = try? reference.path("path"), let old = try? before.snapshot(of: revision),
      let row = old.row(section: path[0], path[1])
    else { return nil }
    return old.arrangement.rows[old.item(ofRow: row)]
  }

  /// Checks an old revision of a list and where one of its items is now.
  private mutating func checkOldRevision(of list: NamedList) throws(InvariantViolation) {
    guard let kept = selfCheck.look.element(of: selfCheck.look.kept[list.name] ?? []),
      kept.revision < list.revision
    else { return }
    guard let old = try? list.snapshot(of: kept.revision),
      ReferenceList(itemsOf: old).isSame(as: kept.list)
    else {
      throw InvariantViolation("revision \(kept.revision) is another one than it was")
    }
    guard old.rowCount > 0 else { return }
    let row = selfCheck.look.number(below: old.rowCount)
    let path = old.path(ofRow: row)
    let reference = ItemReference.path(
      section: path.section, row: path.row, revision: kept.revision)
    let found = try expect(
      try? store.locate([reference], of: list),
      "a row of revision \(kept.revision) cannot be looked up")
    let flat = list
    // Any of several items with an identity, shown or not, may be the one that the row was.
    if old.arrangement.hasRepeats || flat.allItems.arrangement.hasRepeats { return }
    let now = flat.shownItems.arrangement
    let key = old.arrangement.rows[old.item(ofRow: row)]
    try expect(
      found[0].map({ now.rows[$0] == key }) ?? !now.rows.contains(key),
      "a row of revision \(kept.revision) is another item")
  }

  /// Checks the open text of a list against one that is rendered whole.
  private mutating func checkText() throws(InvariantViolation) {
    let open = store.inOrderOfCreation(book.lists)
    guard let name = selfCheck.look.element(of: open), let list = store.peek(name),
      let page = book.page(of: name), page.revision == list.revision, page.cursor == list.cursor,
      page.selection.elementsEqual(list.selectedRows, by: { $0 == $1 })
    else { return }
    var options = TextOptions()
    options.spans = page.hasSpans
    let whole = self.page(of: list, in: book, options).text
    try expect(
      whole.bytes == page.text.bytes
        && (!page.hasSpans
          || (0..<whole.lineCount).allSatisfy({
            whole.spanShapes(ofLine: $0) == page.text.spanShapes(ofLine: $0)
          })),
      "the text is another one if it is rendered whole")
  }

  /// Adds the records of the request, and at times checks that all records restore the lists.
  private mutating func checkJournal() throws(InvariantViolation) {
    if selfCheck.look.records.isEmpty {
      var records: [[UInt8]] = []
      var size = 0
      var content = journalContent()
      while size <= SecondLook.journalLimit {
        var piece = ByteBuffer()
        guard content.append(atMost: 1 << 10, to: &piece) else {
          selfCheck.look.restart(records)
          break
        }
        records.append(piece.withUnsafeBytes { Array($0) })
        size += piece.count
      }
      return
    }
    var records = ByteBuffer()
    guard appendRecords(to: &records) else { return }
    selfCheck.look.add(records.withUnsafeBytes { Array($0) })
    guard selfCheck.look.number(below: 8) == 0 else { return }
    let (journal, changes) = selfCheck.look.journal
    selfCheck.look.restart([])
    guard journal.count <= SecondLook.journalLimit else { return }
    var restored = ListService(historyBytes: 0)
    do throws(JournalRestorer.Unreadable) {
      var restorer = JournalRestorer(journal)
      for change in changes { try restorer.apply(change) }
      try restorer.restore(to: &restored)
    } catch { throw InvariantViolation("the journal cannot be read") }
    let names = store.names.filter { temporary[$0] == nil }
    try expect(restored.store.names == names, "the journal restores other lists")
    for name in names {
      guard let list = store.peek(name),
        let other = restored.store.peek(name), list.revision == other.revision,
        list.marks == other.marks, list.viewNumbers == other.viewNumbers,
        ReferenceList(itemsOf: other.shownItems).isSame(as: ReferenceList(itemsOf: list.shownItems))
      else {
        let name = String(decoding: name, as: UTF8.self)
        throw InvariantViolation("the journal restores the list \(name) otherwise")
      }
    }
  }
}
