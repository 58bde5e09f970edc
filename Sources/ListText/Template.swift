/// The format of a row: literal text, and placeholders for the row's content.
package struct Template: Hashable, Sendable {
  /// A piece of the text of a row.
  package enum Piece: Hashable, Sendable {
    /// Literal text, and its highlight group, if any.
    case words([UInt8], group: [UInt8]? = nil)
    /// A member of the row's content, by its name.
    case member([UInt8], Column = .plain)
    /// The first text if the row is selected, else the second.
    case selected([UInt8], [UInt8])
    /// The first text if the cursor is on the row, else the second.
    case cursor([UInt8], [UInt8])
    /// A text that is repeated for each level of an outline above the row.
    case indent([UInt8])
    /// The text for a row of an outline that is expanded, collapsed, or a leaf.
    case expanded([UInt8], [UInt8], [UInt8])
    /// As many empty lines as the member `lines` specifies.
    case emptyLines
  }

  package let pieces: [Piece]

  /// The names that begin with `$` of members that rows of outlines have.
  package static let outlineMembers = ["$level", "$children", "$expanded"]

  /// The first name of a member that begins with `$` and is not one of those of outlines.
  package var unknownMember: [UInt8]? {
    for case .member(let name, _) in pieces where name.first == 0x24 {
      if !Self.outlineMembers.contains(where: { name.elementsEqual($0.utf8) }) { return name }
    }
    return nil
  }

  /// The format of rows, headers and footers without a template.
  package static let plain = Template(pieces: [.member(Array("text".utf8))])

  /// A space between rows.
  package static let spacing = Template(pieces: [.emptyLines])
}

/// A syntax error in a template.
package struct TemplateError: Error, Hashable, Sendable {
  /// The kind of the error.
  package enum Problem: Hashable, Sendable {
    /// An opening brace is not closed, or a closing brace was not opened.
    case unbalancedBrace
    /// The text after the colon that follows the name of a member is not a column.
    case unknownColumn
    /// Text in braces does not end with the name of a group.
    case noGroup
  }

  package var problem: Problem

  /// The offset of the brace, in bytes.
  package var offset: Int
}
