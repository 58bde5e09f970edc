/// Up to eight names of members to look for, made once and used for many objects.
package final class SoughtMembers: Sendable {
  /// How many names can be sought at once.
  package static let maximum = 8

  let names: InlineArray<8, StaticString>
  let heads: InlineArray<8, UInt64>
  let count: Int

  /// A bit for each length that a name has; bit 63 for all lengths from 63 on.
  let lengths: UInt64

  /// The names in the order that `FoundMembers` counts them.
  package init(_ sought: StaticString...) {
    precondition(sought.count <= Self.maximum)
    var names = InlineArray<8, StaticString>(repeating: "")
    var heads = InlineArray<8, UInt64>(repeating: 0)
    var lengths: UInt64 = 0
    for (place, name) in sought.enumerated() {
      precondition(name.hasPointerRepresentation)
      names[place] = name
      let length = name.utf8CodeUnitCount
      for byte in 0..<min(8, length) {
        heads[place] |= UInt64(name.utf8Start[byte]) << (8 * UInt64(byte))
      }
      lengths |= 1 << UInt64(min(63, length))
    }
    self.names = names
    self.heads = heads
    self.lengths = lengths
    count = sought.count
  }
}

/// Where the members of one object are that were sought.
package struct FoundMembers {
  private var ranges = InlineArray<8, Range<Int>>(repeating: 0..<0)

  /// A bit for each number of a name that was found.
  package private(set) var mask: UInt8 = 0

  /// A bit for each number of a name whose value is a string in which nothing is escaped.
  private var plain: UInt8 = 0

  /// Whether a name that was passed begins with `$`, or has escapes.
  package internal(set) var hasDollar = false

  /// Nothing found.
  package init() {}

  /// The value of the last member with the sought name of this number, or nil.
  package subscript(place: Int) -> Range<Int>? {
    mask &>> UInt8(place) & 1 != 0 ? ranges[place] : nil
  }

  /// The bytes inside the quotation marks of such a value, where it is a string in which nothing is
  /// escaped.
  package func plainString(_ place: Int) -> Range<Int>? {
    guard plain &>> UInt8(place) & 1 != 0 else { return nil }
    let range = ranges[place]
    return Range(uncheckedBounds: (range.lowerBound &+ 1, range.upperBound &- 1))
  }

  mutating func clear() {
    mask = 0
    plain = 0
    hasDollar = false
  }

  /// Notes where the value of the sought name of a number is.
  @inline(__always)
  package mutating func set(_ place: Int, _ range: Range<Int>, isPlain: Bool = false) {
    ranges[place] = range
    let bit: UInt8 = 1 &<< UInt8(truncatingIfNeeded: place)
    mask |= bit
    plain = isPlain ? plain | bit : plain & ~bit
  }
}

extension JSONReader {
  /// Reads one whole object and notes where the values of the sought members are.
  ///
  /// Of a repeated name the last counts. Returns the bytes of the object without the white space
  /// around.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the object.
  package mutating func object(
    seeking sought: SoughtMembers, into found: inout FoundMembers
  ) throws(JSONError) -> Range<Int> {
    found.clear()
    var p = offset
    guard significant(&p) == 0x7B else { throw unexpected(at: p, expected: .object) }
    guard depth < Self.maximumDepth else { throw failure(.tooDeep, at: p) }
    let start = p
    // Values inside are one deeper; an error leaves the reader unusable anyway.
    depth &+= 1
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
          p = try otherEnd(from: p, next)
        }
        if name.hasEscapes || first(of: name) == 0x24 { found.hasDollar = true }
        if let place = self.place(of: name, in: sought) {
          found.set(place, unsafeRange(valueStart, p), isPlain: isPlain)
        }
        next = significant(&p)
        if next == 0x7D { break }
        guard next == 0x2C else { throw unexpected(at: p, expected: .commaOrObjectEnd) }
        p &+= 1
        next = significant(&p)
      }
    }
    depth &-= 1
    offset = p &+ 1
    isFresh = false
    return unsafeRange(start, p &+ 1)
  }

  /// The first byte of a name, or the quotation mark after an empty one.
  @inline(__always)
  private func first(of name: JSONString) -> UInt8 {
    base.load(fromByteOffset: name.range.lowerBound, as: UInt8.self)
  }

  /// Which of the sought names a name is.
  @inline(__always)
  private func place(of name: JSONString, in sought: SoughtMembers) -> Int? {
    if name.hasEscapes { return escapedPlace(of: name, in: sought) }
    let length = name.range.upperBound &- name.range.lowerBound
    guard sought.lengths &>> UInt64(truncatingIfNeeded: min(63, length)) & 1 != 0 else {
      return nil
    }
    var head = UInt64(
      littleEndian: base.loadUnaligned(fromByteOffset: name.range.lowerBound, as: UInt64.self))
    if length < 8 { head &= 1 &<< UInt64(truncatingIfNeeded: length &* 8) &- 1 }
    var place = 0
    while place < sought.count {
      if sought.heads[place] == head {
        let candidate = sought.names[place]
        if candidate.utf8CodeUnitCount == length && (length <= 8 || isSame(name, candidate)) {
          return place
        }
      }
      place &+= 1
    }
    return nil
  }

  @inline(never)
  private func escapedPlace(of name: JSONString, in sought: SoughtMembers) -> Int? {
    for place in 0..<sought.count where matches(name, sought.names[place]) { return place }
    return nil
  }
}
