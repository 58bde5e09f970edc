import ByteBuffers

/// The keys of the elements of two arrays: a member that all elements have, with a different value
/// in each of an array.
struct ElementKeys {
  private(set) var old: [Range<Int>] = []
  private(set) var new: [Range<Int>] = []

  /// The index of the new element with the key of each old one; nil if there is none.
  private(set) var partners: [Int?] = []

  private static let candidates = MemberSearch(["id", "key", "name", "metadata.name", "uid"])

  /// Finds the first member that is a key of both arrays, and whose values are not all different in
  /// both. Returns nil if there is none.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of bytes.
  init?(
    _ before: [Range<Int>], _ a: UnsafeRawBufferPointer, _ after: [Range<Int>],
    _ b: UnsafeRawBufferPointer
  ) {
    guard !before.isEmpty, !after.isEmpty, let left = Self.values(of: before, a),
      let right = Self.values(of: after, b)
    else { return nil }
    for index in left[0].indices {
      guard let old = Self.keys(left, index, a), let new = Self.keys(right, index, b) else {
        continue
      }
      var positions: [[UInt8]: Int] = [:]
      for (position, key) in new.enumerated() { positions[Array(b[key])] = position }
      partners = old.map { positions[Array(a[$0])] }
      guard positions.count == new.count, Set(old.map { Array(a[$0]) }).count == old.count,
        partners.contains(where: { $0 != nil })
      else { continue }
      (self.old, self.new) = (old, new)
      return
    }
    return nil
  }

  /// The values of the candidates in each element; nil if an element is not an object.
  private static func values(
    of elements: [Range<Int>], _ bytes: UnsafeRawBufferPointer
  ) -> [[Range<Int>?]]? {
    guard elements.allSatisfy({ bytes[$0.lowerBound] == 0x7B }) else { return nil }
    return elements.map { candidates.values(in: $0, of: bytes) }
  }

  /// The values of a candidate; nil if an element has none that is a string or a number.
  private static func keys(
    _ values: [[Range<Int>?]], _ index: Int, _ bytes: UnsafeRawBufferPointer
  ) -> [Range<Int>]? {
    var keys: [Range<Int>] = []
    for row in values {
      guard let value = row[index], let first = bytes[value].first,
        first == 0x22 || first == 0x2D || first &- 0x30 < 10
      else { return nil }
      keys.append(value)
    }
    return keys
  }

  /// The keys of both arrays if the elements that both have are in another order; else nil.
  var orders: (old: [Range<Int>], new: [Range<Int>])? {
    let common = partners.compactMap { $0 }
    return zip(common, common.dropFirst()).allSatisfy { $0 < $1 } ? nil : (old, new)
  }
}
