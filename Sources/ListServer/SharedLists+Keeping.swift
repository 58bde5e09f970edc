import JSONBytes
import JSONRPC
import ListProtocol

extension SharedLists {
  /// What a journal held.
  package struct Restored {
    /// Where its last whole change ends.
    package var end: Int

    /// The size of what it holds, without what came before.
    package var size: Int
  }

  /// Makes the lists what a journal says; there are none yet.
  package mutating func restore(_ journal: SharedBytes) throws(Journal.Problem) -> Restored {
    let content = try Journal.read(journal)
    let size = try restore(content.changes, of: journal)
    journalChain = content.chain
    return Restored(end: content.end, size: size)
  }

  /// Makes the lists what changes say that were written down; returns the size of what they hold.
  @discardableResult
  mutating func restore(
    _ changes: [Range<Int>], of journal: SharedBytes
  ) throws(Journal.Problem) -> Int {
    var lists = RestoredLists(from: journal)
    var start = 0
    do throws(RestoredLists.Unreadable) {
      for change in changes {
        start = change.lowerBound
        try lists.read(change)
      }
      try lists.restore(to: &service)
    } catch { throw .damaged(offset: start) }
    return lists.size
  }

  /// Hands out changes that make the lists what they are from nothing, each as JSON.
  mutating func forEachChange(_ body: (borrowing ByteBuffer) -> Void) {
    _ = service.forEachEffect { effects in
      body(effects)
      return true
    }
  }

  /// Writes every change to a journal from now on.
  package mutating func keepChanges(in journal: JournalSink) {
    self.journal = journal
    service.store.keepsTouched = true
  }

  /// Hands out a journal of the lists as they are now, piece by piece.
  ///
  /// Returns the chain of that journal, which is to be these lists' if their changes go there from
  /// now on; `nil` if `write` returned false.
  package mutating func writeJournal(_ write: (UnsafeRawBufferPointer) -> Bool) -> Journal.Chain? {
    var header = Journal.header
    guard header.withUTF8({ write(UnsafeRawBufferPointer($0)) }) else { return nil }
    journalWork = 0
    var chain = Journal.Chain()
    let isWritten = service.forEachEffect { effects in
      var line = ByteBuffer()
      Journal.append(effects, to: &line, &chain)
      return line.withUnsafeBytes { write($0) }
    }
    return isWritten ? chain : nil
  }

  /// Writes what a request has changed to the journal.
  ///
  /// - Throws: -31011 if the journal cannot be written; the change is to be undone.
  mutating func keepChange() throws(Failure) {
    if let journal, service.hasEffects {
      for list in service.store.touched {
        journalWork += service.store.restoringWork(of: list)
      }
      var effects = ByteBuffer()
      if service.appendEffects(to: &effects) {
        var line = ByteBuffer(capacity: effects.count + 32)
        var chain = journalChain
        Journal.append(effects, to: &line, &chain)
        if let why = line.withUnsafeBytes({ journal.write($0) }) {
          throw .journalFailed(journal.path, why: why)
        }
        journalChain = chain
        service.noteKept()
      }
    }
  }
}
