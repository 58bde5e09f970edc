/// Reads the bytes that a terminal sends: keys, characters in UTF-8, mouse reports, pasted text.
///
/// A sequence that is not known is skipped whole. A sequence may arrive in pieces; if no piece has
/// followed for a while (``isWaiting``), `flush` ends it, so that the Escape key is a key.
package struct InputParser: Sendable {
  private var bytes: [UInt8] = []
  private var events: [InputEvent] = []

  /// The pasted bytes so far; nil outside of a paste.
  private var pasted: [UInt8]?

  /// Whether the terminal was asked for the position of its cursor. Its answer may look like a key.
  package var awaitsCursor = false

  /// The longest sequence, in bytes, and the longest pasted text.
  private static let limits = (sequence: 128, paste: 1 << 20)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  package init() {}

  /// Whether the bytes so far may be the beginning of a sequence.
  package var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

  /// Adds bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func add(_ new: some Sequence<UInt8>) {
    bytes += new
    parse(isEnd: false)
  }

  /// Ends the sequence that has begun.
  package mutating func flush() {
    if pasted == nil { parse(isEnd: true) }
  }

  /// Removes and returns the events so far.
  package mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  private mutating func parse(isEnd: Bool) {
    var offset = 0
    while offset < bytes.count {
      if pasted != nil {
        guard readPaste(&offset) else { break }
        continue
      }
      guard let length = readEvent(at: offset, isEnd: isEnd) else { break }
      offset += length
    }
    bytes.removeFirst(offset)
  }

  /// Reads pasted bytes. Returns false if the end may still be incomplete.
  private mutating func readPaste(_ offset: inout Int) -> Bool {
    var text = pasted ?? []
    while offset < bytes.count {
      let rest = bytes[offset...].prefix(Self.pasteEnd.count)
      if bytes[offset] == 0x1B, Self.pasteEnd.starts(with: rest) {
        guard rest.count == Self.pasteEnd.count else {
          pasted = text
          return false
        }
        offset += rest.count
        pasted = nil
        events.append(.paste(String(decoding: text, as: UTF8.self)))
        return true
      }
      if text.count < Self.limits.paste { text.append(bytes[offset]) }
      offset += 1
    }
    pasted = text
    return true
  }

  /// Reads one event and returns its length; nil if it is incomplete.
  private mutating func readEvent(at start: Int, isEnd: Bool) -> Int? {
    let byte = bytes[start]
    guard byte == 0x1B else { return readCharacter(at: start, isEnd: isEnd, []) }
    guard start + 1 < bytes.count else {
      guard isEnd else { return nil }
      events.append(.key(.escape))
      return 1
    }
    switch bytes[start + 1] {
    case 0x5B: return readControlSequence(at: start, isEnd: isEnd, [])
    case 0x4F:
      guard start + 2 < bytes.count else {
        guard isEnd else { return nil }
        events.append(.key(.character("O"), .alt))
        return 2
      }
      if let key = Self.letterKeys[bytes[start + 2]] { events.append(.key(key)) }
      return 3
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F: return readString(at: start, isEnd: isEnd)
    case 0x1B:
      // Escape and a sequence: the sequence with Alt. Otherwise the first Escape is a key.
      if start + 2 < bytes.count, bytes[start + 2] == 0x5B {
        return readControlSequence(at: start + 1, isEnd: isEnd, .alt).map { $0 + 1 }
      }
      guard isEnd || start + 2 < bytes.count else { return nil }
      events.append(.key(.escape))
      return 1
    default: return readCharacter(at: start + 1, isEnd: isEnd, .alt).map { $0 + 1 }
    }
  }

  /// Skips a string for the terminal's user, such as the answer to a question. Without an end, it was
  /// a key with Alt.
  private mutating func readString(at start: Int, isEnd: Bool) -> Int? {
    var offset = start + 2
    while offset < bytes.count, offset - start < 4 * Self.limits.sequence {
      if bytes[offset] == 0x07 { return offset + 1 - start }
      if bytes[offset] == 0x1B, offset + 1 < bytes.count, bytes[offset + 1] == 0x5C {
        return offset + 2 - start
      }
      offset += 1
    }
    guard isEnd || offset < bytes.count else { return nil }
    return readCharacter(at: start + 1, isEnd: isEnd, .alt).map { $0 + 1 }
  }

  private mutating func readControlSequence(
    at start: Int, isEnd: Bool, _ modifiers: KeyModifiers
  ) -> Int? {
    var offset = start + 2
    if offset < bytes.count, bytes[offset] == 0x5B {
      // The function keys of the Linux console.
      guard offset + 1 < bytes.count else { return isEnd ? 3 : nil }
      let key = Int(bytes[offset + 1]) - 0x40
      if (1...5).contains(key) { events.append(.key(.function(key), modifiers)) }
      return 4
    }
    let end = min(bytes.count, start + Self.limits.sequence)
    while offset < end, (0x20...0x3F).contains(bytes[offset]) { offset += 1 }
    guard offset < start + Self.limits.sequence else { return Self.limits.sequence }
    guard offset < bytes.count else {
      guard isEnd else { return nil }
      if offset == start + 2 { events.append(.key(.character("["), .alt)) }
      return offset - start
    }
    // Another byte cannot be part of a sequence, and is read on its own.
    guard (0x40...0x7E).contains(bytes[offset]) else { return offset - start }
    let final = bytes[offset]
    if final == 0x4D, offset == start + 2 {
      // A mouse report of three bytes.
      guard start + 6 <= bytes.count else { return isEnd ? bytes.count - start : nil }
      return 6
    }
    perform(final, bytes[start + 2..<offset], modifiers)
    return offset + 1 - start
  }

  private mutating func perform(
    _ final: UInt8, _ parameters: ArraySlice<UInt8>, _ held: KeyModifiers
  ) {
    let isPrivate = parameters.first == 0x3C
    let numbers = (isPrivate ? parameters.dropFirst() : parameters)
      .split(separator: 0x3B, omittingEmptySubsequences: false)
      .map { part in Int(String(decoding: part.prefix { $0 != 0x3A }, as: UTF8.self)) ?? 0 }
    if isPrivate {
      if numbers.count == 3 { readMouse(numbers, isRelease: final == 0x6D) }
      return
    }
    if awaitsCursor, final == 0x52, numbers.count == 2 {
      awaitsCursor = false
      events.append(.cursor(x: max(0, numbers[1] - 1), y: max(0, numbers[0] - 1)))
      return
    }
    let code = numbers.count > 1 ? max(0, min(numbers[1] - 1, 7)) : 0
    let modifiers = held.union(KeyModifiers(rawValue: code))
    switch final {
    case 0x7E:  // ~
      switch numbers.first {
      case 200: pasted = []
      case 27 where numbers.count == 3: append(codePoint: numbers[2], modifiers)
      default:
        if let key = Self.numberKeys[numbers.first ?? 0] { events.append(.key(key, modifiers)) }
      }
    case 0x75: append(codePoint: numbers.first ?? 0, modifiers)  // u
    case 0x5A: events.append(.key(.tab, modifiers.union(.shift)))  // Z
    default:
      if let key = Self.letterKeys[final] { events.append(.key(key, modifiers)) }
    }
  }

  private mutating func append(codePoint: Int, _ modifiers: KeyModifiers) {
    guard let value = UInt32(exactly: codePoint), let scalar = Unicode.Scalar(value) else { return }
    let key = Self.controlKeys[value] ?? .character(Character(scalar))
    events.append(.key(key, modifiers))
  }

  private mutating func readMouse(_ numbers: [Int], isRelease: Bool) {
    let code = numbers[0]
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let action: MouseAction
    switch code & ~28 {
    case 64: action = .wheelUp
    case 65: action = .wheelDown
    case 0...2: action = isRelease ? .release(button: code & 3) : .press(button: code & 3)
    case 32...34: action = .drag(button: code & 3)
    default: return
    }
    events.append(.mouse(action, x: max(0, numbers[1] - 1), y: max(0, numbers[2] - 1), modifiers))
  }

  /// Reads a key that sends one character.
  private mutating func readCharacter(
    at start: Int, isEnd: Bool, _ modifiers: KeyModifiers
  ) -> Int? {
    let byte = bytes[start]
    if byte < 0x20 || byte == 0x7F {
      if let key = Self.controlKeys[UInt32(byte)] {
        events.append(.key(key, modifiers))
      } else {
        // Space and the letters; \ ] ^ _ for the others.
        let letter = byte == 0 ? 0x20 : byte <= 26 ? byte + 0x60 : byte + 0x40
        events.append(
          .key(.character(Character(Unicode.Scalar(letter))), modifiers.union(.control)))
      }
      return 1
    }
    let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    let part = bytes[start...].prefix(length)
    if part.count < length, !isEnd, part.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) {
      return nil
    }
    var decoder = UTF8()
    var iterator = part.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      events.append(.key(.character("\u{FFFD}"), modifiers))
      return 1
    }
    events.append(.key(.character(Character(scalar)), modifiers))
    return UTF8.width(scalar)
  }

  private static let controlKeys: [UInt32: Key] = [
    0x09: .tab, 0x0D: .enter, 0x1B: .escape, 0x7F: .backspace,
  ]

  private static let letterKeys: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end, 0x4D: .enter,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let numberKeys: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]
}
