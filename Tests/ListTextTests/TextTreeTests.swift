import Testing

@testable import ListText

/// Texts of many blocks, each beside an array of its blocks.
@Suite("Trees of blocks")
struct TextTreeTests {
  /// The text of a header, a row or a footer; `nil` for a missing header or footer.
  private typealias Block = (kind: TextPiece.Kind, text: String?)

  private func add(_ block: Block, to builder: inout TextBuilder) {
    let content = block.text.map(Words.init(text:))
    switch block.kind {
    case .header: builder.addHeader(content, .plain) { _ in }
    case .footer: builder.addFooter(content, .plain) { _ in }
    case .row: builder.addRow(content!, .plain, RowMarks()) { _ in }
    }
  }

  private func row(_ number: Int, using generator: inout SeededGenerator) -> Block {
    // Some rows fill a piece on their own.
    let isLong = Int.random(in: 0..<200, using: &generator) == 0
    let lines = isLong ? 300 : Int.random(in: 1...3, using: &generator)
    return (
      .row, (0..<lines).map { "row \(number), line \($0) of \(lines)" }.joined(separator: "\n")
    )
  }

  /// Stops if a text is not that of the blocks.
  private func check(_ text: RenderedText, _ blocks: [Block]) {
    text.checkInvariants()
    #expect(text.blockCount == blocks.count)
    var owners: [LineOwner] = []
    var lines: [String] = []
    var (rows, sections) = (0, 0)
    for (index, block) in blocks.enumerated() {
      let own = block.text.map { $0.split(separator: "\n", omittingEmptySubsequences: false) } ?? []
      #expect(text.lines(ofBlock: index) == lines.count..<lines.count + own.count)
      let owner: LineOwner
      switch block.kind {
      case .header:
        owner = .header(section: sections)
        #expect(text.block(ofHeader: sections) == index)
        sections += 1
      case .row:
        owner = .row(rows)
        #expect(text.section(ofRow: rows) == sections - 1)
        rows += 1
      case .footer: owner = .footer(section: sections - 1)
      }
      #expect(text.owner(ofBlock: index) == owner)
      owners += own.map { _ in owner }
      lines += own.map(String.init)
    }
    #expect(text.rowCount == rows && text.sectionCount == sections)
    #expect(lines.indices.map { text.owner(ofLine: $0) } == owners)
    #expect(
      String(decoding: text.bytes, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
  }

  @Test("Copies of random parts of texts are those of the blocks", arguments: 0..<6)
  func copies(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var blocks: [Block] = [(.header, "first"), (.footer, nil)]
    var text = RenderedText()
    for round in 0..<60 {
      // Each round keeps parts of the text before, in any order, and inserts rows between them.
      let sections = blocks.split { $0.kind == .footer }.filter { $0.count > 1 }
      var builder = TextBuilder(copying: text)
      var next: [Block] = []
      func append(_ block: Block) {
        add(block, to: &builder)
        next.append(block)
      }
      let order = round % 7 == 6 ? sections.shuffled(using: &generator) : sections
      for rows in order {
        append((.header, round % 3 == 0 ? nil : "header \(round)"))
        var index = rows.startIndex + 1
        while index < rows.endIndex {
          let end = min(rows.endIndex, index + Int.random(in: 1...400, using: &generator))
          if Int.random(in: 0..<8, using: &generator) > 0 {
            builder.copy(index..<end)
            next += blocks[index..<end]
          }
          index = end
          append(row(round, using: &generator))
        }
        append((.footer, nil))
      }
      append((.header, "new"))
      for number in 0..<[1, 3, 60, 500].randomElement(using: &generator)! {
        append(row(number, using: &generator))
      }
      append((.footer, "end"))
      if next.count > 6_000 { next = [(.header, nil), (.footer, nil)] }
      let made = builder.finish()
      guard next.count == made.blockCount else {
        text = RenderedText()
        blocks = []
        continue
      }
      (text, blocks) = (made, next)
      if round % 10 == 9 { check(text, blocks) } else { text.checkInvariants() }
    }
    check(text, blocks)
  }

  @Test("A row that is replaced again and again does not divide the text into small pieces")
  func pieces() {
    var builder = TextBuilder()
    builder.addHeader(Words?.none, .plain) { _ in }
    for number in 0..<1_000 {
      builder.addRow(Words(text: "\(number)"), .plain, RowMarks()) { _ in }
    }
    builder.addFooter(Words?.none, .plain) { _ in }
    var text = builder.finish()
    for number in 0..<3_000 {
      let block = 1 + number * 7_919 % 1_000
      var builder = TextBuilder(copying: text)
      builder.copy(0..<block)
      builder.addRow(Words(text: "changed"), .plain, RowMarks()) { _ in }
      builder.copy(block + 1..<text.blockCount)
      text = builder.finish()
    }
    text.checkInvariants()
    var pieces = 0
    var block = 0
    while block < text.blockCount {
      let (piece, before) = text.root.find(block, .blocks)
      block = before.blocks + piece.blocks.kinds.count
      pieces += 1
    }
    #expect(pieces <= 2 * 1_002 / (TextPiece.fullCount / 2))
    #expect(text.bytes == Array(String(repeating: "changed\n", count: 1_000).utf8))
  }
}
