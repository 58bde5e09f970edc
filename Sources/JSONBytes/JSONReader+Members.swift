/// Up to eight names of members to find, created once and used for many objects.
package final class MemberKeys: Sendable {
  /// The maximum number of names.
  package static let maximum = 8

  let names: [StaticString]

  /// The first eight bytes of each name, as `head(of:)` returns them. A tuple, because a search in one has
  /// no loop. No name begins with the bytes of those that are not used.
  let heads: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// A bit for each length of a name; bit 63 stands for all lengths from 63 on.
  let lengths: UInt64

  /// Creates keys from names. Their indices are those of `MemberRanges`.
  package init(_ sought: StaticString...) {
    precondition(sought.count <= Self.maximum)
    var heads = [UInt64](repeating: .max, count: Self.maximum)
    var lengths: UInt64 = 0
    for (index, name) in sought.enumerated() {
      precondition(name.hasPointerRepresentation)
      let length = name.utf8CodeUnitCount
      heads[index] = 0
      for byte in 0..<min(8, length) {
        heads[index] |= UInt64(name.utf8Start[byte]) << (8 * UInt64(byte))
      }
      lengths |= 1 << UInt64(min(63, length))
    }
    names = sought
    self.heads = (
      heads[0], heads[1], heads[2], heads[3], heads[4], heads[5], heads[6], heads[7]
    )
    self.lengths = lengths
  }
}

extension MemberKeys {
  /// Returns the index of the first name with a head; `names.count` or more if there is none.
  @inline(__always)
  fileprivate func first(_ head: UInt64) -> Int {
    if head == heads.0 { return 0 }
    if head == heads.1 { return 1 }
    if head == heads.2 { return 2 }
    if head == heads.3 { return 3 }
    if head == heads.4 { return 4 }
    if head == heads.5 { return 5 }
    if head == heads.6 { return 6 }
    return head == heads.7 ? 7 : Self.maximum
  }
}

/// The ranges of the members of an object that were searched for, in less than 4 GiB.
@usableFromInline
package struct MemberRanges {
  /// The start of each range, and its end in the upper half. Short, because reading an element copies all.
  @usableFromInline var ranges = InlineArray<8, UInt64>(repeating: 0)

  /// A bit for each index of a name that was found.
  @usableFromInline package internal(set) var mask: UInt8 = 0

  /// A bit for each index of a name whose value is a string without escapes.
  @usableFromInline var plain: UInt8 = 0

  /// Whether the name of a member begins with `$` or has escapes.
  package internal(set) var hasDollar = false

  /// Creates an empty result.
  package init() {}

  /// The range of the value of the last member with the name of this index, or nil.
  @inlinable package subscript(index: Int) -> Range<Int>? {
    mask &>> UInt8(index) & 1 != 0 ? range(at: index) : nil
  }

  /// Returns the range inside the quotation marks of a value, if it is a string without escapes.
  @inlinable package func plainString(_ index: Int) -> Range<Int>? {
    guard plain &>> UInt8(index) & 1 != 0 else { return nil }
    let range = range(at: index)
    return Range(uncheckedBounds: (range.lowerBound &+ 1, range.upperBound &- 1))
  }

  @inlinable @inline(__always)
  func range(at index: Int) -> Range<Int> {
    let packed = ranges[index]
    return Range(
      uncheckedBounds: (
        Int(truncatingIfNeeded: packed & 0xFFFF_FFFF), Int(truncatingIfNeeded: packed &>> 32)
      ))
  }

  /// The index of the only name that was found; -1 if there are several or none.
  var onlyIndex: Int { mask.nonzeroBitCount == 1 ? mask.trailingZeroBitCount : -1 }

  @inline(__always)
  mutating func clear() {
    mask = 0
    plain = 0
    hasDollar = false
  }

  /// Records the range of the value of the name at an index.
  @inline(__always)
  package mutating func set(_ index: Int, _ range: Range<Int>, isPlain: Bool = false) {
    ranges[index] =
      UInt64(truncatingIfNeeded: range.lowerBound)
      | UInt64(truncatingIfNeeded: range.upperBound) &<< 32
    let bit: UInt8 = 1 &<< UInt8(truncatingIfNeeded: index)
    mask |= bit
    plain = isPlain ? plain | bit : plain & ~bit
  }
}

extension JSONReader {
  /// Reads a whole object and records the ranges of the values of the given members. Returns the
  /// range of the object without the surrounding white space.
  ///
  /// If a name repeats, the last member counts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the object.
  package mutating func object(
    seeking sought: MemberKeys, into found: inout MemberRanges
  ) throws(JSONError) -> Range<Int> {
    found.clear()
    let range = try nextObject { name, value, isPlain in
      if name.hasEscapes || first(of: name) == 0x24 { found.hasDollar = true }
      if let index = index(of: name, in: sought) { found.set(index, value, isPlain: isPlain) }
    }
    offset = range.upperBound
    isFresh = false
    return range
  }

  /// Returns the range of the next object without the surrounding white space, after calling a closure with
  /// the name of each member, the range of its value, and whether that is a string without escapes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the object.
  @inline(__always)
  func nextObject(
    _ body: (JSONString, Range<Int>, _ isPlain: Bool) -> Void
  ) throws(JSONError) -> Range<Int> {
    var p = offset
    guard significant(&p) == 0x7B else { throw unexpected(at: p, expected: .object) }
    guard depth < Self.maximumDepth else { throw failure(.tooDeep, at: p) }
    let start = p
    // Values inside are one level deeper.
    var inner = self
    inner.depth &+= 1
    p &+= 1
    var next = significant(&p)
    if next != 0x7D {
      guard next == 0x22 else { throw unexpected(at: p, expected: .memberNameOrEnd) }
      while true {
        let name = try memberName(&p, next)
        next = significant(&p)
        let valueStart = p
        var isPlain = false
        if next == 0x22 {
          var hasEscapes = false
          p = try stringEnd(from: p &+ 1, hasEscapes: &hasEscapes) &+ 1
          isPlain = !hasEscapes
        } else {
          p = try inner.otherEnd(from: p, next)
        }
        body(name, unsafeRange(valueStart, p), isPlain)
        next = significant(&p)
        if next == 0x7D { break }
        guard next == 0x2C else { throw unexpected(at: p, expected: .commaOrObjectEnd) }
        p &+= 1
        next = significant(&p)
      }
    }
    return unsafeRange(start, p &+ 1)
  }

  /// Returns the first byte of a name, or the quotation mark after an empty one.
  @inline(__always)
  private func first(of name: JSONString) -> UInt8 {
    base.load(fromByteOffset: name.range.lowerBound, as: UInt8.self)
  }

  /// Returns the first eight bytes of a name, the first one as the lowest. Those after its end are 0.
  @inline(__always)
  func head(of name: JSONString) -> UInt64 {
    let head = UInt64(
      littleEndian: base.loadUnaligned(fromByteOffset: name.range.lowerBound, as: UInt64.self))
    let length = name.range.upperBound &- name.range.lowerBound
    return length < 8 ? head & (1 &<< UInt64(truncatingIfNeeded: length &* 8) &- 1) : head
  }

  /// Returns the last eight bytes of a name, the first one as the lowest, or all bytes of a shorter one, as
  /// ``head(of:)`` does.
  @inline(__always)
  func tail(of name: JSONString) -> UInt64 {
    let start = name.range.upperBound &- 8
    if start < name.range.lowerBound { return head(of: name) }
    return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Returns the index of a name in the given keys; `nil` if it is not one of them.
  @inline(__always)
  package func index(of name: JSONString, in sought: MemberKeys) -> Int? {
    if name.hasEscapes { return escapedIndex(of: name, in: sought) }
    let length = name.range.upperBound &- name.range.lowerBound
    guard sought.lengths &>> UInt64(truncatingIfNeeded: min(63, length)) & 1 != 0 else {
      return nil
    }
    let first = sought.first(head(of: name))
    guard first < sought.names.count else { return nil }
    // Others may have the same head.
    for index in first..<sought.names.count {
      let candidate = sought.names[index]
      if candidate.utf8CodeUnitCount == length,
        index == first && length <= 8 || isSame(name, candidate)
      {
        return index
      }
    }
    return nil
  }

  @inline(never)
  private func escapedIndex(of name: JSONString, in sought: MemberKeys) -> Int? {
    for index in sought.names.indices where matches(name, sought.names[index]) { return index }
    return nil
  }
}
