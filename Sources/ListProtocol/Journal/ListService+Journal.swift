import ByteBuffers
import ListState

extension ListService {
  /// Appends the records of a request, as a JSON array. Returns false if there are none.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the modified lists in bytes; of an edited list,
  ///   the size of the edits.
  package mutating func appendRecords(to out: inout ByteBuffer) -> Bool {
    let start = out.count
    out.append(0x5B)
    out.append(templates: book.templates.changed)
    for touched in store.modifiedLists {
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

  /// Calls `body` with the records that restore all lists from nothing, a JSON array at a time.
  /// Stops and returns false if `body` returns false.
  package mutating func forEachRecords(_ body: (borrowing ByteBuffer) -> Bool) -> Bool {
    var out = ByteBuffer()
    out.append(0x5B)
    if book.revisions.last > 0 { out.append(.textRevision(book.revisions.last)) }
    for (name, revision) in store.removedRevisions {
      out.append(.removed(list: name, revision: revision))
    }
    // Removing a list removes its templates; these were registered later.
    out.append(templates: book.templates.all)
    out.append(0x5D)
    if out.count > 2, !body(out) { return false }
    for name in store.names {
      guard let list = try? store.list(name) else { continue }
      out.removeAll(keepingCapacity: out.capacity < 1 << 20)
      out.append(0x5B)
      out.append(.list(record(of: list, since: nil)))
      out.append(0x5D)
      guard body(out) else { return false }
    }
    return true
  }

  /// Saves the state that the next request may change until the change is committed.
  package mutating func beginRequest() {
    store.begin()
    if store.ids.overflow != nil { store.sweep() }
    bookBefore = book.begin()
    if selfCheck.isOn { selfCheck.begin(store.lists, subscriptions) }
  }

  /// Reports whether the request has changed anything that the journal records.
  package var hasRecords: Bool {
    !store.modifiedLists.isEmpty || book.templates.isChanged
  }

  /// Records that the appended records were written to the journal.
  package mutating func markRecorded() { book.revisions.journaled = book.revisions.last }

  /// Ends a request that has succeeded.
  package mutating func commit() { book.commit() }

  /// Restores the state before the request.
  package mutating func rollBack() {
    store.rollBack()
    for list in book.undo(to: bookBefore) {
      if book.hasText(list) { store.shownLists.insert(list) } else { store.shownLists.remove(list) }
    }
    if selfCheck.isOn {
      subscriptions = selfCheck.subscriptionsBefore
      selfCheck.look.rollBack()
    }
  }

  private mutating func record(
    of list: NamedList, since touched: ModifiedList?
  ) -> JournalRecord.ListRecord {
    var record = JournalRecord.ListRecord(name: list.name, revision: list.revision)
    record.marks = list.marks
    if let sources = list.sources {
      record.sources = sources
      if let view = list.view {
        record.view = view.rules.source
        record.windowItem = view.anchorItem
        record.expanded = list.items(inState: .expanded)
        record.collapsed = list.items(inState: .collapsed)
      }
    } else if let edits = touched?.edits, touched?.before?.revision != list.revision {
      record.sections = .edits(edits)
    } else if touched?.before?.revision != list.revision {
      let old = touched?.before?.flattened.snapshot ?? Snapshot()
      let new = list.flattened.snapshot
      record.sections = .snapshot(
        new, UnchangedContent(of: new, from: old, using: &store.keyIndices))
    }
    return record
  }
}
