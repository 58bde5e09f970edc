import ListDiff

/// The content of a row, a header or a footer, as it is accessible to a template.
package protocol TextContent {
  /// Appends a member, by its name. Returns false if there is none.
  func append(_ member: [UInt8], to text: inout [UInt8]) -> Bool

  /// Returns the ranges of a member's text, in bytes, that a query has matched, in ascending order.
  func matches(of member: [UInt8]) -> [Range<Int>]

  /// Returns a Boolean member, or `nil` if the member is not a Boolean.
  func boolean(_ member: [UInt8]) -> Bool?

  /// Returns a member that must be an integer within bounds, or `nil` if it is absent.
  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger?
}

extension TextContent {
  /// Returns no ranges.
  package func matches(of member: [UInt8]) -> [Range<Int>] { [] }
}

/// The value of a member that must be an integer within bounds.
package struct BoundedInteger: Hashable, Sendable {
  /// The integer, clamped to the bounds, or `nil` if the member is not an integer.
  package var value: Int?

  /// Whether the value was not changed by clamping.
  package var isExact: Bool

  package init(value: Int?, isExact: Bool) {
    self.value = value
    self.isExact = isExact
  }
}

/// A member that a template requires and a content does not have.
package enum ContentIssue: Hashable, Sendable {
  /// The member is missing.
  case missing([UInt8])

  /// The member is not an integer within bounds.
  case unbounded([UInt8], ClosedRange<Int>)
}

/// Whether a row is selected and has the cursor.
package struct RowMarks: Hashable, Sendable {
  package var isSelected: Bool
  package var hasCursor: Bool

  package init(isSelected: Bool = false, hasCursor: Bool = false) {
    self.isSelected = isSelected
    self.hasCursor = hasCursor
  }
}

/// Builds the text of a list, block by block: the header, the rows and the footer of each section.
package struct TextBuilder {
  /// The complete pieces, their sums, and the last piece.
  private var root = TextNode.empty
  private var done = TextSums()
  private var piece = TextPiece()

  /// The text of which blocks are copied.
  private var old: TextReader

  /// The old text as far as it was changed, if the tree is not made anew in ``root``: the complete pieces are those
  /// of its first blocks, and some new ones, which most often replace a few of its pieces.
  private var base: (tree: TextNode, count: Int, new: [TextNode])?

  private var sums: TextSums { done + piece.sums }

  /// The numbers of blocks, of rows and of sections that have begun.
  package var blockCount: Int { sums.blocks }
  package var rowCount: Int { sums.rows }
  package var sectionCount: Int { sums.sections }

  /// Whether the last section has no footer yet.
  package var isInSection: Bool {
    let sums = sums
    return sums.sections > sums.blocks - sums.rows - sums.sections
  }

  /// The possible numbers of empty lines of a spacing row.
  private static let emptyLines = 0...1000
  private static let lines = Array("lines".utf8)

  /// The possible numbers of levels of indentation.
  private static let indentedLevels = 0...1000
  private static let level = Array("$level".utf8)
  private static let expanded = Array("$expanded".utf8)

  /// Whether highlight groups are recorded as spans.
  private let keepsSpans: Bool

  /// Creates a builder of a text that shares blocks with an old one.
  package init(copying old: RenderedText = RenderedText(), keepsSpans: Bool = true) {
    self.old = TextReader(old)
    base = (old.root, 0, [])
    self.keepsSpans = keepsSpans
  }

  /// Adds a header, or a missing one, and so begins a section.
  ///
  /// Calls `lacks` for each member that the template requires and the content does not have.
  package mutating func addHeader(
    _ content: (some TextContent)?, _ template: Template, lacks: (ContentIssue) -> Void
  ) {
    if let content { append(content, template, RowMarks(), lacks) }
    endBlock(.header)
  }

  /// Adds a footer, or a missing one, and so ends a section.
  ///
  /// Calls `lacks` for each member that the template requires and the content does not have.
  package mutating func addFooter(
    _ content: (some TextContent)?, _ template: Template, lacks: (ContentIssue) -> Void
  ) {
    if let content { append(content, template, RowMarks(), lacks) }
    endBlock(.footer)
  }

  /// Adds a row to the last section.
  ///
  /// Calls `lacks` for each member that the template requires and the row does not have.
  package mutating func addRow(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    lacks: (ContentIssue) -> Void
  ) {
    append(content, template, marks, lacks)
    endBlock(.row)
  }

  private mutating func endBlock(_ kind: TextPiece.Kind) {
    piece.endBlock(kind)
    if piece.isFull { endPiece() }
  }

  /// Adds blocks of the old text.
  ///
  /// Pieces of the old text are shared, except the first and the last, if they are not copied as a
  /// whole or would be beside a small piece.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of rows and sections of both texts.
  package mutating func copy(_ blocks: Range<Int>) {
    let end = blocks.upperBound
    var next = blocks.lowerBound
    while next < end {
      let (start, count) = old.piece(ofBlock: next)
      if next == start, piece.isEmpty || !piece.isSmall {
        // The end may be in the same piece, or in a later one that is not copied as a whole.
        let last = end < old.text.blockCount ? old.piece(ofBlock: end).start : end
        if next < last {
          endPiece()
          share(next..<last)
          next = last
          continue
        }
        _ = old.piece(ofBlock: next)
      }
      let part = next..<min(end, start + count)
      old.append(part, to: &piece)
      next = part.upperBound
      if piece.isFull { endPiece() }
    }
  }

  /// Adds pieces of the old text.
  private mutating func share(_ blocks: Range<Int>) {
    if let base {
      // What follows in the old text has not been changed.
      let next = base.tree.sums.blocks - (old.text.blockCount - blocks.lowerBound)
      if let tree = base.tree.replacing(base.count, next, by: base.new) {
        let count = done.blocks + blocks.count
        self.base = (tree, count, [])
        done = tree.sums(before: count)
        return
      }
      makeTree()
    }
    TextNode.append(old.text.root.slice(blocks), to: &root)
    done = root.sums
  }

  /// Makes the complete pieces a tree of their own.
  private mutating func makeTree() {
    guard let base = base.take() else { return }
    if base.count > 0 { root = base.tree.slice(0..<base.count) }
    for piece in base.new { TextNode.append(piece, to: &root) }
  }

  private mutating func add(_ piece: TextPiece) {
    done = done + piece.sums
    if base == nil {
      TextNode.append(TextNode(piece), to: &root)
    } else {
      base!.new.append(TextNode(piece))
    }
  }

  /// Adds the last piece to the tree. If it is large, it becomes two pieces.
  private mutating func endPiece() {
    let count = piece.kinds.count
    if count == 0 { return }
    if count <= TextPiece.fullCount, piece.isCompact {
      add(piece)
      piece = TextPiece()
      return
    }
    let middle = count > TextPiece.fullCount ? count / 2 : count
    add(piece.part(0..<middle))
    if middle < count { add(piece.part(middle..<count)) }
    piece.removeAll()
  }

  private mutating func append(
    _ content: some TextContent, _ template: Template, _ marks: RowMarks,
    _ lacks: (ContentIssue) -> Void
  ) {
    if template == .spacing {
      let count = content.integer(Self.lines, within: Self.emptyLines)
      if let count, !count.isExact { lacks(.unbounded(Self.lines, Self.emptyLines)) }
      for _ in 0..<(count?.value ?? 1) { piece.endLine() }
      return
    }
    let spanCount = piece.spans.count
    for part in template.pieces {
      let start = piece.bytes.count
      switch part {
      case .words(let words, let group):
        guard keepsSpans, let group else {
          piece.bytes.append(contentsOf: words)
          break
        }
        var column = Column.plain
        column.group = group
        piece.append(words, in: column, matches: [])
        continue
      case .selected(let yes, let no):
        piece.bytes.append(contentsOf: marks.isSelected ? yes : no)
      case .cursor(let yes, let no): piece.bytes.append(contentsOf: marks.hasCursor ? yes : no)
      case .member(let member, var column):
        if !keepsSpans { column.group = nil }
        if !content.append(member, to: &piece.bytes) { lacks(.missing(member)) }
        let matches = content.matches(of: member)
        if column != .plain || !matches.isEmpty {
          let value = Array(piece.bytes[start...])
          piece.bytes.removeSubrange(start...)
          let (shown, shownMatches) = value.written(as: column.form, matches)
          piece.append(shown, in: column, matches: shownMatches)
          continue
        }
      case .indent(let words):
        let level = content.integer(Self.level, within: Self.indentedLevels)?.value ?? 0
        for _ in 0..<level { piece.bytes.append(contentsOf: words) }
      case .expanded(let yes, let no, let leaf):
        let isExpanded = content.boolean(Self.expanded)
        piece.bytes.append(contentsOf: isExpanded.map { $0 ? yes : no } ?? leaf)
      case .emptyLines: continue
      }
      piece.breakLines(from: start)
    }
    if piece.spans.count - spanCount > 1 { piece.spans[spanCount...].sort(by: <) }
    piece.endLine()
  }

  /// Returns the text.
  package consuming func finish() -> RenderedText {
    endPiece()
    if let base,
      let tree = base.tree.replacing(base.count, base.tree.sums.blocks, by: base.new)
    {
      return RenderedText(root: tree)
    }
    makeTree()
    return RenderedText(root: root)
  }
}

extension TextNode {
  /// Returns the node with pieces in the place of those between two blocks; `nil` if that needs more than
  /// ``replacing(_:by:)`` does, or if the second block is before the first one.
  fileprivate func replacing(_ start: Int, _ end: Int, by pieces: [TextNode]) -> TextNode? {
    if start == end, pieces.isEmpty { return self }
    return start <= end ? replacing(start..<end, by: pieces) : nil
  }
}
