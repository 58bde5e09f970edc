import JSONBytes
import ListState

extension Failure {
  /// The failure of an edit, with the values that it names as they were written.
  static func edit(
    _ failure: EditFailure, _ names: EditReader.Names, list: [UInt8], _ ids: borrowing IDTable
  ) -> Failure {
    let given = names.given?.elements ?? []
    let anchor = names.anchor
    switch failure {
    case .itemsNotFound(let indices, let isAnchor):
      return .itemsNotFound(names.items.at(indices).adding(isAnchor ? anchor : nil))
    case .givenItemsNotFound(let indices):
      return .itemsNotFound(given.at(indices).map(\.identifier))
    case .sectionsNotFound(let indices, let isAnchor):
      let sections = names.sections.isEmpty ? given.map(\.identifier) : names.sections
      return .sectionsNotFound(sections.at(indices).adding(isAnchor ? anchor : nil))
    case .duplicates(let items, let sections):
      return duplicates(names, conflicting: (sections, items), ids)
    case .anchoredToItself:
      return .invalidParams(
        names.anchor?.pointer ?? names.pointer, expected: "something that is not itself moved")
    case .ofOutline:
      return .invalidParams(
        names.pointer + "/edit", expected: "an edit of a list that is not a view")
    case .revisionNotFound(let revision, let oldest, let current):
      return .list(
        .revisionNotFound(list, revision: revision, oldest: oldest, current: current),
        NamedValues(),
        lists: [])
    }
  }

  /// The failure that an edit inserts identifiers that are duplicate or are in the list already.
  private static func duplicates(
    _ names: EditReader.Names, conflicting: (sections: [Int], items: [Int]),
    _ ids: borrowing IDTable
  ) -> Failure {
    let pointer = names.given?.pointer ?? names.pointer
    let found = names.snapshot.duplicates(
      sections: names.givenAreSections ? pointer : nil, items: pointer, conflicting: conflicting)
    let message: String? =
      if !names.hasDuplicates {
        "an identifier is already in the list"
      } else if conflicting.items.isEmpty, conflicting.sections.isEmpty {
        nil
      } else {
        "identifiers are duplicate or already in the list"
      }
    return .duplicates(found + names.duplicateParts, ids, message)
  }

  /// The same failure, of one of several edits. Edits of a reference to a snapshot are named by
  /// their pointer, too, because a request may have two.
  func inEdit(_ index: Int, of edits: Value?) -> Failure {
    var failure = self
    var place: String?
    // Invalid parameters have a pointer already, and their message begins with it.
    if code != .invalidParams {
      failure.message = "edit \(index): \(message)"
      if let pointer = edits?.pointer, pointer != "/params/edits" {
        place = "\(pointer)/\(index)"
      }
    }
    failure.add(["edit": .number(index), "pointer": place.map { .text($0) }])
    return failure
  }
}

extension Value {
  /// The identifier of an item or a section: its `id`, or the value itself.
  fileprivate var identifier: Value {
    guard let id = self["id"], id.kind != .null else { return self }
    return id
  }
}
