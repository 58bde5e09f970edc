/// A guess about the next objects: the names of their members and all other bytes between their
/// values.
///
/// The items of a list tend to be written by the same code: with the same members, in the same order
/// and with the same white space. If the bytes between the values of an object are those of an
/// object that was read, only its values need to be parsed.
package struct ObjectShape: Sendable {
  /// What follows the bytes of a step.
  enum Next: UInt8 {
    /// The next step, or the end of the object.
    case step
    /// The rest of a string, whose quotation mark is the last byte of the step.
    case string
    /// A value that is not a string.
    case other
  }

  /// Up to sixteen bytes between two values, before the first one or after the last one.
  struct Step {
    /// The bytes, followed by zeros, and for each byte whether it counts.
    var bytes: (UInt64, UInt64)
    var mask: (UInt64, UInt64)
    var count: Int
    var next = Next.step

    /// The index of the member's name in the `MemberKeys`, or -1.
    var member = -1
  }

  /// The steps of an object, none if no object has been learned.
  private(set) var steps: [Step] = []

  /// The number of bytes of white space before the object.
  private(set) var indentation = 0

  private(set) var hasDollar = false

  /// The index of the only member with a meaning, if it is a string; else -1.
  private(set) var onlyString = -1

  /// The number of consecutive objects that did not have the shape, and that of those that had it
  /// since it was learned.
  private var misses = 0
  private var hits = 0

  /// The number of consecutive objects that had the shape.
  private var streak = 0

  /// The number of misses after which another shape is learned.
  private var patience = fewestMisses

  /// Whether the next object was compared with the shape already.
  fileprivate var isKnownMiss = false

  private static let fewestMisses = 4
  private static let mostMisses = 1 << 12
  private static let mostSteps = 64

  package init() {}

  /// Whether the next object may have the shape. Objects that differ from each other are compared
  /// with it only now and then.
  var isPromising: Bool {
    !steps.isEmpty && !isKnownMiss && (misses < 16 || misses & 15 == 0)
  }

  /// Whether several objects are worth reading together, which takes longer if there is only one.
  package var isSteady: Bool { streak > 1 }

  mutating func recordHits(_ count: Int) {
    hits &+= count
    streak &+= count
    misses = 0
  }

  /// Records an object that did not have the shape. `reader` is before it, and `found` has its
  /// members. Learns its shape after a few misses, and after more if that has not helped.
  mutating func recordMiss(
    _ reader: JSONReader, _ found: borrowing MemberRanges, _ keys: MemberKeys
  ) {
    misses &+= 1
    streak = 0
    isKnownMiss = false
    guard misses >= patience else { return }
    patience =
      hits >= 4 * patience ? Self.fewestMisses : min(patience &* 2, Self.mostMisses)
    misses = 0
    hits = 0
    learn(reader, found, keys)
  }

  private mutating func learn(
    _ reader: JSONReader, _ found: borrowing MemberRanges, _ keys: MemberKeys
  ) {
    steps.removeAll(keepingCapacity: true)
    hasDollar = found.hasDollar
    var strings = found.onlyIndex
    checked { () throws(JSONError) in
      var start = reader.offset
      var p = start
      _ = reader.significant(&p)
      indentation = p &- start
      repeat {
        // A bracket or a comma is at `p`.
        p &+= 1
        var next = reader.significant(&p)
        if next == 0x7D { break }
        let name = try reader.memberName(&p, next)
        next = reader.significant(&p)
        let member = reader.index(of: name, in: keys) ?? -1
        if next == 0x22 { p &+= 1 } else if member == strings { strings = -1 }
        append(reader, start..<p, next == 0x22 ? .string : .other, member: member)
        p = try reader.valueEnd(from: next == 0x22 ? p &- 1 : p, next)
        start = p
      } while reader.significant(&p) == 0x2C
      append(reader, start..<p &+ 1, .step, member: -1)
    }
    onlyString = strings
    if steps.count > Self.mostSteps { steps = [] }
  }

  /// Appends the steps for a range of bytes.
  private mutating func append(
    _ reader: JSONReader, _ range: Range<Int>, _ next: Next, member: Int
  ) {
    var p = range.lowerBound
    while p < range.upperBound, steps.count <= Self.mostSteps {
      let count = min(16, range.upperBound &- p)
      // A shift by 64 or more is 0.
      let mask = (
        ~(UInt64.max << UInt64(count * 8)), ~(UInt64.max << UInt64(max(0, count - 8) * 8))
      )
      // In bounds: the bytes end before the end of the object, which is followed by readable bytes.
      let bytes = (reader.word(p) & mask.0, reader.word(p &+ 8) & mask.1)
      steps.append(Step(bytes: bytes, mask: mask, count: count))
      p &+= count
    }
    steps[steps.count - 1].next = next
    steps[steps.count - 1].member = member
  }
}

/// Consecutive objects whose only member with a meaning is a string without escapes.
package struct ObjectRun: Sendable {
  /// The ranges of the objects.
  package private(set) var objects: [Range<Int>] = []

  /// By object, the range inside the quotation marks of the member's value.
  package private(set) var strings: [Range<Int>] = []

  /// The maximum number of objects.
  private static let size = 128

  package init() {}

  /// Reads the next objects of an array, after `nextElement`, as long as they have a shape and
  /// another element follows, but none at or after `end`. The reader is then at an element.
  ///
  /// Reads none if another member than that of the name at index `member` has a meaning.
  package mutating func read(
    _ shape: inout ObjectShape, _ reader: inout JSONReader, member: Int, before end: Int
  ) {
    if !objects.isEmpty {
      objects.removeAll(keepingCapacity: true)
      strings.removeAll(keepingCapacity: true)
    }
    guard shape.isSteady, shape.onlyString == member, !shape.hasDollar, shape.isPromising
    else { return }
    objects.append(addingCapacity: Self.size) { objects in
      strings.append(addingCapacity: Self.size) { strings in
        shape.isKnownMiss = reader.objects(like: shape, before: end, &objects, &strings)
      }
    }
    if !objects.isEmpty { shape.recordHits(objects.count) }
  }
}

extension JSONReader {
  /// Reads like `object(seeking:into:)`, first as an object with a shape. If it has another shape,
  /// the shape may become that of the object.
  package mutating func object(
    seeking keys: MemberKeys, like shape: inout ObjectShape, into found: inout MemberRanges
  ) throws(JSONError) -> Range<Int> {
    let beginning = self
    if shape.isPromising {
      if let end = objectEnd(like: shape, from: offset, into: &found) {
        let start = offset &+ shape.indentation
        offset = end
        isFresh = false
        shape.recordHits(1)
        return unsafeRange(start, end)
      }
    }
    let range = try object(seeking: keys, into: &found)
    shape.recordMiss(beginning, found, keys)
    return range
  }

  /// Appends the ranges of the next objects that have a shape and are followed by a comma. Returns
  /// whether it ended at an object of another shape.
  fileprivate mutating func objects(
    like shape: borrowing ObjectShape, before end: Int, _ objects: inout OutputSpan<Range<Int>>,
    _ strings: inout OutputSpan<Range<Int>>
  ) -> Bool {
    var found = MemberRanges()
    while !objects.isFull, !strings.isFull, offset < end {
      guard let objectEnd = objectEnd(like: shape, from: offset, into: &found) else { return true }
      var p = objectEnd
      guard let string = found.plainString(shape.onlyString), significant(&p) == 0x2C else {
        return false
      }
      objects.append(unsafeRange(offset &+ shape.indentation, objectEnd))
      strings.append(string)
      offset = p &+ 1
    }
    return false
  }

  /// Returns the offset after the object that begins at `start`, if it has a shape and its values
  /// are valid, and records the ranges of its members.
  @inline(__always)
  private func objectEnd(
    like shape: borrowing ObjectShape, from start: Int, into found: inout MemberRanges
  ) -> Int? {
    guard depth < Self.maximumDepth else { return nil }
    found.clear()
    found.hasDollar = shape.hasDollar
    let steps = shape.steps.span
    var p = start
    for index in 0..<steps.count {
      let step = steps[index]
      // In bounds: sixteen bytes after the limit are readable.
      guard p <= limit else { return nil }
      let first = (word(p) ^ step.bytes.0) & step.mask.0
      let second = (word(p &+ 8) ^ step.bytes.1) & step.mask.1
      guard first | second == 0 else { return nil }
      p &+= step.count
      if step.next == .step { continue }
      guard p < limit else { return nil }
      let valueStart = p
      if step.next == .string {
        var hasEscapes = false
        guard let end = try? longStringEnd(from: p, hasEscapes: &hasEscapes) else { return nil }
        p = end &+ 1
        if step.member >= 0 {
          found.set(step.member, unsafeRange(valueStart &- 1, p), isPlain: !hasEscapes)
        }
      } else {
        let first = byte(p)
        guard first != 0x22, let end = innerEnd(from: p, first) else { return nil }
        p = end
        if step.member >= 0 { found.set(step.member, unsafeRange(valueStart, p)) }
      }
    }
    return p <= limit ? p : nil
  }

  /// Returns the offset after a value in the next object that is not a string, if it is valid.
  private func innerEnd(from start: Int, _ first: UInt8) -> Int? {
    var inner = self
    inner.depth &+= 1
    return try? inner.otherEnd(from: start, first)
  }

  /// Returns eight bytes, the first one as the lowest.
  @inline(__always)
  fileprivate func word(_ p: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: p, as: UInt64.self))
  }
}
