import ByteBuffers
import ListDiff

/// The items and sections of a snapshot that are equal, byte for byte, to those of an older one.
/// Only the others need to be written.
package struct UnchangedContent {
  /// For each section the index of the older section with the same members, or -1.
  package private(set) var sections: [Int32] = []

  /// For each item the index of the equal older item, or -1.
  package private(set) var items: [Int32] = []

  /// Finds what a snapshot has in common with an older one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of both.
  package init(of new: Snapshot, from old: Snapshot, using keyIndices: inout LastKeyIndices) {
    keyIndices.record(old.arrangement.sections) { _, _ in }
    sections = new.sections.indices.map { index in
      guard
        let other = keyIndices.index(
          of: new.arrangement.sections[index], in: old.arrangement.sections),
        Self.isSame(old, old.sections[other].own, new, new.sections[index].own)
      else { return -1 }
      return Int32(other)
    }
    keyIndices.record(old.arrangement.rows) { _, _ in }
    items.reserveCapacity(new.itemCount)
    var next = 0
    for item in 0..<new.itemCount {
      // The item after the last match is tried first, because it continues a run. Equal items may be
      // identified by other members.
      if next < old.itemCount, old.arrangement.rows[next] == new.arrangement.rows[item],
        Self.isSame(old, old.payloads[next], new, new.payloads[item])
      {
        items.append(Int32(next))
        next += 1
      } else if let other = keyIndices.index(
        of: new.arrangement.rows[item], in: old.arrangement.rows),
        Self.isSame(old, old.payloads[other], new, new.payloads[item])
      {
        items.append(Int32(other))
        next = other + 1
      } else {
        items.append(-1)
      }
    }
  }

  private static func isSame(_ a: Snapshot, _ x: Payload, _ b: Snapshot, _ y: Payload) -> Bool {
    guard x.length == y.length else { return false }
    if x.start == y.start, a.buffers[Int(x.buffer)] === b.buffers[Int(y.buffer)] { return true }
    return Bytes.equal(a.bytes(of: x), b.bytes(of: y))
  }
}
