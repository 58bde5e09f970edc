/// The kind of a JSON value.
@usableFromInline
package enum JSONKind: Sendable {
  case object, array, string, number, `true`, `false`, null
}

/// The position of a string in the bytes of a reader.
@usableFromInline
package struct JSONString: Equatable, Sendable {
  /// The range of the bytes inside the quotation marks.
  @usableFromInline package var range: Range<Int>

  /// Whether the string contains a backslash.
  @usableFromInline package var hasEscapes: Bool

  @inlinable
  package init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}

/// Parses JSON from left to right, value by value, and validates it.
///
/// All bytes that a reader has consumed are JSON as defined by RFC 8259, in UTF-8, nested no deeper
/// than `maximumDepth`. A reader stores neither a tree nor a stack, so it is cheap to create, copy
/// and discard. After `openObject`, call `nextMember` and consume one value, in turn, until it
/// returns nil; after `openArray`, do the same with `nextElement`.
///
/// Offsets count from the start of the bytes. The owner of the bytes keeps them alive and
/// guarantees that 64 more bytes after the last one are readable; their values do not matter.
@usableFromInline
package struct JSONReader {
  /// The maximum number of open containers.
  package static let maximumDepth = 512

  @usableFromInline let base: UnsafeRawPointer

  /// The number of bytes to read.
  @usableFromInline package private(set) var limit: Int

  /// The offset of the next token.
  @usableFromInline package internal(set) var offset: Int

  /// The number of open containers.
  package internal(set) var depth: Int

  /// Whether a container was opened and none of its values was read yet.
  var isFresh = false

  /// Creates a reader at offset `start` of bytes in which `depth` containers are already open.
  package init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, depth: Int = 0) {
    precondition(start >= 0 && start <= bytes.count)
    // The address of an empty buffer is never read; see `significant`.
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 64).unsafelyUnwrapped
    limit = bytes.count
    offset = start
    self.depth = depth
  }

  /// Moves the end of the bytes to `limit`, because more bytes were received.
  package mutating func extend(to limit: Int) {
    precondition(limit >= self.limit)
    self.limit = limit
  }

  /// Returns a reader of the same bytes at another offset, with `depth` open containers.
  package func moved(to offset: Int, depth: Int) -> JSONReader {
    precondition(offset >= 0 && offset <= limit)
    var moved = self
    moved.offset = offset
    moved.depth = depth
    moved.isFresh = false
    return moved
  }

  /// Returns the bytes in a range of offsets.
  @inlinable package func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns the kind of the next value, given by its first byte.
  @inlinable @inline(__always)
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

  /// Checks that only white space is left.
  package mutating func end() throws(JSONError) {
    _ = significant(&offset)
    if offset < limit { throw JSONError(offset: offset, problem: .trailingBytes) }
  }

  @inlinable @inline(__always)
  func byte(_ p: Int) -> UInt8 {
    base.load(fromByteOffset: p, as: UInt8.self)
  }

  /// Skips white space and returns the byte after it. Returns 0, which is not valid in JSON, at the
  /// end.
  @inlinable @inline(__always)
  func significant(_ p: inout Int) -> UInt8 {
    guard p < limit else { return 0 }
    let found = byte(p)
    if found > 0x20 { return found }
    p = Self.pastSpace(base, p, limit)
    return p < limit ? byte(p) : 0
  }

  // What is rare is in functions of values: a reader whose address is passed on, or an offset that is, is
  // kept in memory.

  @inline(never) @usableFromInline
  static func pastSpace(_ base: UnsafeRawPointer, _ start: Int, _ limit: Int) -> Int {
    var p = start
    while p < limit {
      switch base.load(fromByteOffset: p, as: UInt8.self) {
      case 0x20, 0x0A, 0x0D, 0x09: p &+= 1
      default: return p
      }
      // Indentation consists of long runs; 8 bytes from any offset before the end are readable.
      while p &+ 8 <= limit,
        base.loadUnaligned(fromByteOffset: p, as: UInt64.self) == 0x2020_2020_2020_2020
      {
        p &+= 8
      }
    }
    return p
  }

  @inlinable @inline(__always)
  func unexpected(at p: Int, expected: JSONError.Expected) -> JSONError {
    Self.unexpected(base, p, limit, expected)
  }

  @inline(never) @usableFromInline
  static func unexpected(
    _ base: UnsafeRawPointer, _ p: Int, _ limit: Int, _ expected: JSONError.Expected
  ) -> JSONError {
    guard p < limit else { return JSONError(offset: limit, problem: .unexpectedEnd) }
    let found = base.load(fromByteOffset: p, as: UInt8.self)
    return JSONError(offset: p, problem: .unexpectedByte(found, expected: expected))
  }

  @inline(__always)
  func failure(_ problem: JSONError.Problem, at p: Int) -> JSONError {
    Self.failure(problem, p, limit)
  }

  @inline(never)
  static func failure(_ problem: JSONError.Problem, _ p: Int, _ limit: Int) -> JSONError {
    p < limit
      ? JSONError(offset: p, problem: problem) : JSONError(offset: limit, problem: .unexpectedEnd)
  }
}
