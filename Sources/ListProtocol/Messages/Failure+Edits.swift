import JSONBytes
import ListState

extension ListService {
  /// Returns the failure of a request whose edits of a list were written as `value`, if it was read
  /// from JSON.
  mutating func failure(
    _ error: ListFailure, ofEdits value: Value?, of list: [UInt8],
    _ named: NamedValues = NamedValues()
  ) throws(Failure) -> Failure {
    guard case .edit(let index, let problem) = error else { return failure(error, named) }
    // The values that an edit names are not kept.
    let names = EditNames(value?.elements?[index])
    let failure =
      if case .duplicates(let items, let sections) = problem {
        try duplicates(names, conflicting: (sections, items))
      } else {
        Failure.edit(problem, names, list: list)
      }
    return failure.inEdit(index, of: value)
  }

  /// The failure that an edit inserts identifiers that are duplicate or are in the list already.
  private mutating func duplicates(
    _ names: EditNames, conflicting: (sections: [Int], items: [Int])
  ) throws(Failure) -> Failure {
    var found: [Duplicate] = []
    var hasDuplicates = false
    if let given = names.given, let content = names.content {
      var reader = SnapshotReader(given.message, itemKey: context.itemKey)
      hasDuplicates = try reader.readGiven(
        given, JSONReader(given.message.bytes, from: given.range.lowerBound), content, &store
      ).hasDuplicates
      found =
        reader.finishGiven().duplicates(
          sections: names.givesSections ? given.pointer : nil, items: given.pointer,
          conflicting: conflicting) + reader.duplicateParts
    }
    let message: String? =
      if !hasDuplicates {
        "an identifier is already in the list"
      } else if conflicting.items.isEmpty, conflicting.sections.isEmpty {
        nil
      } else {
        "identifiers are duplicate or already in the list"
      }
    return .duplicates(found, store.ids, message)
  }
}

extension Failure {
  /// The failure of an edit, with the values that it names as they were written.
  fileprivate static func edit(
    _ failure: EditFailure, _ names: EditNames, list: [UInt8]
  ) -> Failure {
    let given = names.given?.elements ?? []
    let anchor = names.anchor
    switch failure {
    case .itemsNotFound(let indices, let isAnchor):
      return .itemsNotFound(names.items.at(indices).adding(isAnchor ? anchor : nil))
    case .givenItemsNotFound(let indices):
      return .itemsNotFound(given.at(indices).map { $0.given("id") ?? $0 })
    case .sectionsNotFound(let indices, let isAnchor):
      let sections = names.sections.isEmpty ? given.map { $0.given("id") ?? $0 } : names.sections
      return .sectionsNotFound(sections.at(indices).adding(isAnchor ? anchor : nil))
    case .duplicates: preconditionFailure("duplicates are found again")
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
