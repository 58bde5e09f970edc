import ByteBuffers

/// Compares validated JSON values.
package struct JSONEquality: ~Copyable {
  /// What compares canonical forms, which few values need.
  private var forms: CanonicalForms?

  /// Creates a comparison, which reuses its scratch memory.
  package init() {}

  /// Returns whether two values are the same JSON value, with new scratch memory.
  package static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if Bytes.equal(a, b) { return true }
    var equality = JSONEquality()
    return equality.equalUnlikeBytes(a, b)
  }

  /// Returns whether two values are the same JSON value.
  ///
  /// 64 bytes after each value must be readable. Most objects that differ do so in a member that both
  /// have at the same place, which is all that is compared then. Other small objects are compared member
  /// by member, and other values by their canonical forms.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of bytes of both.
  package mutating func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    Bytes.equal(a, b) || equalUnlikeBytes(a, b)
  }

  private mutating func equalUnlikeBytes(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    guard a[0] == 0x7B && b[0] == 0x7B else { return equalValues(a, b) }
    if differInOneMember(a, b) { return false }
    return equalObjects(a, b) ?? equalValues(a, b)
  }

  /// Returns whether the first bytes in which two objects differ are those of a member that both have
  /// at the same place, with different values, and that no later member may replace. If not, the
  /// objects may be the same.
  ///
  /// - Complexity: O(*n*) if the values are scalars, where *n* is the number of bytes of both.
  private mutating func differInOneMember(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    guard let (name, value, other) = Self.firstDifference(a, b),
      !equalValues(.init(rebasing: a[value]), .init(rebasing: b[other]))
    else { return false }
    let quoted = UnsafeRawBufferPointer(
      rebasing: a[name.range.lowerBound - 1..<name.range.upperBound + 1])
    return !name.hasEscapes && !Self.mayContain(quoted, a, from: value.upperBound)
      && !Self.mayContain(quoted, b, from: other.upperBound)
  }

  /// Returns the name of the member with the first bytes in which two objects differ, and the ranges of its
  /// values; `nil` if they do not have it at the same place.
  private static func firstDifference(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> (name: JSONString, value: Range<Int>, other: Range<Int>)? {
    let same = Bytes.commonPrefix(a, b)
    var reader = JSONReader(a)
    return checked { () throws(JSONError) in
      try reader.openObject()
      while let name = try reader.nextMember() {
        let value = try reader.skip()
        if value.upperBound < same { continue }
        // The other value begins at the same place if what precedes it is the same.
        guard value.lowerBound <= same, same < b.count, b[value.lowerBound] > 0x20 else {
          return nil
        }
        var other = JSONReader(b).moved(to: value.lowerBound, depth: 1)
        return (name, value, try other.skip())
      }
      return nil
    }
  }

  /// Returns whether two objects are the same beside the member with a name; `nil` if the first bytes in
  /// which they differ do not show that.
  ///
  /// - Complexity: O(*n*) if the values are scalars, where *n* is the number of bytes of both.
  package static func equal(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, besides ignored: StaticString
  ) -> Bool? {
    guard a[0] == 0x7B, b[0] == 0x7B, let (name, value, other) = firstDifference(a, b) else {
      return nil
    }
    if JSONReader(a).matches(name, ignored) {
      let isSame = Bytes.equal(
        .init(rebasing: a[value.upperBound...]), .init(rebasing: b[other.upperBound...]))
      return isSame ? true : nil
    }
    var equality = JSONEquality()
    return equality.differInOneMember(a, b) ? false : nil
  }

  /// Returns whether the bytes of an object from an offset on may contain a member with a name, which
  /// is in quotation marks and has no escapes.
  private static func mayContain(
    _ name: UnsafeRawBufferPointer, _ object: UnsafeRawBufferPointer, from start: Int
  ) -> Bool {
    let rest = UnsafeRawBufferPointer(rebasing: object[start...])
    return Bytes.firstIndex(of: 0x5C, in: rest, from: 0) != nil || Bytes.contains(name, in: rest)
  }

  /// Returns whether two small objects are the same; `nil` if one of them has many members, escapes
  /// in its names or repeated names.
  private mutating func equalObjects(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool? {
    withUnsafeTemporaryAllocation(of: FlatObject.Member.self, capacity: FlatObject.room) {
      var object = FlatObject(members: $0)
      return object.read(a) ? isObject(object, a, equalTo: b) : nil
    }
  }

  /// Returns whether an object, of which `object` has the members, is the same as another one; `nil`
  /// if that has escapes in its names or repeated names.
  private mutating func isObject(
    _ object: FlatObject, _ a: UnsafeRawBufferPointer, equalTo b: UnsafeRawBufferPointer
  ) -> Bool? {
    var reader = JSONReader(b)
    var count = 0
    var found: UInt16 = 0
    var isSame = true
    do {
      try reader.openObject()
      while let name = try reader.nextMember() {
        guard !name.hasEscapes else { return nil }
        guard let index = object.index(of: reader.bytes(name), in: a, guess: count) else {
          return false
        }
        guard found &>> UInt16(index) & 1 == 0 else { return nil }
        found |= 1 &<< UInt16(index)
        count += 1
        let value = try reader.bytes(reader.skip())
        // A later member may have the same name.
        isSame = isSame && equalValues(.init(rebasing: a[object.members[index].value]), value)
      }
    } catch {
      preconditionFailure("not validated JSON")
    }
    return isSame && count == object.count
  }

  private mutating func equalValues(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    if Bytes.equal(a, b) { return true }
    switch (a[0], b[0]) {
    case (0x22, 0x22):
      // Strings without escapes are equal only if their bytes are.
      if Bytes.firstIndex(of: 0x5C, in: a, from: 0) == nil
        && Bytes.firstIndex(of: 0x5C, in: b, from: 0) == nil
      {
        return false
      }
    case (0x7B, 0x7B), (0x5B, 0x5B): break
    case (0x2D, _), (0x30...0x39, _):
      guard b[0] == 0x2D || b[0] &- 0x30 < 10 else { return false }
      // Integers of one sign are equal only if their bytes are.
      if (a[0] == 0x2D) == (b[0] == 0x2D), Self.isInteger(a), Self.isInteger(b) { return false }
    default: return false
    }
    if forms == nil { forms = CanonicalForms() }
    return forms!.areEqual(a, b)
  }

  /// Returns whether a number is written without a fraction and an exponent.
  private static func isInteger(_ number: UnsafeRawBufferPointer) -> Bool {
    var index = 1
    while index < number.count && number[index] &- 0x30 < 10 { index &+= 1 }
    return index == number.count
  }
}

/// Compares values by their canonical forms.
private struct CanonicalForms: ~Copyable {
  private var canonical = JSONCanonical()
  private var left = ByteBuffer()
  private var right = ByteBuffer()

  mutating func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    left.removeAll()
    right.removeAll()
    canonical.append(a, to: &left)
    canonical.append(b, to: &right)
    return left.withUnsafeBytes { left in right.withUnsafeBytes { Bytes.equal(left, $0) } }
  }
}

/// The ranges of the members of a small object without escapes in its names and without repeated
/// names.
private struct FlatObject {
  static let room = 16

  struct Member {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// Memory for `room` members, of which the first `count` are initialized.
  let members: UnsafeMutableBufferPointer<Member>
  private(set) var count = 0

  init(members: UnsafeMutableBufferPointer<Member>) { self.members = members }

  /// Reads an object. Returns false if it is not of this kind.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = JSONReader(bytes)
    do {
      try reader.openObject()
      while let name = try reader.nextMember() {
        guard count < Self.room && !name.hasEscapes else { return false }
        guard index(of: reader.bytes(name), in: bytes, guess: count) == nil else { return false }
        // In bounds: the count is less than `room`.
        members.initializeElement(
          at: count, to: Member(name: name.range, value: try reader.skip()))
        count += 1
      }
    } catch {
      preconditionFailure("not validated JSON")
    }
    return true
  }

  /// Returns the index of the member with a name, testing `guess` first.
  func index(
    of name: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, guess: Int
  ) -> Int? {
    if guess < count && isSame(members[guess].name, name, in: bytes) { return guess }
    var index = 0
    while index < count {
      if isSame(members[index].name, name, in: bytes) { return index }
      index &+= 1
    }
    return nil
  }

  @inline(__always)
  private func isSame(
    _ range: Range<Int>, _ name: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    range.count == name.count
      && Bytes.equal(UnsafeRawBufferPointer(rebasing: bytes[range]), name)
  }
}
