/// Compares JSON values that readers have passed.
package struct JSONEquality: ~Copyable {
  private var canonical = JSONCanonical()
  private var left = ByteBuffer()
  private var right = ByteBuffer()

  /// A comparer, which keeps its scratch memory from comparison to comparison.
  package init() {}

  /// Whether two values are the same JSON value, compared with fresh scratch memory.
  package static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if Bytes.equal(a, b) { return true }
    var equality = JSONEquality()
    return equality.equal(a, b)
  }

  /// Whether two values are the same JSON value.
  ///
  /// After each value's bytes 64 more can be read. Small objects are compared member by member
  /// where they stand; others in their canonical forms.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of bytes of both.
  package mutating func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if Bytes.equal(a, b) { return true }
    if a[0] == 0x7B && b[0] == 0x7B, let left = FlatObject(a), let right = FlatObject(b) {
      guard left.count == right.count else { return false }
      for place in 0..<left.count {
        guard let other = right.place(ofNameLike: place, of: left) else { return false }
        guard equalValues(left.value(place), right.value(other)) else { return false }
      }
      return true
    }
    return equalValues(a, b)
  }

  private mutating func equalValues(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    if Bytes.equal(a, b) { return true }
    switch (a[0], b[0]) {
    case (0x22, 0x22):
      // Without escapes there is one way to write a string.
      if !a.contains(0x5C) && !b.contains(0x5C) { return false }
    case (0x7B, 0x7B), (0x5B, 0x5B): break
    case (0x2D, _), (0x30...0x39, _):
      guard b[0] == 0x2D || b[0] &- 0x30 < 10 else { return false }
    default: return false
    }
    left.removeAll()
    right.removeAll()
    canonical.append(a, to: &left)
    canonical.append(b, to: &right)
    return left.withUnsafeBytes { left in right.withUnsafeBytes { Bytes.equal(left, $0) } }
  }
}

/// The members of an object that is small and has neither escapes in names nor repeated names.
private struct FlatObject {
  private static let room = 16

  private let bytes: UnsafeRawBufferPointer
  private var names = InlineArray<16, Range<Int>>(repeating: 0..<0)
  private var values = InlineArray<16, Range<Int>>(repeating: 0..<0)
  private(set) var count = 0

  /// Nil where the object is not of that sort.
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var reader = JSONReader(bytes)
    do {
      try reader.openObject()
      while let name = try reader.nextMember() {
        guard count < Self.room && !name.hasEscapes else { return nil }
        guard place(of: reader.bytes(name)) == nil else { return nil }
        _ = try reader.peek()
        names[count] = name.range
        values[count] = try reader.skip()
        count += 1
      }
    } catch {
      preconditionFailure("bytes that no reader has passed")
    }
  }

  func value(_ place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[values[place]])
  }

  /// The place of the member with the name of another object's member.
  func place(ofNameLike place: Int, of other: borrowing FlatObject) -> Int? {
    let name = UnsafeRawBufferPointer(rebasing: other.bytes[other.names[place]])
    // The order is the same most of the time.
    if place < count && Bytes.equal(name, bytes(of: place)) { return place }
    return self.place(of: name)
  }

  private func place(of name: UnsafeRawBufferPointer) -> Int? {
    for place in 0..<count where names[place].count == name.count {
      if Bytes.equal(bytes(of: place), name) { return place }
    }
    return nil
  }

  private func bytes(of place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[names[place]])
  }
}
