extension Template {
  /// Parses `words {member} {a.b} {a:>7…#Group} {=words#Group} {selected:A|B} {cursor:A|B}
  /// {indent:A} {expanded:A|B|C} {{ }}`. `A`, `B`, `C` and words in braces may contain doubled
  /// braces.
  ///
  /// - Throws: `TemplateError`.
  package init(_ source: some Collection<UInt8>) throws(TemplateError) {
    let source = Array(source)
    var pieces: [Piece] = []
    var words: [UInt8] = []
    var index = 0
    while index < source.count {
      let byte = source[index]
      let isBrace = byte == TemplateReader.open || byte == TemplateReader.close
      if isBrace, index + 1 < source.count, source[index + 1] == byte {
        words.append(byte)
        index += 2
      } else if byte == TemplateReader.open {
        if !words.isEmpty { pieces.append(.words(words)) }
        words = []
        let (piece, end) = try TemplateReader(brace: index).piece(source[(index + 1)...])
        pieces.append(piece)
        index = end
      } else if byte == TemplateReader.close {
        throw TemplateError(problem: .unbalancedBrace, offset: index)
      } else {
        words.append(byte)
        index += 1
      }
    }
    if !words.isEmpty { pieces.append(.words(words)) }
    self.init(pieces: pieces)
  }
}

/// Parses the content of braces in a template.
private struct TemplateReader {
  typealias Found = (piece: Template.Piece, end: Int)

  /// The offset of the opening brace.
  let brace: Int

  static let open: UInt8 = 0x7B
  static let close: UInt8 = 0x7D

  private func failure(_ problem: TemplateError.Problem) -> TemplateError {
    TemplateError(problem: problem, offset: brace)
  }

  /// Returns the piece after the brace, and the offset after the closing brace.
  func piece(_ source: ArraySlice<UInt8>) throws(TemplateError) -> Found {
    if source.first == 0x3D { return try groupedWords(source.dropFirst()) }
    let alternatives: [(name: String, count: Int, piece: ([[UInt8]]) -> Template.Piece)] = [
      ("selected:", 2, { .selected($0[0], $0[1]) }), ("cursor:", 2, { .cursor($0[0], $0[1]) }),
      ("indent:", 1, { .indent($0[0]) }), ("expanded:", 3, { .expanded($0[0], $0[1], $0[2]) }),
    ]
    for (name, count, piece) in alternatives where source.starts(with: name.utf8) {
      guard let (words, end) = Self.words(source.dropFirst(name.utf8.count), atMost: count) else {
        throw failure(.unbalancedBrace)
      }
      return (piece(words + Array(repeating: [], count: count - words.count)), end)
    }
    return try member(source)
  }

  /// Parses a member, whose name ends at the next brace.
  private func member(_ source: ArraySlice<UInt8>) throws(TemplateError) -> Found {
    let end = source.firstIndex { $0 == Self.open || $0 == Self.close }
    guard let end, source[end] == Self.close else { throw failure(.unbalancedBrace) }
    let name = source[..<end].prefix { $0 != 0x3A }
    guard name.endIndex < end else { return (.member(Array(name)), end + 1) }
    guard let column = Column(source[(name.endIndex + 1)..<end]) else {
      throw failure(.unknownColumn)
    }
    return (.member(Array(name), column), end + 1)
  }

  /// Parses words up to the last number sign, and the group after it.
  private func groupedWords(_ source: ArraySlice<UInt8>) throws(TemplateError) -> Found {
    guard let (words, end) = Self.words(source, atMost: 1) else {
      throw failure(.unbalancedBrace)
    }
    guard let sign = words[0].lastIndex(of: 0x23),
      let group = Column.group(words[0][sign...])
    else {
      throw failure(.noGroup)
    }
    return (.words(Array(words[0][..<sign]), group: group), end)
  }

  /// Returns the alternatives up to the closing brace, separated by `|`, and the offset after the
  /// brace.
  ///
  /// Of three closing braces, the first two are part of the words only if a doubled brace was
  /// opened; else the first one ends the words.
  private static func words(
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
