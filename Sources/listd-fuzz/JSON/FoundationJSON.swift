import Foundation
import JSONBytes

/// What Foundation makes of JSON.
///
/// It is known to think otherwise than RFC 8259 of the following, and of nothing else:
///
/// * It guesses UTF-16 and UTF-32 from zero bytes and takes a byte-order mark.
/// * It takes a comma after the last element or member.
/// * It refuses an escaped surrogate without its other half, where RFC 8259 leaves open what that is.
/// * It refuses numbers that no `Double` can hold.
/// * It counts nesting in another way, about as deep as `JSONReader.maximumDepth`.
/// * Names that are canonically equivalent are one name to it, as they are to `String`; and which of
///   repeated names counts is its own affair.
enum FoundationJSON {
  /// Traps where Foundation's verdict on a text is another, for none of the known reasons.
  static func compare(_ text: UnsafeRawBufferPointer, isJSON: Bool) {
    let data = Data(text)
    // The whole text is at hand, so that the verdict may be asked of it without a type.
    let isTaken =
      (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    if isTaken != isJSON {
      let isKnown = isJSON ? isStrange(text) : isLax(text)
      precondition(isKnown, "Foundation \(isTaken ? "takes" : "refuses") it")
    } else if isJSON, depth(text) < JSONReader.maximumDepth - 8 {
      do {
        let value = PlainValue(text)
        _ = try JSONDecoder().decode(AgreedValue.self, from: data, configuration: value)
      } catch { precondition(isStrange(text), "Foundation reads it otherwise: \(error)") }
    }
  }

  /// Whether Foundation may refuse a text that is JSON.
  private static func isStrange(_ text: UnsafeRawBufferPointer) -> Bool {
    depth(text) >= JSONReader.maximumDepth - 8 || has(text, "\\ud") || hasVastNumber(text)
  }

  /// Whether Foundation may take a text that is no JSON.
  private static func isLax(_ text: UnsafeRawBufferPointer) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
    if text.contains(0) || marks.contains(where: text.starts(with:)) { return true }
    if depth(text) > JSONReader.maximumDepth { return true }
    let closing = text.split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.joined()
    return zip(closing, closing.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
  }

  /// The most brackets that are open at once, those in strings included.
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

/// A value that Foundation reads as it was read before.
private struct AgreedValue: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration value: PlainValue) throws {
    switch value {
    case .null:
      let isNull = try decoder.singleValueContainer().decodeNil()
      precondition(isNull, "no null")
    case .bool(let bool):
      let other = try decoder.singleValueContainer().decode(Bool.self)
      precondition(other == bool, "another word")
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
