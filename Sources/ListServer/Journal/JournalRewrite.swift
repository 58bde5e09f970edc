import ByteBuffers
import ListProtocol

/// A new journal, which is written in pieces while an old one is continued: the lists as they were at
/// the beginning, then the changes since then, which are the last lines of the old journal.
package struct JournalRewrite {
  private var content: JournalContent
  private var isBegun = false

  /// The chain of the new journal.
  package private(set) var chain = Journal.Chain()

  /// What restoring the old journal would take, up to the beginning.
  let restorationWork: Int

  init(of content: JournalContent, restorationWork: Int) {
    (self.content, self.restorationWork) = (content, restorationWork)
  }

  /// Appends the next piece of the lists, of not much more than `limit` bytes if no item is longer.
  /// Returns false if there are no more pieces.
  package mutating func appendPiece(atMost limit: Int, to out: inout ByteBuffer) -> Bool {
    if !isBegun { out.append(contentsOf: Journal.header.utf8) }
    isBegun = true
    var records = ByteBuffer()
    guard content.append(atMost: limit, to: &records) else { return false }
    Journal.append(records, to: &out, &chain)
    return true
  }

  /// Appends the whole lines at the beginning of a part of the old journal. Returns their size in bytes.
  package mutating func append(
    lines: UnsafeRawBufferPointer, to out: inout ByteBuffer
  ) -> Int {
    Journal.append(lines: lines, to: &out, &chain)
  }
}
