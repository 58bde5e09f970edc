/// A JSON parser that follows the grammar of RFC 8259 byte by byte. It only accepts or rejects.
struct PlainJSON {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Whether bytes are a JSON text in UTF-8 that is not nested too deeply.
  static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    var parser = PlainJSON(bytes: bytes)
    guard parser.value(depth: 0) else { return false }
    parser.space()
    return parser.offset == bytes.count
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    offset += 1
    return true
  }

  private mutating func space() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private mutating func value(depth: Int) -> Bool {
    space()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return depth < 512 && container(depth: depth + 1)
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func container(depth: Int) -> Bool {
    let isObject = take("{")
    if !isObject { offset += 1 }
    space()
    if take(isObject ? "}" : "]") { return true }
    while true {
      if isObject {
        space()
        guard string() else { return false }
        space()
        guard take(":") else { return false }
      }
      guard value(depth: depth) else { return false }
      space()
      if take(isObject ? "}" : "]") { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func word(_ word: String) -> Bool {
    for letter in word where !take(letter) { return false }
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"):
        guard let escape = next else { return false }
        offset += 1
        if escape == UInt8(ascii: "u") {
          for _ in 0..<4 {
            guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit, digit < 0x80
            else { return false }
            offset += 1
          }
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          return false
        }
      case 0..<0x20: return false
      default: break
      }
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") {
      guard digits() else { return false }
    }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
    return offset > start
  }
}
