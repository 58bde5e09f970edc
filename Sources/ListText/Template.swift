/// What a row looks like: words, and places for what the row holds.
package struct Template: Hashable, Sendable {
  /// A piece of the text of a row.
  package enum Piece: Hashable, Sendable {
    case words([UInt8])
    /// A member of the row's content, or by more names one inside it.
    case member([[UInt8]])
    /// The one where the row is selected, else the other.
    case selected([UInt8], [UInt8])
    /// The one where the cursor is on the row, else the other.
    case cursor([UInt8], [UInt8])
    /// As many empty lines as the member `lines` says.
    case emptyLines
  }

  package let pieces: [Piece]

  private init(pieces: [Piece]) { self.pieces = pieces }

  /// What rows, headers and footers look like where nobody has said otherwise.
  package static let plain = Template(pieces: [.member([Array("text".utf8)])])

  /// A space between rows.
  package static let spacing = Template(pieces: [.emptyLines])
}

/// A brace of a template has no other, at an offset in bytes.
package struct UnbalancedBrace: Error, Hashable, Sendable {
  package var offset: Int
}

extension Template {
  /// Reads `words {member} {a.b} {selected:A|B} {cursor:A|B} {{ }}`.
  ///
  /// - Throws: where a brace opens that is not closed, or closes what was not opened.
  package init(_ source: some Collection<UInt8>) throws(UnbalancedBrace) {
    let source = Array(source)
    var pieces: [Piece] = []
    var words: [UInt8] = []
    var place = 0
    while place < source.count {
      let byte = source[place]
      let isBrace = byte == Self.open || byte == Self.close
      if isBrace, place + 1 < source.count, source[place + 1] == byte {
        words.append(byte)
        place += 2
      } else if byte == Self.open {
        let start = place + 1
        guard let end = source[start...].firstIndex(where: { $0 == Self.open || $0 == Self.close }),
          source[end] == Self.close
        else { throw UnbalancedBrace(offset: place) }
        if !words.isEmpty { pieces.append(.words(words)) }
        words = []
        pieces.append(Self.piece(source[start..<end]))
        place = end + 1
      } else if byte == Self.close {
        throw UnbalancedBrace(offset: place)
      } else {
        words.append(byte)
        place += 1
      }
    }
    if !words.isEmpty { pieces.append(.words(words)) }
    self.init(pieces: pieces)
  }

  private static let open: UInt8 = 0x7B
  private static let close: UInt8 = 0x7D

  /// What stands between two braces.
  private static func piece(_ words: ArraySlice<UInt8>) -> Piece {
    if let (yes, no) = mark("selected:", words) { return .selected(yes, no) }
    if let (yes, no) = mark("cursor:", words) { return .cursor(yes, no) }
    return .member(words.split(separator: 0x2E, omittingEmptySubsequences: false).map(Array.init))
  }

  private static func mark(
    _ name: String, _ words: ArraySlice<UInt8>
  ) -> (yes: [UInt8], no: [UInt8])? {
    guard words.starts(with: name.utf8) else { return nil }
    let both = words.dropFirst(name.utf8.count).split(
      separator: 0x7C, maxSplits: 1, omittingEmptySubsequences: false)
    return (Array(both[0]), both.count == 2 ? Array(both[1]) : [])
  }
}
