/// The values that an edit names, for failures that report which of them is at fault.
struct EditNames {
  /// The edit, which was read before; `nil` if it was not read from JSON.
  private let edit: Value?

  /// The member with the items or sections that it inserts or updates.
  let content: EditReader.Kind.Content?

  init(_ edit: Value?) {
    self.edit = edit
    content = edit?["edit"].flatMap { EditReader.Kind($0) }?.content
  }

  var pointer: String { edit?.pointer ?? "" }

  /// Whether what it inserts or updates are sections.
  var givesSections: Bool { content?.name == .sections }

  /// The items or sections that it inserts or updates.
  var given: Value? { content.flatMap { value($0.name) } }

  /// The items that it references.
  var items: [Value] { content == nil ? value(.items)?.elements ?? [] : [] }

  /// The sections that it references.
  var sections: [Value] {
    if givesSections { return [] }
    return value(.sections)?.elements ?? value(.section).map { [$0] } ?? []
  }

  /// The item or section before or after which something is inserted.
  var anchor: Value? { value(.before) ?? value(.after) }

  private func value(_ name: ParamName) -> Value? { edit?.given(name.rawValue) }
}
