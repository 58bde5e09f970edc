/// What an identifier encodes.
package enum IDKind: UInt8, Sendable {
  case string = 1
  case integer
  /// An item without an identifier: its whole value in canonical form.
  case value
  /// An item of a composite: the key of its source's name and its key there.
  case sourced
  /// A part: the key of its item and what distinguishes the part from the item's other parts.
  case part
  /// One of several items of a tree with the same identity: the key of the identity and a number.
  case occurrence

  /// Whether an identifier is two numbers below 2^29, of four bytes each.
  @inline(__always)
  var isPair: Bool { self == .sourced || self == .occurrence }
}

extension IDTable {
  /// The range of the bytes of a key's identifier, or the identifier itself if it is a pair, read with
  /// one load.
  struct Entry: Equatable {
    /// The start of the bytes, or the first number of a pair.
    var start: UInt32
    /// The length of the bytes or the second number, and the kind in the lowest three bits, 0 for an
    /// unused key.
    var size: UInt32

    init(start: Int, length: Int, kind: IDKind) {
      precondition(start <= UInt32.max && length < 1 << 29)
      self.start = UInt32(start)
      size = UInt32(length) << 3 | UInt32(kind.rawValue)
    }

    var length: Int { Int(size >> 3) }
    var isFree: Bool { size & 7 == 0 }
    /// Whether the key is in use and found by a hash.
    var hasSlot: Bool { !isFree && kind != .sourced }
    var kind: IDKind { IDKind(rawValue: UInt8(size & 7))! }
    var range: Range<Int> { Int(start)..<Int(start) + length }
    var pair: (UInt32, UInt32) { (start, size >> 3) }
  }

  /// An identifier that is looked up.
  struct SoughtID {
    let kind: IDKind
    /// The bytes, empty if the identifier is a pair.
    let bytes: UnsafeRawBufferPointer
    /// The numbers of a pair, or zeros.
    ///
    /// A pair is never passed as bytes: Swift 6.3.1 may lose a store to a temporary value whose bytes
    /// are loaded as another type.
    let pair: (UInt32, UInt32)

    @inline(__always)
    init(_ kind: IDKind, _ bytes: UnsafeRawBufferPointer) {
      precondition(!kind.isPair)
      (self.kind, self.bytes, pair) = (kind, bytes, (0, 0))
    }

    @inline(__always)
    init(_ kind: IDKind, _ first: UInt32, _ second: UInt32) {
      precondition(kind == .occurrence && second < 1 << 29)
      (self.kind, bytes, pair) = (
        kind, UnsafeRawBufferPointer(start: nil, count: 0), (first, second)
      )
    }
  }
}

extension Array {
  /// Makes room for more elements. If memory has to grow, it grows by an eighth.
  @inline(__always)
  mutating func reserveSparingly(_ more: Int) {
    if count + more > capacity { reserveCapacity(count + more + count / 8 + 16) }
  }
}

extension [UInt8] {
  /// Appends bytes. If memory has to grow, it grows by an eighth.
  @inline(__always)
  mutating func appendSparingly(_ bytes: UnsafeRawBufferPointer) {
    reserveSparingly(bytes.count)
    append(addingCapacity: bytes.count) { added in
      added.withUnsafeMutableBufferPointer { room, count in
        // In bounds: there is room for that many bytes.
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...])
          .copyMemory(from: bytes)
        count += bytes.count
      }
    }
  }
}
