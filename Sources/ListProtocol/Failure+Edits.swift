import JSONBytes
import ListState

extension Failure {
  /// The failure of an edit, with what it named as it was written.
  static func edit(
    _ failure: EditFailure, _ names: EditReader.Names, list: [UInt8], _ ids: borrowing IDTable
  ) -> Failure {
    let given = names.given?.elements ?? []
    switch failure {
    case .itemsNotFound(let places): return .itemsNotFound(places.map { names.items[$0] })
    case .givenItemsNotFound(let places):
      return .itemsNotFound(places.map { given[$0].identifier })
    case .anchorNotFound:
      let anchor = names.anchor.map { [$0] } ?? []
      return names.isAnchoredToItem ? .itemsNotFound(anchor) : .sectionsNotFound(anchor)
    case .sectionsNotFound(let places):
      let sections = names.sections.isEmpty ? given.map(\.identifier) : names.sections
      return .sectionsNotFound(places.map { sections[$0] })
    case .noSection: return .sectionsNotFound([])
    case .duplicateItems(let places):
      return duplicates(places, names.bringsSections ? given.flatMap(\.itemsOfSection) : given)
    case .duplicateSections(let places): return duplicates(places, given)
    case .anchoredToItself:
      return .invalidParams(
        names.anchor?.pointer ?? names.pointer, expected: "something that is not itself moved")
    case .revisionNotFound(let revision, let oldest, let current):
      return .list(
        .revisionNotFound(list, revision: revision, oldest: oldest, current: current), Named(),
        lists: [])
    }
  }

  /// The failure that what an edit brings is in the list already.
  private static func duplicates(_ places: [Int], _ given: [Value]) -> Failure {
    var data = FailureData()
    data.add("duplicates") { buffer in
      buffer.append(0x5B)
      for (count, place) in places.enumerated() {
        buffer.append(count == 0 ? "{\"id\":" : ",{\"id\":")
        buffer.append(json: given[place].identifier.bytes, singleLine: true)
        buffer.append(",\"pointers\":[")
        buffer.append(string: given[place].pointer)
        buffer.append("]}")
      }
      buffer.append(0x5D)
    }
    return Failure(
      .duplicateIdentifier, "an identifier is in the list already", data: data.bytes)
  }

  /// The same failure, of one of several edits.
  func inEdit(_ index: Int) -> Failure {
    var data = FailureData()
    data.add("edit", index)
    var failure = self
    failure.message = "edit \(index): \(message)"
    failure.data += data.bytes
    return failure
  }
}

extension Value {
  /// The items of a section that is given.
  fileprivate var itemsOfSection: [Value] {
    members?.last { $0.name == "items" }?.value.elements ?? []
  }

  /// What identifies an item or a section that is given: its `id`, or itself.
  fileprivate var identifier: Value {
    guard kind == .object, let id = members?.last(where: { $0.name == "id" })?.value,
      id.kind != .null
    else { return self }
    return id
  }
}
