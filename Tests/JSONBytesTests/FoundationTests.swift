import Foundation
import JSONBytes
import Testing

/// Valid and slightly damaged texts are accepted if and only if Foundation accepts them.
@Suite struct FoundationTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func agreesWithFoundation(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var rejected = 0
    for _ in 0..<400 {
      var text = Array(value(depth: 0, &generator).utf8)
      compare(text)
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&text, &generator) }
      if !compare(text) { rejected += 1 }
    }
    #expect(rejected > 50 && rejected < 390)
  }

  /// Compares the results and returns ours.
  @discardableResult
  private func compare(_ text: [UInt8]) -> Bool {
    let ours = problem(text) == nil
    guard isComparable(text) else { return ours }
    let theirs =
      (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    if ours != theirs {
      Issue.record("ours \(ours), theirs \(theirs): \(String(decoding: text, as: UTF8.self))")
    }
    return ours
  }

  /// Foundation detects UTF-16 and UTF-32 by zero bytes, accepts a byte-order mark and a comma
  /// after the last element, and rejects lone surrogates and numbers that do not fit into a
  /// `Double`.
  private func isComparable(_ text: [UInt8]) -> Bool {
    let string = String(decoding: text, as: UTF8.self).lowercased()
    return !text.contains(0) && !text.starts(with: [0xEF, 0xBB, 0xBF])
      && !text.starts(with: [0xFE, 0xFF]) && !text.starts(with: [0xFF, 0xFE])
      && !string.contains("\\ud") && string.firstMatch(of: /e[+-]?[0-9]{3}|,\s*[\]}]/) == nil
  }

  private func value(depth: Int, _ generator: inout SeededGenerator) -> String {
    let space = [" ", "\n", "\t", "\r\n", "", "", "", ""].randomElement(using: &generator) ?? ""
    let kind = Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &generator)
    let count = Int.random(in: 0..<5, using: &generator)
    switch kind {
    case 0:
      return space + (["true", "false", "null"].randomElement(using: &generator) ?? "") + space
    case 1, 2: return number(&generator)
    case 3, 4, 5: return string(&generator)
    case 6:
      let elements = (0..<count).map { _ in value(depth: depth + 1, &generator) }
      return "[" + space + elements.joined(separator: "," + space) + "]" + space
    default:
      let members = (0..<count).map { _ in
        string(&generator) + space + ":" + value(depth: depth + 1, &generator)
      }
      return "{" + space + members.joined(separator: space + ",") + "}"
    }
  }

  private func number(_ generator: inout SeededGenerator) -> String {
    let integer = Int.random(in: -1000...1000, using: &generator)
    let forms = ["\(integer)", "\(integer).5", "\(integer)e2", "\(integer).25E-3", "-0", "0.0"]
    return forms.randomElement(using: &generator) ?? "0"
  }

  private func string(_ generator: inout SeededGenerator) -> String {
    let pieces = [
      "a", "plain text", "é", "—", "漢字", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\/", " ",
      "0123456789",
    ]
    let count = Int.random(in: 0..<6, using: &generator)
    return "\""
      + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\""
  }

  private func damage(_ text: inout [UInt8], _ generator: inout SeededGenerator) {
    let signs =
      Array("{}[]:,\"\\ \n0129eE+-.tfnu/a".utf8) + [0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF, 0x01]
    let sign = signs.randomElement(using: &generator) ?? 0
    guard let index = text.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: text[index] = sign
    case 1: text.insert(sign, at: index)
    case 2: text.remove(at: index)
    default: text.removeSubrange(index..<min(text.count, index + 3))
    }
  }
}
