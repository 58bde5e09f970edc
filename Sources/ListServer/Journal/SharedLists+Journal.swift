import ByteBuffers
import JSONRPC
import ListProtocol

extension SharedLists {
  /// The result of restoring lists from a journal.
  package struct Restored {
    /// The offset of the end of the last complete change.
    package var end: Int

    /// The size of the restored content, without history.
    package var size: Int
  }

  /// Restores the lists from a journal. There are no lists yet.
  package mutating func restore(_ journal: SharedBytes) throws(Journal.Problem) -> Restored {
    let content = try Journal.read(journal)
    let size = try restore(content.changes, of: journal)
    journalChain = content.chain
    return Restored(end: content.end, size: size)
  }

  /// Replays changes of a journal. Returns the size, in bytes, of the restored content.
  @discardableResult
  mutating func restore(
    _ changes: [Range<Int>], of journal: SharedBytes
  ) throws(Journal.Problem) -> Int {
    var restorer = JournalRestorer(journal)
    var start = 0
    do throws(JournalRestorer.Unreadable) {
      for change in changes {
        start = change.lowerBound
        try restorer.apply(change)
      }
      try restorer.restore(to: &service)
    } catch { throw .damaged(offset: start) }
    return restorer.size
  }

  /// Writes every change to `journal` from now on.
  package mutating func recordChanges(in journal: JournalSink) {
    self.journal = journal
    service.store.recordsModifications = true
  }

  /// Begins a new journal of the present lists.
  package func beginRewrite() -> JournalRewrite {
    JournalRewrite(of: service.journalContent(), restorationWork: journalWork)
  }

  /// Continues a new journal, which has all changes so far, instead of the one before.
  package mutating func finish(_ rewrite: JournalRewrite) {
    journalChain = rewrite.chain
    journalWork -= rewrite.restorationWork
  }

  /// Writes the records of a request to the journal.
  ///
  /// - Throws: -31011 if the journal cannot be written. The caller must undo the request.
  mutating func recordChange() throws(Failure) {
    if let journal, service.hasRecords {
      for list in service.store.modifiedLists {
        journalWork += service.store.restorationWork(of: list)
      }
      var records = ByteBuffer()
      if service.appendRecords(to: &records) {
        var line = ByteBuffer(capacity: records.count + 32)
        var chain = journalChain
        Journal.append(records, to: &line, &chain)
        if let why = line.withUnsafeBytes({ journal.write($0) }) {
          throw .journalFailed(journal.path, why: why)
        }
        journalChain = chain
        service.markRecorded()
      }
    }
  }
}
