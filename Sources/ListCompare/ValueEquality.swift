import ByteBuffers
import JSONBytes

/// Which values that are not the same are equal.
package struct ValueEquality: Sendable {
  /// The white space that is ignored.
  package enum Space: Sendable {
    case none
    /// The number of blanks, and those at the end.
    case amount
    case all
  }

  /// Numbers are equal if they differ by no more than this.
  package var tolerance: Double?
  package var ignoredSpace = Space.none
  package var ignoresCase = false

  package init() {}

  /// Whether only equal texts are equal.
  var isExact: Bool { tolerance == nil && !ignoresText }

  /// Whether some differences of texts are ignored.
  package var ignoresText: Bool { ignoresCase || ignoredSpace != .none }

  /// Whether two texts are equal.
  func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if Bytes.equal(a, b) || areClose(a, b) { return true }
    return ignoresText && normalized(a) == normalized(b)
  }

  /// Whether two texts are numbers that differ by no more than the tolerance.
  func areClose(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard let tolerance, let a = Self.number(a), let b = Self.number(b) else { return false }
    // Decimal fractions such as 0.01 are not exact.
    return abs(a - b) <= tolerance + 4 * max(a.ulp, b.ulp)
  }

  private static func number(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 64, text.allSatisfy({ $0 &- 0x2B < 15 || $0 | 0x20 == 0x65 }) else {
      return nil
    }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a text without what is ignored: equal texts have equal results.
  func normalized(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      let isBlank = byte == 0x20 || byte &- 0x09 < 5
      if !isBlank || ignoredSpace == .none {
        result.append(byte)
      } else if ignoredSpace == .amount, result.last != 0x20 {
        result.append(0x20)
      }
    }
    if ignoredSpace == .amount, result.last == 0x20 { result.removeLast() }
    guard ignoresCase else { return result }
    let isText = result.withUnsafeBytes { Bytes.firstInvalidUTF8(in: $0) == nil }
    return isText
      ? Array(String(decoding: result, as: UTF8.self).lowercased().utf8)
      : result.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  /// Whether two JSON values that are neither objects nor arrays are equal.
  func equal(json a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.first == 0x22, b.first == 0x22, ignoresText else { return areClose(a, b) }
    let (left, right) = (Array(JSONText.plain(a).utf8), Array(JSONText.plain(b).utf8))
    return left.withUnsafeBytes { left in right.withUnsafeBytes { equal(left, $0) } }
  }
}
