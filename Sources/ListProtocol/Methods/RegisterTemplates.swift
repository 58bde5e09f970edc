import ByteBuffers
import ListState
import ListText

extension ListService {
  /// `registerTemplates`: registers templates of rows, headers and footers, for all lists or one.
  mutating func registerTemplates(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: [.templates, .list])
    let list = try params[.list]?.requireString()
    let value = try params.require(.templates, expected: "an object of templates")
    guard let members = value.members else {
      throw value.failure(expected: "an object of templates")
    }
    var registered = book
    for (name, value) in members where value.kind != .null {
      let source = try value.requireString()
      do {
        try registered.register(source, as: Array(name.utf8), for: list)
      } catch { throw .template(error, at: value.pointer) }
    }
    try checkCancellation()
    book = registered
    out.append("null")
    for (name, text) in updateTexts(of: list) { report(.rendered(name, text)) }
  }
}

extension Failure {
  fileprivate static func template(_ error: TemplateError, at pointer: String) -> Failure {
    let (expected, problem) =
      switch error.problem {
      case .unbalancedBrace:
        (
          "a template in which every brace has its other",
          "the brace at byte \(error.offset) is unbalanced; write {{ and }} for braces"
        )
      case .unknownColumn:
        (
          "a template whose columns are {member:[<>^]WIDTH[…][#GROUP]} or {member:#GROUP}",
          "the brace at byte \(error.offset) does not begin a column: the colon is followed by an "
            + "alignment (<, > or ^), a width from \(Column.widths.lowerBound) to "
            + "\(Column.widths.upperBound), … and #GROUP; only the width or the group is required"
        )
      case .noGroup:
        (
          "a template in which words in braces end with #GROUP",
          "the text in the brace at byte \(error.offset) does not end with #GROUP"
        )
      }
    return .invalidParams(pointer, expected: expected, "\(pointer): \(problem)")
  }
}
