import JSONBytes
import ListState

/// Resolves references to lines of a list's texts.
struct LineReferences {
  private let page: TextPage

  /// The revision of the paths that lines are resolved to; `nil` if these mean the present
  /// snapshot.
  private let revision: Int?

  /// The oldest revision of the list that is kept.
  private let oldest: Int

  /// Reads `{line, textRevision}`. Also returns the index of the line among the lines of its row.
  ///
  /// A line of a header, a footer or an unknown text becomes a reference to no item; that of a row
  /// that the text no longer has, to the row at the revision that had it. `lines` is `nil` if no text
  /// of the list is kept.
  static func read(
    _ params: borrowing Params, _ lines: LineReferences?
  ) throws(Failure) -> (item: ItemReference, rowLine: Int) {
    for name in ItemReference.members.names.prefix(5) {
      if let value = params[name] { throw value.failure(expected: "nothing beside \"line\"") }
    }
    let line = try params.requireCount(.line)
    let textRevision = try params.requireCount(.textRevision)
    guard let lines, let (path, past, rowLine) = lines.page.path(ofLine: line, in: textRevision),
      past.map({ $0 >= lines.oldest }) ?? true
    else { return (.id(nil, occurrence: 0, source: nil), 0) }
    return (
      .path(section: path.section, row: path.row, revision: past ?? lines.revision), rowLine
    )
  }

  /// Resolves lines of a kept text. If the references are looked up `afterChange`, their paths name
  /// the present revision.
  fileprivate init(_ page: TextPage, oldest: Int, afterChange: Bool) {
    self.page = page
    self.oldest = oldest
    revision = afterChange ? page.revision : nil
  }
}

extension ListService {
  /// Returns the line references of a list; `nil` if its text is not kept.
  func lines(of name: [UInt8], afterChange: Bool = false) -> LineReferences? {
    book.page(of: name).map {
      LineReferences(
        $0, oldest: store.peek(name)?.oldestRevision ?? 0, afterChange: afterChange)
    }
  }
}
