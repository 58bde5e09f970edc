import JSONBytes
import JSONRPC
import ListProtocol

extension Session {
  /// What a journal held.
  package struct Restored {
    /// Where its last whole change ends.
    package var end: Int

    /// The size of what it holds, without what came before.
    package var size: Int
  }

  /// Makes the lists what a journal says; the session is fresh.
  package mutating func restore(_ journal: SharedBytes) throws(Journal.Problem) -> Restored {
    let (changes, end) = try Journal.read(journal)
    var lists = RestoredLists(from: journal)
    var start = Journal.header.utf8.count
    do throws(RestoredLists.Unreadable) {
      for change in changes {
        start = change.lowerBound
        try lists.read(change)
      }
      try lists.restore(to: &service)
    } catch { throw .damaged(offset: start) }
    return Restored(end: end, size: lists.size)
  }

  /// Writes every change to a journal from now on.
  package mutating func keepChanges(in journal: JournalSink) {
    self.journal = journal
    service.store.keepsTouched = true
  }

  /// Hands out a journal of the lists as they are now, piece by piece; false where `write` was.
  package mutating func writeJournal(_ write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var header = Journal.header
    guard header.withUTF8({ write(UnsafeRawBufferPointer($0)) }) else { return false }
    journalWork = 0
    return service.forEachEffect { effects in
      var line = ByteBuffer()
      Journal.append(effects, to: &line)
      return line.withUnsafeBytes { write($0) }
    }
  }

  /// Checks what a request has told and writes what it has changed to the journal.
  ///
  /// - Throws: -32603 where an answer is wrong, -31011 where the journal cannot be written; the
  ///   change is to be undone.
  mutating func keepChange() throws(Failure) {
    try service.checkTold()
    if let journal, service.hasEffects {
      for list in service.store.touched {
        journalWork += (try? service.store.list(list.name).snapshot.itemCount) ?? 0
      }
      var effects = ByteBuffer()
      if service.appendEffects(to: &effects) {
        var line = ByteBuffer(capacity: effects.count + 32)
        Journal.append(effects, to: &line)
        if let why = line.withUnsafeBytes({ journal.write($0) }) {
          throw .journalFailed(journal.path, why: why)
        }
      }
    }
  }
}
