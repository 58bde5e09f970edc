/// Objects that may come next in a message, found by how they begin.
///
/// Many are looked for at a time, so that what is asked about them waits for memory together. Nothing is
/// known of them before they have been compared.
package struct GuessedObjects: Sendable {
  /// Where the first member's value is inside its quotation marks, a string without escapes.
  package private(set) var strings: [Range<Int>] = []

  /// Where each begins.
  package private(set) var starts: [Int] = []

  /// How many have been passed, or turned out to be none.
  private var done = 0

  /// What was read ahead, so that reading it is not left out.
  private var seen: UInt8 = 0

  /// How many are worth waiting for, and in how many bytes they are looked for.
  private static let size = 128
  private static let reach = 1 << 15

  package init() {}

  /// Whether none is left from where a reader is.
  package mutating func areOver(at reader: JSONReader) -> Bool {
    while done < starts.count, starts[done] < reader.offset { done += 1 }
    return done == starts.count
  }

  /// Looks for the objects that come next whose first member has a name.
  package mutating func find(_ name: StaticString, _ reader: JSONReader) {
    // As many bytes as the last ones took.
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

  /// Passes the objects that come next as far as each of them is what stands at its range in other
  /// bytes, with the commas between them, and returns which.
  package mutating func pass(
    _ reader: inout JSONReader, as ranges: [Range<Int>], in other: SharedBytes
  ) -> Range<Int> {
    let first = done
    done = reader.passSame(starts.span, from: first, as: ranges.span, in: other)
    return first..<done
  }

  /// Reads where the texts are that ranges of other bytes are, to have them at hand.
  package mutating func fetch(_ ranges: [Range<Int>], in other: SharedBytes) {
    for range in ranges where !range.isEmpty {
      precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
      // In bounds: nothing beyond the last byte of the range is read.
      let last = range.upperBound &- 1
      seen ^= other.base.load(fromByteOffset: range.lowerBound, as: UInt8.self)
      seen ^= other.base.load(fromByteOffset: min(range.lowerBound &+ 64, last), as: UInt8.self)
      seen ^= other.base.load(fromByteOffset: last, as: UInt8.self)
    }
  }
}

extension JSONReader {
  /// Reads a byte of every line of the caches that is in the bytes that come next.
  fileprivate func touch(_ count: Int) -> UInt8 {
    var seen: UInt8 = 0
    let end = min(offset &+ count, limit)
    for place in stride(from: offset, to: end, by: 64) { seen ^= byte(place) }
    return seen
  }

  /// Adds objects whose first member has a name, until one side is full, and where their strings are.
  fileprivate func guessObjects(
    _ name: StaticString, _ reach: Int, _ starts: inout OutputSpan<Int>,
    _ strings: inout OutputSpan<Range<Int>>
  ) {
    let end = min(limit, offset &+ reach)
    var place = offset
    // Objects of a list tend to have one length.
    var distance = 0
    var last = offset
    while !starts.isFull, strings.count == starts.count {
      guard let start = openingBrace(from: place, near: last &+ distance, before: end)
      else { break }
      guard let string = guessedFirstString(name, at: start) else {
        place = start &+ 1
        continue
      }
      starts.append(start)
      strings.append(string)
      distance = start &- last
      last = start
      place = string.upperBound
    }
  }

  /// An opening brace that is near a place or else the first from `start` on, or nil.
  @inline(__always)
  private func openingBrace(from start: Int, near guess: Int, before end: Int) -> Int? {
    // In bounds: a step begins before the end, behind which there are 64 bytes.
    if guess &- 8 >= start, guess < end, let place = openingBrace(in: guess &- 8), place < end {
      return place
    }
    var p = start
    while p < end {
      if let place = openingBrace(in: p) { return place < end ? place : nil }
      p &+= 16
    }
    return nil
  }

  /// The first opening brace of sixteen bytes, or nil.
  @inline(__always)
  private func openingBrace(in p: Int) -> Int? {
    let braces = SIMD16<UInt8>(repeating: 0x7B)
    let chunk = base.loadUnaligned(fromByteOffset: p, as: SIMD16<UInt8>.self)
    let found = unsafeBitCast(chunk .== braces, to: SIMD2<UInt64>.self)
    guard found[0] | found[1] != 0 else { return nil }
    return p &+ (found[0] != 0 ? 0 : 8)
      &+ (found[0] != 0 ? found[0] : found[1]).trailingZeroBitCount &>> 3
  }

  /// Passes objects that begin at `starts` from a number on, while they are the bytes at ranges of other
  /// bytes that are not empty; returns the number of the first that is not.
  fileprivate mutating func passSame(
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

  /// Whether there is a comma between two places, and at most a space after it.
  @inline(__always)
  private func isComma(from start: Int, to end: Int) -> Bool {
    guard byte(start) == 0x2C else { return false }
    return start &+ 1 == end || start &+ 2 == end && byte(start &+ 1) == 0x20
  }
}
