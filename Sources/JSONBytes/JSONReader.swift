/// What a JSON value is.
package enum JSONKind: Sendable {
  case object, array, string, number, `true`, `false`, null
}

/// Where a string stands in the bytes that a reader reads.
package struct JSONString: Equatable, Sendable {
  /// The bytes inside the quotation marks.
  package var range: Range<Int>

  /// Whether a backslash is among them.
  package var hasEscapes: Bool

  @inlinable
  package init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}

/// Reads JSON forward, value by value, and checks all of it on the way.
///
/// Everything that a reader has passed is JSON as RFC 8259 defines it, in UTF-8, nested no deeper
/// than `maximumDepth`. A reader keeps no tree and no stack, so that it is cheap to make, copy and
/// throw away: after `openObject` call `nextMember` and consume one value, in turn, until it
/// returns nil; after `openArray` likewise `nextElement`.
///
/// Offsets count from the start of the bytes. The owner of the bytes keeps them alive and
/// guarantees that 64 more can be read after the last; what those hold does not matter.
package struct JSONReader {
  /// How many containers may be open at once.
  package static let maximumDepth = 512

  @usableFromInline let base: UnsafeRawPointer

  /// How many bytes there are to read.
  package private(set) var limit: Int

  /// Where the next thing is read.
  package internal(set) var offset: Int

  /// How many containers are open.
  package internal(set) var depth: Int

  /// Whether a container has been opened and nothing of it read.
  var isFresh = false

  /// A reader at `start` in bytes where `depth` containers are open already.
  package init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, depth: Int = 0) {
    precondition(start >= 0 && start <= bytes.count)
    // Nothing is read through the address of an empty buffer, see `significant`.
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
    limit = bytes.count
    offset = start
    self.depth = depth
  }

  /// Goes on to a later end, for more bytes have come.
  package mutating func extend(to limit: Int) {
    precondition(limit >= self.limit)
    self.limit = limit
  }

  /// A reader of the same bytes at another place, where `depth` containers are open.
  package func moved(to offset: Int, depth: Int) -> JSONReader {
    precondition(offset >= 0 && offset <= limit)
    var moved = self
    moved.offset = offset
    moved.depth = depth
    moved.isFresh = false
    return moved
  }

  /// The bytes at a range of offsets.
  @inlinable package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// What the next value is, by its first byte.
  package mutating func peek() throws(JSONError) -> JSONKind {
    switch significant(&offset) {
    case 0x7B: return .object
    case 0x5B: return .array
    case 0x22: return .string
    case 0x2D, 0x30...0x39: return .number
    case 0x74: return .true
    case 0x66: return .false
    case 0x6E: return .null
    default: throw unexpected(at: offset, expected: .value)
    }
  }

  /// Makes sure that nothing but white space is left.
  package mutating func end() throws(JSONError) {
    _ = significant(&offset)
    if offset < limit { throw JSONError(offset: offset, problem: .trailingBytes) }
  }

  @inline(__always)
  func byte(_ p: Int) -> UInt8 {
    base.load(fromByteOffset: p, as: UInt8.self)
  }

  /// Passes white space and returns the byte after it, or 0 at the end, where 0 is no JSON.
  @inline(__always)
  func significant(_ p: inout Int) -> UInt8 {
    guard p < limit else { return 0 }
    let found = byte(p)
    return found > 0x20 ? found : afterSpace(&p)
  }

  @inline(never)
  private func afterSpace(_ p: inout Int) -> UInt8 {
    while p < limit {
      switch byte(p) {
      case 0x20, 0x0A, 0x0D, 0x09: p &+= 1
      case let found: return found
      }
      // Indentation comes in runs; 8 bytes from before the end are readable.
      while p &+ 8 <= limit,
        base.loadUnaligned(fromByteOffset: p, as: UInt64.self) == 0x2020_2020_2020_2020
      {
        p &+= 8
      }
    }
    return 0
  }

  @inline(never)
  func unexpected(at p: Int, expected: JSONError.Expected) -> JSONError {
    guard p < limit else { return JSONError(offset: limit, problem: .unexpectedEnd) }
    return JSONError(offset: p, problem: .unexpectedByte(byte(p), expected: expected))
  }

  @inline(never)
  func failure(_ problem: JSONError.Problem, at p: Int) -> JSONError {
    p < limit
      ? JSONError(offset: p, problem: problem) : JSONError(offset: limit, problem: .unexpectedEnd)
  }
}
