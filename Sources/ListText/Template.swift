/// What a row looks like: words, and places for what the row holds.
package struct Template: Hashable, Sendable {
  /// A piece of the text of a row.
  package enum Piece: Hashable, Sendable {
    /// Words, and the highlight group that they belong to, if any.
    case words([UInt8], group: [UInt8]? = nil)
    /// A member of the row's content, or by more names one inside it.
    case member([[UInt8]], Column = .plain)
    /// The first if the row is selected, else the second.
    case selected([UInt8], [UInt8])
    /// The first if the cursor is on the row, else the second.
    case cursor([UInt8], [UInt8])
    /// Words that are repeated for each level of an outline above the row.
    case indent([UInt8])
    /// The one for a row of an outline that is expanded, collapsed, or has nothing below it.
    case expanded([UInt8], [UInt8], [UInt8])
    /// As many empty lines as the member `lines` says.
    case emptyLines
  }

  package let pieces: [Piece]

  /// What rows, headers and footers look like if no template says otherwise.
  package static let plain = Template(pieces: [.member([Array("text".utf8)])])

  /// A space between rows.
  package static let spacing = Template(pieces: [.emptyLines])
}

/// The source of a template cannot be read.
package struct TemplateError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// A brace that opens is not closed, or one that closes was not opened.
    case unbalancedBrace
    /// What follows the colon behind the name of a member is not a column.
    case unknownColumn
    /// Words in braces do not end with the name of a group.
    case noGroup
  }

  package var problem: Problem

  /// The offset of the brace, in bytes.
  package var offset: Int
}
