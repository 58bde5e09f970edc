import ByteBuffers
import Foundation
import JSONBytes

/// Compares verdicts and values with Foundation.
///
/// Foundation is known to differ from RFC 8259 in the following respects, and in no others:
///
/// * It guesses UTF-16 and UTF-32 from zero bytes and accepts a byte-order mark.
/// * It accepts a comma after the last element or member.
/// * It rejects an escaped surrogate without its other half. RFC 8259 leaves its meaning open.
/// * It rejects numbers that a `Double` cannot hold.
/// * It counts nesting differently; its limit is about `JSONReader.maximumDepth`.
/// * It considers canonically equivalent names as equal, as `String` does; and it does not specify
///   which of repeated names counts.
enum FoundationJSON {
  /// Traps if Foundation's verdict on a text differs for an unknown reason.
  static func compare(_ text: UnsafeRawBufferPointer, isJSON: Bool) {
    let data = Data(text)
    // The whole text is parsed, so the verdict does not depend on a type.
    let isTaken =
      (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    if isTaken != isJSON {
      let isKnown = isJSON ? isStrange(text) : isLax(text)
      precondition(isKnown, "Foundation \(isTaken ? "accepts" : "rejects") it")
    } else if isJSON, depth(text) < JSONReader.maximumDepth - 8 {
      do {
        let value = PlainValue(text)
        _ = try JSONDecoder().decode(AgreedValue.self, from: data, configuration: value)
      } catch { precondition(isStrange(text), "Foundation reads another value: \(error)") }
    }
  }

  /// Whether Foundation may reject a text that is JSON.
  private static func isStrange(_ text: UnsafeRawBufferPointer) -> Bool {
    depth(text) >= JSONReader.maximumDepth - 8 || has(text, "\\ud") || hasVastNumber(text)
  }

  /// Whether Foundation may accept a text that is not JSON.
  private static func isLax(_ text: UnsafeRawBufferPointer) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
    if text.contains(0) || marks.contains(where: text.starts(with:)) { return true }
    if depth(text) > JSONReader.maximumDepth { return true }
    let closing = text.split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.joined()
    return zip(closing, closing.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
  }

  /// The largest number of open brackets, including those in strings.
  private static func depth(_ text: UnsafeRawBufferPointer) -> Int {
    var open = 0
    var most = 0
    for byte in text {
      if byte == 0x5B || byte == 0x7B { open += 1 }
      if byte == 0x5D || byte == 0x7D { open = max(0, open - 1) }
      most = max(most, open)
    }
    return most
  }

  private static func has(_ text: UnsafeRawBufferPointer, _ word: String) -> Bool {
    String(decoding: text, as: UTF8.self).lowercased().contains(word)
  }

  private static func hasVastNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    text.split { !"0123456789+-.eE".utf8.contains($0) }.contains { word in
      guard let number = Double(String(decoding: word, as: UTF8.self)) else { return false }
      let isZero = word.prefix { $0 | 0x20 != 0x65 }.allSatisfy { "0.-".utf8.contains($0) }
      return !number.isFinite || !number.isNormal && !isZero
    }
  }
}

/// A value that Foundation must read like `PlainValue`.
private struct AgreedValue: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration value: PlainValue) throws {
    switch value {
    case .null:
      let isNull = try decoder.singleValueContainer().decodeNil()
      precondition(isNull, "not null")
    case .bool(let bool):
      let other = try decoder.singleValueContainer().decode(Bool.self)
      precondition(other == bool, "another boolean")
    case .number(let text):
      let number = try decoder.singleValueContainer().decode(Double.self)
      precondition(number == Double(text), "another number than \(text)")
      precondition(number == Double(Self.canonical(text)), "\(Self.canonical(text)) for \(text)")
    case .string(let content):
      let string = try decoder.singleValueContainer().decode(String.self)
      precondition(string.utf8.elementsEqual(content), "another string than \(string)")
    case .array(let elements):
      var container = try decoder.unkeyedContainer()
      for element in elements {
        _ = try container.decode(AgreedValue.self, configuration: element)
      }
      precondition(container.isAtEnd, "more elements than \(elements.count)")
    case .object(let members, let repeats):
      let container = try decoder.container(keyedBy: Name.self)
      let names = members.keys.map { String(decoding: $0, as: UTF8.self) }
      guard !repeats, Set(names).count == names.count else { return }
      precondition(container.allKeys.count == names.count, "not \(names.count) members")
      for (name, value) in members {
        _ = try container.decode(
          AgreedValue.self, forKey: Name(stringValue: String(decoding: name, as: UTF8.self)),
          configuration: value)
      }
    }
  }

  private static func canonical(_ number: String) -> String {
    var out = ByteBuffer()
    Array(number.utf8).withUnsafeBytes { JSONNumber($0).appendCanonical(to: &out) }
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
