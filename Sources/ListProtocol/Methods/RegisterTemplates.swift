import ByteBuffers
import ListState
import ListText

/// `registerTemplates`: registers templates of rows, headers and footers, for all lists or one.
struct RegisterTemplates: ListRequest {
  /// The list; `nil` for all.
  var list: [UInt8]?

  var templates: [Template]

  struct Template {
    var name: String
    var source: [UInt8]

    /// The source as it was written, for failures.
    var value: Value?
  }

  static let members: ParamNames = [.templates, .list]

  mutating func perform(on service: inout ListService) throws(Failure) {
    var entries: [Templates.Entry] = []
    for template in templates {
      var pointer: String { template.value?.pointer ?? "/params/templates/\(template.name)" }
      do { entries.append(try Templates.Entry(template.source)) } catch {
        throw .template(error, at: pointer)
      }
      guard let unknown = entries[entries.count - 1].template.unknownMember else { continue }
      throw .unknownMember(
        String(decoding: unknown, as: UTF8.self), ListText.Template.outlineMembers, at: pointer)
    }
    try service.context.checkCancellation()
    for (template, entry) in zip(templates, entries) {
      service.book.templates.register(entry, as: Array(template.name.utf8), for: list)
    }
    for (name, text) in service.updateTexts(of: list) { service.report(.rendered(name, text)) }
  }
}

extension RegisterTemplates {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try params[.list]?.requireString()
    let value = try params.require(.templates, expected: "an object of templates")
    guard let members = value.members else {
      throw value.failure(expected: "an object of templates")
    }
    templates = []
    for (name, value) in members where value.kind != .null {
      templates.append(Template(name: name, source: try value.requireString(), value: value))
    }
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
