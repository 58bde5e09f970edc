import JSONBytes
import ListState
import ListText

extension ListService {
  /// `registerTemplates`: says what rows, headers and footers look like, in all lists or in one.
  mutating func registerTemplates(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["templates", "list"])
    let list = try params["list"]?.requireString()
    let value = try params.require("templates", expected: "an object of templates")
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
    for (name, text) in updateTexts(of: list) { note(.rendered(name, text)) }
  }
}

extension Failure {
  fileprivate static func template(_ error: TemplateError, at pointer: String) -> Failure {
    let (expected, problem) =
      switch error.problem {
      case .unbalancedBrace:
        (
          "a template in which every brace has its other",
          "the brace at byte \(error.offset) has no other; {{ and }} stand for braces"
        )
      case .unknownColumn:
        (
          "a template whose columns are {member:[<>^]WIDTH[…][#GROUP]} or {member:#GROUP}",
          "the brace at byte \(error.offset) does not begin a column: after the colon come an "
            + "alignment (<, > or ^), a width from \(Column.widths.lowerBound) to "
            + "\(Column.widths.upperBound), … and #GROUP, of which only the width or the group is needed"
        )
      case .noGroup:
        (
          "a template in which words in braces end with #GROUP",
          "the brace at byte \(error.offset) begins words that do not end with #GROUP"
        )
      }
    return .invalidParams(pointer, expected: expected, "\(pointer): \(problem)")
  }
}
