import ByteBuffers
import ListState

extension ListService {
  /// Appends the records of a request, as a JSON array. Returns false if there are none.
  ///
  /// - Complexity: O(*n*), where *n* is the size of what is new in the modified lists, in bytes.
  package mutating func appendRecords(to out: inout ByteBuffer) -> Bool {
    let start = out.count
    out.append(0x5B)
    out.append(templates: book.templates.changed)
    for touched in store.modifiedLists where temporary[touched.name] == nil {
      if let list = store.peek(touched.name) {
        if !touched.isSame(as: list) { out.append(.list(record(of: list, since: touched))) }
      } else if let before = touched.before {
        out.append(.removed(list: touched.name, revision: before.revision))
      }
    }
    guard out.count > start + 1 else { return false }
    book.revisions.skipRestored()
    if book.revisions.last > book.revisions.journaled {
      out.append(.textRevision(book.revisions.last))
    }
    out.append(0x5D)
    return true
  }

  /// Saves the state that the next request may change until the change is committed.
  package mutating func beginRequest() {
    store.begin()
    if store.ids.overflow != nil { store.sweep() }
    book.begin()
    ownersBefore = (fed.lists, temporary)
    if selfCheck.isOn { selfCheck.begin(store.lists, subscriptions) }
  }

  /// Reports whether the request has changed anything that the journal records.
  package var hasRecords: Bool {
    store.modifiedLists.contains { temporary[$0.name] == nil } || book.templates.isChanged
  }

  /// Records that the appended records were written to the journal.
  package mutating func markRecorded() { book.revisions.journaled = book.revisions.last }

  /// Ends a request that has succeeded.
  package mutating func commit() {
    finishFolderEdit(keeps: true)
    book.commit()
  }

  /// Restores the state before the request.
  package mutating func rollBack() {
    finishFolderEdit(keeps: false)
    store.rollBack()
    (fed.lists, temporary) = ownersBefore
    for list in book.undo() {
      if book.hasText(list) { store.shownLists.insert(list) } else { store.shownLists.remove(list) }
    }
    if selfCheck.isOn {
      subscriptions = selfCheck.subscriptionsBefore
      selfCheck.look.rollBack()
    }
  }

  private mutating func record(
    of list: NamedList, since touched: ModifiedList
  ) -> JournalRecord.ListRecord {
    var record = JournalRecord.ListRecord(state: list)
    guard list.sources == nil, touched.before?.revision != list.revision else { return record }
    let edits = touched.edits ?? EditStep(list.shownItems)
    record.sections = .edits(edits)
    if list.itemKey != [] { record.identities = KeyedIdentities(of: edits.rest, store.ids) }
    return record
  }
}
