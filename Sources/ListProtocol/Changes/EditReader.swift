import ByteBuffers
import JSONBytes
import ListState

/// Reads the edits of a request one after the other.
struct EditReader: ~Copyable {
  /// The values that an edit names, for failures that report which of them is at fault.
  struct Names {
    var edit: Value?
    var pointer: String { edit?.pointer ?? "" }

    /// The items or sections that it inserts or updates.
    var given: Value?

    /// Whether `given` are sections.
    var givenAreSections = false

    /// The snapshot of `given`, and the parts of items that are duplicate in it.
    var snapshot = Snapshot()
    var hasDuplicates = false
    var duplicateParts: [Duplicate] = []

    /// The items that it references.
    var references: References?
    var items: [Value] { references?.values ?? [] }

    /// The sections that it references.
    var sections: [Value] = []

    /// The item or section before or after which something is inserted.
    var anchor: Value?
    var isAnchoredToItem = false
  }

  enum Kind: String, CaseIterable {
    case appendItems, insertItems, deleteItems, moveItems, updateItems, putItems, reloadItems
    case reconfigureItems, appendSections, insertSections, deleteSections, reloadSections
    case reconfigureSections, moveSection, updateSections, deleteAllItems
    case expandItems, collapseItems, revealItems, expandAll, collapseAll

    static let table = CaseTable(of: Kind.self)

    /// The members of an edit.
    var members: [ParamName] {
      switch self {
      case .appendItems, .putItems: [.edit, .items, .section]
      case .insertItems: [.edit, .items, .before, .after]
      case .moveItems: [.edit, .items, .before, .after, .section]
      case .deleteItems, .updateItems, .reloadItems, .reconfigureItems, .revealItems:
        [.edit, .items]
      case .expandItems, .collapseItems: [.edit, .items, .deep]
      case .insertSections: [.edit, .sections, .before, .after]
      case .appendSections, .deleteSections, .reloadSections, .reconfigureSections,
        .updateSections:
        [.edit, .sections]
      case .moveSection: [.edit, .section, .before, .after]
      case .deleteAllItems, .expandAll, .collapseAll: [.edit]
      }
    }
  }

  /// The values that the edit read last names, all but `snapshot` and `duplicateParts`.
  private var names = Names()

  private let message: SharedBytes

  /// Reads the items and sections of all edits into one snapshot. `nil` before the first one.
  private var givenReader: SnapshotReader?

  /// The section of items that are appended to a list without sections. Later edits may refer to it.
  private(set) var main: MainSection?

  /// Resolves references to lines of the list's texts.
  private let lines: LineReferences?

  /// The members that identify items without `id`.
  private let itemKey: ItemKey?

  init(_ message: SharedBytes, _ lines: LineReferences?, _ itemKey: ItemKey?) {
    self.message = message
    self.lines = lines
    self.itemKey = itemKey
  }

  /// Returns the items and sections of all edits that were read.
  consuming func finish() -> Snapshot { finishGiven().snapshot }

  private consuming func finishGiven() -> (snapshot: Snapshot, duplicates: [Duplicate]) {
    switch consume givenReader {
    case .some(let reader): reader.finishGiven()
    case nil: (Snapshot(), [])
    }
  }

  /// Returns the values that an edit names, which was read successfully before.
  static func names(
    of value: Value, _ store: inout ListStore, _ lines: LineReferences?, _ itemKey: ItemKey?
  ) throws(Failure) -> Names {
    var reader = EditReader(value.message, lines, itemKey)
    _ = try reader.read(value, &store)
    return reader.finishNames()
  }

  private consuming func finishNames() -> Names {
    var names = names
    (names.snapshot, names.duplicateParts) = finishGiven()
    return names
  }

  /// Reads one edit.
  ///
  /// - Throws: -32602, as for a snapshot.
  mutating func read(_ value: Value, _ store: inout ListStore) throws(Failure) -> Edit {
    names = Names(edit: value)
    guard value.kind == .object || value.elements?.isEmpty == true else {
      throw value.failure(expected: "an edit")
    }
    let params = try Params(value)
    let name = try params.require(.edit, expected: "the name of an edit")
    let kind = try name.requireChoice(in: Kind.table)
    try params.check(known: kind.members)
    switch kind {
    case .appendItems:
      return .appendItems(
        try items(params, &store), section: try section(orMain: params, &store.ids))
    case .putItems:
      return .putItems(try items(params, &store), section: try section(orMain: params, &store.ids))
    case .updateItems: return .updateItems(try items(params, &store))
    case .insertItems:
      return .insertItems(try items(params, &store), try itemAnchor(params, store.ids))
    case .deleteItems: return .deleteItems(try references(params, store.ids))
    case .reloadItems: return .touchItems(try references(params, store.ids), .reload)
    case .reconfigureItems: return .touchItems(try references(params, store.ids), .reconfigure)
    case .moveItems:
      let items = try references(params, store.ids)
      guard params[.section] != nil else {
        return .moveItems(
          items,
          try itemAnchor(params, store.ids, expected: "exactly one of before, after and section"))
      }
      if let other = params.first(of: .before, .after) {
        throw other.failure(expected: "nothing beside \"section\"")
      }
      return .moveItemsToSection(items, try section(params, store.ids)!)
    case .appendSections: return .appendSections(try sections(params, .mayHaveItems, &store))
    case .insertSections:
      return .insertSections(
        try sections(params, .mayHaveItems, &store), try sectionAnchor(params, store.ids))
    case .updateSections: return .updateSections(try sections(params, .haveNoItems, &store))
    case .deleteSections: return .deleteSections(try sectionReferences(params, store.ids))
    case .reloadSections: return .touchSections(try sectionReferences(params, store.ids), .reload)
    case .reconfigureSections:
      return .touchSections(try sectionReferences(params, store.ids), .reconfigure)
    case .moveSection:
      let id = try params.require(.section, expected: "a string or an integer")
      names.sections = [id]
      return .moveSection(
        try SectionReference(id, store.ids), try sectionAnchor(params, store.ids))
    case .deleteAllItems: return .deleteAllItems
    case .expandItems:
      let isDeep = try params[.deep]?.requireBoolean() ?? false
      return .outline(.expandItems(try references(params, store.ids), deep: isDeep))
    case .collapseItems:
      let isDeep = try params[.deep]?.requireBoolean() ?? false
      return .outline(.collapseItems(try references(params, store.ids), deep: isDeep))
    case .revealItems: return .outline(.revealItems(try references(params, store.ids)))
    case .expandAll: return .outline(.expandAll)
    case .collapseAll: return .outline(.collapseAll)
    }
  }

  private mutating func items(_ params: borrowing Params, _ store: inout ListStore) throws(Failure)
    -> EditContent
  {
    let items = try params.require(.items, expected: "an array")
    return try read(items, isSections: false, .haveItems, &store)
  }

  private mutating func sections(
    _ params: borrowing Params, _ rule: SnapshotReader.ItemsRule, _ store: inout ListStore
  ) throws(Failure) -> EditContent {
    let sections = try params.require(.sections, expected: "an array")
    return try read(sections, isSections: true, rule, &store)
  }

  /// Reads items or sections that the edit inserts or updates.
  private mutating func read(
    _ value: Value, isSections: Bool, _ rule: SnapshotReader.ItemsRule, _ store: inout ListStore
  ) throws(Failure) -> EditContent {
    names.given = value
    names.givenAreSections = isSections
    if givenReader == nil {
      givenReader = SnapshotReader(message)
      givenReader!.itemKey = itemKey
    }
    let given = try givenReader!.readGiven(value, isSections: isSections, rule, &store)
    names.hasDuplicates = given.hasDuplicates
    return given
  }

  private mutating func references(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> [ItemReference] {
    let references = try References(
      try params.require(.items, expected: "an array"), ids, lines)
    names.references = references
    return references.items
  }

  private mutating func sectionReferences(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> [SectionReference] {
    let values = try params.require(.sections, expected: "an array").requireElements()
    names.sections = values
    var references: [SectionReference] = []
    for value in values { references.append(try SectionReference(value, ids)) }
    return references
  }

  private mutating func section(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> SectionReference? {
    guard let value = params[.section] else { return nil }
    names.sections = [value]
    return try SectionReference(value, ids)
  }

  /// Reads the section that items are appended to. Without one, a list without sections gets `main`.
  private mutating func section(
    orMain params: borrowing Params, _ ids: inout IDTable
  ) throws(Failure) -> SectionReference? {
    if params[.section] == nil, main == nil { main = SnapshotReader.mainSection(&ids) }
    return try section(params, ids)
  }

  private mutating func itemAnchor(
    _ params: borrowing Params, _ ids: borrowing IDTable,
    expected: String = "exactly one of before and after"
  ) throws(Failure) -> AnchoredItem {
    let (value, isAfter) = try anchor(params, expected: expected)
    names.isAnchoredToItem = true
    return AnchoredItem(item: try .read(value, ids, lines), isAfter: isAfter)
  }

  private mutating func sectionAnchor(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> AnchoredSection {
    let (value, isAfter) = try anchor(params)
    return AnchoredSection(section: try SectionReference(value, ids), isAfter: isAfter)
  }

  private mutating func anchor(
    _ params: borrowing Params, expected: String = "exactly one of before and after"
  ) throws(Failure) -> (Value, isAfter: Bool) {
    let before = params[.before]
    let after = params[.after]
    guard let value = before ?? after else {
      throw .missing(names.pointer, expected: expected)
    }
    guard before == nil || after == nil else {
      throw .invalidParams(names.pointer, expected: expected)
    }
    names.anchor = value
    return (value, before == nil)
  }
}

extension SectionReference {
  /// Reads the identifier of a section.
  init(_ value: Value, _ ids: borrowing IDTable) throws(Failure) {
    guard let id = ids.identify(value) else {
      throw value.failure(expected: "a string or an integer")
    }
    self.init(key: id.key)
  }
}
