/// The pairs of sections with the same id. If an id repeats, the first is paired with the first,
/// the second with the second and so on.
@frozen @usableFromInline
struct SectionPartners {
  /// Whether both lists have the same sections in the same order. If so, the arrays are empty.
  @usableFromInline var areInOrder = true

  /// Whether no section moves: those that are in both lists are in the same order.
  @usableFromInline var areKeptInOrder = true

  @usableFromInline var toOld: [Int32] = []
  @usableFromInline var toNew: [Int32] = []

  /// Creates the partners of the same sections in the same order.
  @inlinable init() {}

  /// Pairs the sections of two lists.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  @_alwaysEmitIntoClient
  init<Section: ListSection>(_ old: [Section], _ new: [Section]) {
    areInOrder = old.count == new.count && old.indices.allSatisfy { old[$0].id == new[$0].id }
    if areInOrder { return }
    unpair(old.count, new.count)
    var head = 0
    while head < old.count, head < new.count, old[head].id == new[head].id {
      pair(head, head)
      head += 1
    }
    if (old.count &- head) &* (new.count &- head) <= 256 {
      for index in head..<new.count {
        let id = new[index].id
        if let partner = (head..<old.count).first(where: { toNew[$0] < 0 && old[$0].id == id }) {
          pair(partner, index)
        }
      }
      checkOrder()
      return
    }
    // By id, the first section without a partner; by section, the next one with the same id.
    var first: [Section.ID: Int32] = Dictionary(minimumCapacity: old.count - head)
    var next = [Int32](repeating: -1, count: old.count)
    for index in (head..<old.count).reversed() {
      let position = Int32(truncatingIfNeeded: index)
      if let later = first.updateValue(position, forKey: old[index].id) { next[index] = later }
    }
    for index in head..<new.count {
      guard let position = first[new[index].id], position >= 0 else { continue }
      first[new[index].id] = next[Int(position)]
      pair(Int(position), index)
    }
    checkOrder()
  }

  @usableFromInline
  mutating func checkOrder() {
    var last: Int32 = -1
    for old in toOld where old >= 0 {
      if old < last { areKeptInOrder = false }
      last = old
    }
  }

  /// Begins without pairs.
  @usableFromInline
  mutating func unpair(_ old: Int, _ new: Int) {
    toOld.fill(new, with: -1)
    toNew.fill(old, with: -1)
  }

  @inlinable
  mutating func pair(_ old: Int, _ new: Int) {
    toNew[old] = Int32(truncatingIfNeeded: new)
    toOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Returns the old section of a new one, or -1.
  @inlinable @inline(__always)
  func old(_ new: Int) -> Int { areInOrder ? new : Int(toOld[new]) }
}
