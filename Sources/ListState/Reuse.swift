import ListDiff

import enum JSONBytes.Bytes

/// Which items and sections of a snapshot are, byte for byte, in an older one, so that only the
/// others need to be written down.
package struct Reuse {
  /// By section the index of the older one with the same members, or -1.
  package private(set) var sections: [Int32] = []

  /// By item the index of the older one, or -1.
  package private(set) var items: [Int32] = []

  /// What a snapshot has of an older one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of both.
  package init(of new: Snapshot, from old: Snapshot, using places: inout KeyPlaces) {
    places.note(old.arrangement.sections) { _, _ in }
    sections = new.sections.indices.map { index in
      guard
        let place = places.place(
          of: new.arrangement.sections[index], in: old.arrangement.sections),
        Self.isSame(old, old.sections[place].own, new, new.sections[index].own)
      else { return -1 }
      return Int32(place)
    }
    places.note(old.arrangement.rows) { _, _ in }
    items.reserveCapacity(new.itemCount)
    var next = 0
    for item in 0..<new.itemCount {
      // The item behind the last one comes first, for it makes a longer run.
      if next < old.itemCount, Self.isSame(old, old.payloads[next], new, new.payloads[item]) {
        items.append(Int32(next))
        next += 1
      } else if let place = places.place(
        of: new.arrangement.rows[item], in: old.arrangement.rows),
        Self.isSame(old, old.payloads[place], new, new.payloads[item])
      {
        items.append(Int32(place))
        next = place + 1
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
