import ByteBuffers
import JSONBytes
import ListState

/// Encodes values of items so that they can be looked up and compared byte by byte. Its memory is
/// reused for each value.
package struct ValueEncoder: ~Copyable {
  private var canonical = JSONCanonical()
  private var scratch = ByteBuffer()

  /// Creates an encoder.
  package init() {}

  /// Calls a closure with the content of a string, without escapes.
  mutating func withString<Result>(
    _ value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let inside = UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1])
    guard Bytes.firstIndex(of: 0x5C, in: inside, from: 0) != nil else { return body(inside) }
    scratch.removeAll()
    JSONReader(value)
      .decode(JSONString(range: 1..<value.count - 1, hasEscapes: true), into: &scratch)
    return scratch.withUnsafeBytes(body)
  }

  /// Calls a closure with an identifier that equal values share, and no others. A missing value is
  /// null.
  mutating func withIdentifier<Result>(
    _ value: UnsafeRawBufferPointer?, _ body: (IDKind, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    scratch.removeAll()
    guard let value else {
      scratch.append(0x6E)
      return scratch.withUnsafeBytes { body(.value, $0) }
    }
    if value[0] == 0x22 { return withString(value) { body(.string, $0) } }
    canonical.append(value, to: &scratch)
    return scratch.withUnsafeBytes { body(.value, $0) }
  }

  /// Appends bytes that compare as values are sorted: missing and null, false, true, numbers,
  /// strings, arrays and objects. The bytes of a value are never a proper prefix of those of
  /// another one.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the value.
  package mutating func append(
    sortable value: UnsafeRawBufferPointer?, isNatural: Bool = false, to key: inout ByteBuffer
  ) {
    guard let value else { return key.append(1) }
    switch value[0] {
    case 0x6E: key.append(1)
    case 0x66: key.append(2)
    case 0x74: key.append(3)
    case 0x22:
      key.append(5)
      // Strings that are equal in natural order are sorted by their code points.
      if isNatural { withString(value) { NaturalOrder.append($0, to: &key) } }
      withString(value) { key.append(terminated: $0) }
    case 0x5B, 0x7B: key.append(6)
    default:
      key.append(4)
      JSONNumber(value).appendOrdered(to: &key)
    }
  }
}

extension ByteBuffer {
  /// Appends bytes and a terminator, so that the result compares as the bytes do.
  fileprivate mutating func append(terminated bytes: UnsafeRawBufferPointer) {
    var start = 0
    while let zero = Bytes.firstIndex(of: 0, in: bytes, from: start) {
      append(UnsafeRawBufferPointer(rebasing: bytes[start...zero]))
      append(0xFF)
      start = zero + 1
    }
    append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    append(0)
    append(0)
  }
}

/// Memory that is reused for each item.
package struct ValueScratch: ~Copyable {
  package var encoder = ValueEncoder()
  package var key = ByteBuffer()

  /// Creates empty memory.
  package init() {}
}

/// A set of values. The time of a look-up does not depend on their number.
package struct ValueSet: Sendable {
  private var table = IDTable()

  /// Creates a set with copies of some values.
  package init(_ values: some Sequence<UnsafeRawBufferPointer>) {
    var encoder = ValueEncoder()
    for value in values {
      let value = value[0] == 0x6E ? nil : value
      encoder.withIdentifier(value) { _ = table.intern($0, $1) }
    }
  }

  /// Returns whether the set contains a value. A missing value is null.
  func contains(_ value: UnsafeRawBufferPointer?, _ scratch: inout ValueScratch) -> Bool {
    let value = value.flatMap { $0[0] == 0x6E ? nil : $0 }
    return scratch.encoder.withIdentifier(value) { table.find($0, $1) != nil }
  }
}

/// A closed range of strings, numbers or booleans.
package struct ValueBounds: Sendable {
  private var lower: [UInt8] = []
  private var upper: [UInt8] = []

  /// The first bytes that values in the range may have in their encoding.
  private var kinds: [UInt8] = [2, 3, 4, 5]

  /// Creates the range between two bounds of the same type. It is empty if their types differ.
  package init(from lower: UnsafeRawBufferPointer?, to upper: UnsafeRawBufferPointer?) {
    var encoder = ValueEncoder()
    for bound in [lower, upper] {
      guard let bound else { continue }
      var key = ByteBuffer()
      encoder.append(sortable: bound, to: &key)
      let first = key[0]
      kinds.removeAll { $0 != first && ($0 > 3 || first > 3) }
    }
    if let lower { self.lower = Self.key(of: lower, &encoder) }
    if let upper { self.upper = Self.key(of: upper, &encoder) }
  }

  private static func key(
    of bound: UnsafeRawBufferPointer, _ encoder: inout ValueEncoder
  ) -> [UInt8] {
    var key = ByteBuffer()
    encoder.append(sortable: bound, to: &key)
    return key.withUnsafeBytes { Array($0) }
  }

  func contains(_ value: UnsafeRawBufferPointer, _ scratch: inout ValueScratch) -> Bool {
    scratch.key.removeAll()
    scratch.encoder.append(sortable: value, to: &scratch.key)
    guard kinds.contains(scratch.key[0]) else { return false }
    return scratch.key.withUnsafeBytes { key in
      let isAbove = lower.withUnsafeBytes { !Bytes.precedes(key, $0) }
      return isAbove && (upper.isEmpty || upper.withUnsafeBytes { !Bytes.precedes($0, key) })
    }
  }
}
