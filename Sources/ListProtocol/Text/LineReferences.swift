import JSONBytes
import ListState

/// What lines of a list's texts lead to, for references that name lines.
struct LineReferences {
  private let page: TextPage

  /// The revision of which paths are given; nil if a path without a revision means the present one.
  private let revision: Int?

  /// Reads `{line, textRevision}`.
  ///
  /// A line of a header or a footer, of a row that was deleted or of a text that is not known any more
  /// becomes a reference to no item. `lines` is nil if no text of the list is kept.
  static func read(_ value: Value, _ lines: LineReferences?) throws(Failure) -> ItemReference {
    let params = try Params(value, known: ["line", "textRevision"])
    let line = try params.require("line", expected: "an integer that is 0 or more").requireCount()
    let textRevision =
      try params
      .require("textRevision", expected: "an integer that is 0 or more").requireCount()
    guard let lines, let path = lines.page.path(ofLine: line, in: textRevision) else {
      return .id(nil, occurrence: 0, source: nil)
    }
    return .path(section: path.section, row: path.row, revision: lines.revision)
  }

  /// The lines of a list whose text is kept. If the references are resolved in a state that comes
  /// `afterChange`, paths name the present revision.
  fileprivate init(_ page: TextPage, afterChange: Bool) {
    self.page = page
    revision = afterChange ? page.revision : nil
  }
}

extension ListService {
  /// What lines of a list's texts lead to; nil if its text is not kept.
  func lines(of name: [UInt8], afterChange: Bool = false) -> LineReferences? {
    book.page(of: name).map { LineReferences($0, afterChange: afterChange) }
  }
}
