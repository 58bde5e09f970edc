import ByteBuffers

/// The next objects of a message, found speculatively by how they begin.
///
/// Many are searched for at a time, so that the look-ups for them can wait for memory together.
/// They may turn out not to be objects: nothing is certain before they have been compared.
package struct SpeculativeObjects: Sendable {
  /// By object, the range inside the quotation marks of the first member's value, a string without
  /// escapes.
  package private(set) var strings: [Range<Int>] = []

  /// By object, the offset at which it begins.
  package private(set) var starts: [Int] = []

  /// The number of objects that were skipped or turned out to be wrong.
  private var done = 0

  /// A checksum of the bytes read ahead, so that the compiler keeps the loads.
  private var seen: UInt8 = 0

  /// The maximum number of objects, and the maximum number of bytes that are searched for them.
  private static let size = 128
  private static let reach = 1 << 15

  package init() {}

  /// Returns whether no object is left after the position of a reader.
  package mutating func isExhausted(at reader: JSONReader) -> Bool {
    while done < starts.count, starts[done] < reader.offset { done += 1 }
    return done == starts.count
  }

  /// Searches for the next objects whose first member has the given name.
  package mutating func find(_ name: StaticString, _ reader: JSONReader) {
    // As many bytes as the last objects had.
    seen ^= reader.touch((starts.last ?? 0) - (starts.first ?? 0))
    done = 0
    starts.removeAll(keepingCapacity: true)
    strings.removeAll(keepingCapacity: true)
    starts.append(addingCapacity: Self.size) { starts in
      strings.append(addingCapacity: Self.size) { strings in
        reader.guessObjects(name, Self.reach, &starts, &strings)
      }
    }
  }

  /// Skips the next objects, and the commas between them, as long as each equals the bytes of its
  /// range in `other`. Returns the indices of the skipped objects.
  package mutating func pass(
    _ reader: inout JSONReader, as ranges: [Range<Int>], in other: SharedBytes
  ) -> Range<Int> {
    let first = done
    done = reader.skipEqual(starts.span, from: first, as: ranges.span, in: other)
    return first..<done
  }

  /// Loads the bytes of ranges of `other` into the cache.
  package mutating func fetch(_ ranges: [Range<Int>], in other: SharedBytes) {
    for range in ranges where !range.isEmpty {
      precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
      // In bounds: no byte after the last one of the range is read.
      let last = range.upperBound &- 1
      seen ^= other.base.load(fromByteOffset: range.lowerBound, as: UInt8.self)
      seen ^= other.base.load(fromByteOffset: min(range.lowerBound &+ 64, last), as: UInt8.self)
      seen ^= other.base.load(fromByteOffset: last, as: UInt8.self)
    }
  }
}

extension JSONReader {
  /// Reads a byte of each cache line of the next `count` bytes.
  fileprivate func touch(_ count: Int) -> UInt8 {
    var seen: UInt8 = 0
    let end = min(offset &+ count, limit)
    for line in stride(from: offset, to: end, by: 64) { seen ^= byte(line) }
    return seen
  }

  /// Appends the starts of objects whose first member has the given name, and the ranges of their
  /// strings, until one of the spans is full.
  fileprivate func guessObjects(
    _ name: StaticString, _ reach: Int, _ starts: inout OutputSpan<Int>,
    _ strings: inout OutputSpan<Range<Int>>
  ) {
    let end = min(limit, offset &+ reach)
    var position = offset
    // The objects of a list tend to have similar lengths.
    var distance = 0
    var last = offset
    while !starts.isFull, strings.count == starts.count {
      guard let start = openingBrace(from: position, near: last &+ distance, before: end)
      else { break }
      guard let string = speculativeFirstString(name, at: start) else {
        position = start &+ 1
        continue
      }
      starts.append(start)
      strings.append(string)
      distance = start &- last
      last = start
      position = string.upperBound
    }
  }

  /// Returns an opening brace that is near `guess`, or else the first one from `start` on, or nil.
  @inline(__always)
  private func openingBrace(from start: Int, near guess: Int, before end: Int) -> Int? {
    // In bounds: a step begins before the end, which is followed by 64 readable bytes.
    if guess &- 8 >= start, guess < end, let brace = openingBrace(in: guess &- 8), brace < end {
      return brace
    }
    var p = start
    while p < end {
      if let brace = openingBrace(in: p) { return brace < end ? brace : nil }
      p &+= 16
    }
    return nil
  }

  /// Returns the first opening brace in sixteen bytes, or nil.
  @inline(__always)
  private func openingBrace(in p: Int) -> Int? {
    let braces = SIMD16<UInt8>(repeating: 0x7B)
    let chunk = base.loadUnaligned(fromByteOffset: p, as: SIMD16<UInt8>.self)
    let found = unsafeBitCast(chunk .== braces, to: SIMD2<UInt64>.self)
    guard found[0] | found[1] != 0 else { return nil }
    return p &+ (found[0] != 0 ? 0 : 8)
      &+ (found[0] != 0 ? found[0] : found[1]).trailingZeroBitCount &>> 3
  }

  /// Skips objects that begin at `starts`, from index `first` on, as long as each equals the bytes
  /// of its range in `other`, which must not be empty. Returns the index of the first object that
  /// was not skipped.
  fileprivate mutating func skipEqual(
    _ starts: Span<Int>, from first: Int, as ranges: Span<Range<Int>>, in other: SharedBytes
  ) -> Int {
    var end = offset
    var number = first
    while number < starts.count {
      let start = starts[number]
      let range = ranges[number]
      guard start == end || number > first && isComma(from: end, to: start) else { break }
      guard !range.isEmpty, start &+ range.count <= limit else { break }
      precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
      guard Bytes.equal(base + start, other.base + range.lowerBound, count: range.count) else {
        break
      }
      end = start &+ range.count
      number &+= 1
    }
    if number > first { pass(end &- offset) }
    return number
  }

  /// Returns whether there is a comma between two offsets, followed by at most one space.
  @inline(__always)
  private func isComma(from start: Int, to end: Int) -> Bool {
    guard byte(start) == 0x2C else { return false }
    return start &+ 1 == end || start &+ 2 == end && byte(start &+ 1) == 0x20
  }
}
