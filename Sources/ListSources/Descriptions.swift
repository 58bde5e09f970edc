extension SectionSource: @MainActor CustomStringConvertible {
  /// The type of the source and the numbers of its sections and items.
  public var description: String {
    let type = "\(Self.self)".prefix { $0 != "<" }
    return "\(type)(sections: \(sectionCount), items: \(itemCount), selected: \(selected.count))"
  }
}

extension EditableList: CustomStringConvertible {
  /// The type of the list and the numbers of its sections and items.
  public var description: String {
    "EditableList(sections: \(sectionCount), items: \(itemCount), selected: \(choices.count))"
  }
}

extension ListSnapshot: CustomStringConvertible {
  /// The ids of the sections, each with those of its items.
  public var description: String {
    sectionIdentifiers.map { "\($0): \(itemIdentifiers(inSection: $0))" }.joined(separator: ", ")
  }
}

extension EditError: CustomStringConvertible {
  /// What is missing or there already.
  public var description: String {
    switch self {
    case .noItem(let item): "there is no item \(item)"
    case .noSection(let section): "there is no section \(section)"
    case .duplicateItem(let item): "there is already an item \(item)"
    case .duplicateSection(let section): "there is already a section \(section)"
    case .noSections: "there are no sections"
    }
  }
}

extension MissingItem: CustomStringConvertible {
  /// What is missing.
  public var description: String { "there is no item \(item)" }
}

extension AnyItem: CustomStringConvertible {
  /// The description of the item.
  public var description: String { "\(base)" }
}
