import JSONBytes
import ListState

/// Writes values of items so that they can be looked up and compared byte by byte, with scratch memory
/// that is kept from value to value.
package struct ValueEncoder: ~Copyable {
  private var canonical = JSONCanonical()
  private var scratch = ByteBuffer()

  /// An encoder.
  package init() {}

  /// Lends the content of a string without escapes.
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

  /// Lends an identifier that a value shares with all values that are the same, and with no other; a
  /// missing value is null.
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

  /// Appends bytes that compare as values are sorted: missing and null, false, true, numbers, strings,
  /// arrays and objects. Of no two that differ one is the beginning of the other.
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
      // The natural order of strings that are equal in it is that of their code points.
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
  /// Appends bytes and an end, so that they compare as the bytes do.
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

/// Memory for work on one item after the other.
package struct ValueScratch: ~Copyable {
  package var encoder = ValueEncoder()
  package var key = ByteBuffer()

  /// Memory that nothing has been written to.
  package init() {}
}

/// Values that an item's value is compared with, looked up at once however many they are.
package struct ValueSet: Sendable {
  private var table = IDTable()

  /// Some values, which are kept.
  package init(_ values: some Sequence<UnsafeRawBufferPointer>) {
    var encoder = ValueEncoder()
    for value in values {
      let value = value[0] == 0x6E ? nil : value
      encoder.withIdentifier(value) { _ = table.intern($0, $1) }
    }
  }

  /// Whether a value is among them; a missing value is null.
  func contains(_ value: UnsafeRawBufferPointer?, _ scratch: inout ValueScratch) -> Bool {
    let value = value.flatMap { $0[0] == 0x6E ? nil : $0 }
    return scratch.encoder.withIdentifier(value) { table.find($0, $1) != nil }
  }
}

/// A range of strings, numbers or booleans, bounds included.
package struct ValueBounds: Sendable {
  private var lower: [UInt8] = []
  private var upper: [UInt8] = []

  /// What the first byte of a value in the range may be, as it is sorted.
  private var kinds: [UInt8] = [2, 3, 4, 5]

  /// The values between two bounds of the same kind; none if they are of different kinds.
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
