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
    /// Words that are repeated for each level of an outline above the row.
    case indent([UInt8])
    /// The one for a row of an outline that is expanded, collapsed, or has nothing below it.
    case expanded([UInt8], [UInt8], [UInt8])
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
  /// Reads `words {member} {a.b} {selected:A|B} {cursor:A|B} {indent:A} {expanded:A|B|C} {{ }}`; there may
  /// be doubled braces in `A`, `B` and `C`, too.
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
        let inside = source[(place + 1)...]
        guard let (piece, end) = Self.mark(inside) ?? Self.member(inside) else {
          throw UnbalancedBrace(offset: place)
        }
        if !words.isEmpty { pieces.append(.words(words)) }
        words = []
        pieces.append(piece)
        place = end
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

  /// The member that is named up to the next brace, and the place after that.
  private static func member(_ source: ArraySlice<UInt8>) -> (Piece, end: Int)? {
    guard let end = source.firstIndex(where: { $0 == open || $0 == close }), source[end] == close
    else { return nil }
    let names = source[..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
    return (.member(names.map(Array.init)), end + 1)
  }

  /// The alternatives of a mark, and the place after the brace that ends them.
  private static func mark(_ source: ArraySlice<UInt8>) -> (Piece, end: Int)? {
    let marks: [(name: String, count: Int, piece: ([[UInt8]]) -> Piece)] = [
      ("selected:", 2, { .selected($0[0], $0[1]) }), ("cursor:", 2, { .cursor($0[0], $0[1]) }),
      ("indent:", 1, { .indent($0[0]) }), ("expanded:", 3, { .expanded($0[0], $0[1], $0[2]) }),
    ]
    for (name, count, piece) in marks where source.starts(with: name.utf8) {
      guard
        let (words, end) = alternatives(source.dropFirst(name.utf8.count), atMost: count)
      else { return nil }
      return (piece(words + Array(repeating: [], count: count - words.count)), end)
    }
    return nil
  }

  /// The alternatives up to the brace that ends them, and the place after that.
  ///
  /// Of three closing braces the first two are one of the words only where a doubled brace has
  /// opened there; else the first one ends the words.
  private static func alternatives(
    _ source: ArraySlice<UInt8>, atMost limit: Int
  ) -> ([[UInt8]], end: Int)? {
    var words: [[UInt8]] = [[]]
    var opened = 0
    var rest = source
    while let byte = rest.first {
      guard byte == open || byte == close else {
        if byte == 0x7C, words.count < limit {
          words.append([])
        } else {
          words[words.count - 1].append(byte)
        }
        rest.removeFirst()
        continue
      }
      var run = rest.prefix { $0 == byte }
      rest = rest[run.endIndex...]
      while !run.isEmpty {
        if byte == open {
          guard run.count > 1 else { return nil }
          opened += 1
        } else {
          if run.count == 1 || opened == 0 && run.count % 2 == 1 {
            return (words, run.startIndex + 1)
          }
          opened = max(0, opened - 1)
        }
        words[words.count - 1].append(byte)
        run.removeFirst(2)
      }
    }
    return nil
  }
}
