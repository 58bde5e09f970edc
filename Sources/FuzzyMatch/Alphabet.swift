/// The bytes that stand for characters in the blocks of a store.
///
/// A character is encoded as the byte of its folded form, and a flag that is set if folding changes it.
/// ASCII stands for itself. Other folded characters get a byte of their own while any are left: the
/// first 62 characters that others fold to, and of the characters without case the first 126, less two
/// for each of the former. Later characters share these bytes, as do third forms of a character (the
/// Kelvin sign beside k and K). A row with such a character is kept as text, too, and its matches are
/// verified with the text. White space shares a byte only with other white space.
///
/// If case matters, the byte with one bit flipped stands for the form that folding changes. No other
/// character has that byte, because blocks do not contain ASCII capitals.
struct Alphabet: Sendable {
  /// The encoding of a character in a block.
  struct Code: Equatable {
    var byte: UInt8
    var isChanged = false
    /// `foldShares` or `formShares` if the byte, or the byte with the flag, belongs to another
    /// character.
    var flags: UInt32 = 0
  }

  /// The byte of columns after the end of a row.
  static let padding: UInt8 = 0xFF
  /// The byte between two members.
  static let separator: UInt8 = 0xFE
  /// A folded character shares its byte.
  static let foldShares: UInt32 = 1 << 30
  /// A character is the third form of the character that it folds to.
  static let formShares: UInt32 = 1 << 31

  /// The byte of a vertical tab, and of white space that has no byte of its own.
  static let sharedSpace: UInt8 = 0x0B

  /// The bit that is flipped in the byte of a character that folding changes.
  static let changedBit: UInt8 = 0x20

  private static let first = 0x80
  /// The number of bytes that are shared by characters without one of their own. None becomes the
  /// separator if a bit is flipped.
  private static let shared = 94
  private static let unknown = UInt32.max

  /// The folded character of each byte, and the character that folding changes to it.
  private(set) var folded: [UInt32]
  private(set) var changed: [UInt32]
  /// The bytes of white space other than ASCII that have one of their own.
  private(set) var spaces: [UInt8] = []
  /// Whether each byte belongs to a character, or to the other form of one.
  private var isTaken: [Bool]
  /// The characters with a byte of their own, in a table with open addressing: the code point times
  /// 256, plus the byte.
  private var slots: [UInt32]

  init() {
    folded = (0..<256).map { $0 < Self.first ? UInt32($0) : Self.unknown }
    changed = Array(repeating: Self.unknown, count: 256)
    for letter in 97...122 { changed[letter] = UInt32(letter) - 32 }
    slots = Array(repeating: Self.unknown, count: 256)
    isTaken = (0..<256).map { $0 < Self.first || $0 >= Int(Self.separator) }
  }

  /// Returns a byte that no character has: if `withForms`, one whose other form is free, too.
  private func freeByte(withForms: Bool) -> Int? {
    guard withForms else { return isTaken.lastIndex(of: false) }
    return isTaken.indices.first {
      !isTaken[$0] && $0 & Int(Self.changedBit) == 0 && !isTaken[$0 | Int(Self.changedBit)]
    }
  }

  /// Returns the slot of a folded character, or the free one where it would be.
  private func slot(_ point: UInt32) -> Int {
    var slot = Int(truncatingIfNeeded: (point &* 0x9E37_79B1) >> 24)
    while slots[slot] != Self.unknown, slots[slot] >> 8 != point { slot = (slot + 1) & 255 }
    return slot
  }

  /// Returns the byte of a folded character that is not ASCII, and whether it is its own.
  private func byte(_ point: UInt32) -> (UInt8, isOwn: Bool) {
    let found = slots[slot(point)]
    guard found == Self.unknown else { return (UInt8(truncatingIfNeeded: found), true) }
    if CharacterTable.shared.isWhite(point) { return (Self.sharedSpace, false) }
    return (UInt8(Self.first + Int(point) % Self.shared), false)
  }

  /// Returns the code of a character, and assigns a byte to it if one is left.
  mutating func encode(_ point: UInt32, foldedTo fold: UInt32) -> Code {
    if fold >= Self.first, !byte(fold).isOwn {
      let hasForms = CharacterTable.shared.isFolded(fold)
      if let byte = freeByte(withForms: hasForms) {
        slots[slot(fold)] = fold << 8 | UInt32(byte)
        folded[byte] = fold
        isTaken[byte] = true
        if hasForms { isTaken[byte | Int(Self.changedBit)] = true }
        if CharacterTable.shared.isWhite(fold) { spaces.append(UInt8(byte)) }
      }
    }
    if fold != point {
      let (byte, isOwn) = fold < Self.first ? (UInt8(fold), true) : byte(fold)
      if isOwn, changed[Int(byte)] == Self.unknown { changed[Int(byte)] = point }
    }
    return code(of: point, foldedTo: fold)
  }

  /// Returns the code of a character. The code of a character that the store does not contain may
  /// belong to another one.
  func code(of point: UInt32, foldedTo fold: UInt32) -> Code {
    var code: Code
    if fold < Self.first {
      code = Code(byte: UInt8(fold))
    } else {
      let (byte, isOwn) = byte(fold)
      code = Code(byte: byte, flags: isOwn ? 0 : Self.foldShares)
    }
    if point != fold {
      code.isChanged = true
      if code.flags == 0, changed[Int(code.byte)] != point { code.flags = Self.formShares }
    }
    return code
  }

  /// Returns the character of a code without flags.
  func point(_ byte: UInt8, isChanged: Bool) -> UInt32 {
    isChanged ? changed[Int(byte)] : folded[Int(byte)]
  }
}
