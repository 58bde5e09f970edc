extension JSONReader {
  /// Skips a value of any size and returns its range without the surrounding white space.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. The stack does not grow with the
  ///   depth.
  package mutating func skip() throws(JSONError) -> Range<Int> {
    var p = offset
    let found = significant(&p)
    let start = p
    let next = try valueEnd(from: p, found)
    offset = next
    isFresh = false
    return unsafeRange(start, next)
  }

  /// Returns the offset after the value that begins at `start` with the byte `found`.
  ///
  /// Strings, which are the most frequent values by far, are handled inline.
  @inline(__always)
  func valueEnd(from start: Int, _ found: UInt8) throws(JSONError) -> Int {
    if found == 0x22 {
      var ignored = false
      return try stringEnd(from: start &+ 1, hasEscapes: &ignored) &+ 1
    }
    return try otherEnd(from: start, found)
  }

  /// Returns the offset after a value that is not a string.
  @inline(never)
  func otherEnd(from start: Int, _ first: UInt8) throws(JSONError) -> Int {
    switch first {
    case 0x7B, 0x5B: return try containerEnd(from: start, first)
    case 0x2D, 0x30...0x39: return try numberEnd(from: start)
    case 0x74, 0x66, 0x6E: return try literalEnd(from: start, first)
    default: throw unexpected(at: start, expected: .value)
    }
  }

  @inline(never)
  private func containerEnd(from start: Int, _ first: UInt8) throws(JSONError) -> Int {
    var p = start
    var found = first
    var open = OpenContainers(room: Self.maximumDepth &- depth)
    var ignored = false
    while true {
      // A value begins at `p` with the byte `found`.
      switch found {
      case 0x22:
        p = try stringEnd(from: p &+ 1, hasEscapes: &ignored) &+ 1
      case 0x7B:
        guard open.push(isObject: true) else { throw failure(.tooDeep, at: p) }
        p &+= 1
        found = significant(&p)
        if found != 0x7D {
          guard found == 0x22 else { throw unexpected(at: p, expected: .memberNameOrEnd) }
          _ = try memberName(&p, found)
          found = significant(&p)
          continue
        }
        p &+= 1
        open.pop()
      case 0x5B:
        guard open.push(isObject: false) else { throw failure(.tooDeep, at: p) }
        p &+= 1
        found = significant(&p)
        if found != 0x5D { continue }
        p &+= 1
        open.pop()
      case 0x2D, 0x30...0x39:
        p = try numberEnd(from: p)
      case 0x74, 0x66, 0x6E:
        p = try literalEnd(from: p, found)
      default:
        throw unexpected(at: p, expected: .value)
      }
      // A value ended before `p`.
      while true {
        guard open.count > 0 else { return p }
        found = significant(&p)
        if found == 0x2C {
          p &+= 1
          found = significant(&p)
          if open.topIsObject {
            _ = try memberName(&p, found)
            found = significant(&p)
          }
          break
        }
        guard found == (open.topIsObject ? 0x7D : 0x5D) else {
          let expected: JSONError.Expected =
            open.topIsObject ? .commaOrObjectEnd : .commaOrArrayEnd
          throw unexpected(at: p, expected: expected)
        }
        p &+= 1
        open.pop()
      }
    }
  }
}

/// A stack of one bit per open container: whether it is an object.
///
/// The innermost 64 are in one word; full words are moved to `outer`.
private struct OpenContainers {
  private(set) var count = 0
  private var bits: UInt64 = 0
  private var outer = InlineArray<8, UInt64>(repeating: 0)
  private let room: Int

  @inline(__always)
  init(room: Int) {
    self.room = room
  }

  @inline(__always)
  var topIsObject: Bool { bits & 1 != 0 }

  /// Opens a container. Returns false if there is no room for it.
  @inline(__always)
  mutating func push(isObject: Bool) -> Bool {
    guard count < room else { return false }
    if count & 63 == 0 && count > 0 { outer[count &>> 6 &- 1] = bits }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    count &+= 1
    return true
  }

  @inline(__always)
  mutating func pop() {
    count &-= 1
    bits &>>= 1
    if count & 63 == 0 && count > 0 { bits = outer[count &>> 6 &- 1] }
  }
}
