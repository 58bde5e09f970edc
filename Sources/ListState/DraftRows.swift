import ListDiff

/// The rows of a list that is kept in pieces, found by their indices.
package struct DraftRows: Sendable {
  private let draft: Draft
  private let places: DraftPlaces

  /// By section the index of its first row, and at the end the number of rows.
  package var starts: [Int32] { places.starts.map { Int32(truncatingIfNeeded: $0) } }

  init(_ draft: Draft, _ places: DraftPlaces) {
    self.draft = draft
    self.places = places
  }

  /// Where a row is.
  package func path(ofRow row: Int) -> Path { places.path(of: row) }

  /// The text of a row, valid as long as this lives.
  ///
  /// - Complexity: O(log *s* + *p*), where *s* is the number of sections and *p* that of the pieces
  ///   of the section.
  package func bytes(ofRow row: Int) -> UnsafeRawBufferPointer {
    let path = places.path(of: row)
    var rest = path.row
    for piece in draft.sections[path.section].pieces {
      if rest < piece.range.count {
        let source = draft.sources[piece.source]
        return source.bytes(of: source.payloads[piece.range.lowerBound + rest])
      }
      rest -= piece.range.count
    }
    preconditionFailure("a row beyond the last of its section")
  }

  /// The text of a section's own members, valid as long as this lives.
  package func bytes(ofSection section: Int) -> UnsafeRawBufferPointer {
    let section = draft.sections[section]
    let source = draft.sources[section.source]
    return source.bytes(of: source.sections[section.index].own)
  }
}
