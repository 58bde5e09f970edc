/// The pairs of sections with the same id. If an id repeats, the first is paired with the first,
/// the second with the second and so on.
@frozen @usableFromInline
struct SectionPartners {
  @usableFromInline let toOld: [Int32]
  @usableFromInline let toNew: [Int32]

  /// Creates pairs of sections; none if both lists have the same sections in the same order.
  @_alwaysEmitIntoClient init(toOld: [Int32] = [], toNew: [Int32] = []) {
    self.toOld = toOld
    self.toNew = toNew
  }

  /// Pairs the sections of two lists.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  @_alwaysEmitIntoClient
  init<Section: ListSection>(_ old: [Section], _ new: [Section]) {
    if old.count == new.count, old.indices.allSatisfy({ old[$0].id == new[$0].id }) {
      self.init()
      return
    }
    var toOld = [Int32](repeating: -1, count: new.count)
    var toNew = [Int32](repeating: -1, count: old.count)
    var head = 0
    while head < old.count, head < new.count, old[head].id == new[head].id {
      Self.pair(head, head, &toNew, &toOld)
      head += 1
    }
    if (old.count &- head) &* (new.count &- head) <= 256 {
      for index in head..<new.count {
        let id = new[index].id
        var partner = head
        while partner < old.count, toNew[partner] >= 0 || old[partner].id != id { partner += 1 }
        if partner < old.count { Self.pair(partner, index, &toNew, &toOld) }
      }
    } else {
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
        Self.pair(Int(position), index, &toNew, &toOld)
      }
    }
    self.init(toOld: toOld, toNew: toNew)
  }

  // A local function would allocate the arrays that it changes in a debug build.
  @_alwaysEmitIntoClient static func pair(
    _ old: Int, _ new: Int, _ toNew: inout [Int32], _ toOld: inout [Int32]
  ) {
    toNew[old] = Int32(truncatingIfNeeded: new)
    toOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Whether both lists have the same sections in the same order.
  @_alwaysEmitIntoClient var areInOrder: Bool { toOld.count | toNew.count == 0 }

  /// Whether no section moves: those that are in both lists are in the same order.
  @usableFromInline var areKeptInOrder: Bool {
    if toOld.count == 0 { return true }
    var last: Int32 = -1
    for old in toOld where old >= 0 {
      if old < last { return false }
      last = old
    }
    return true
  }

  /// Returns the old section of a new one, or -1.
  @_alwaysEmitIntoClient @inline(__always)
  func old(_ new: Int) -> Int { areInOrder ? new : Int(toOld[new]) }
}
