import ByteBuffers
import JSONBytes
import ListState

/// Reads the edits of a request one after the other. The items and sections of all of them are read into one
/// snapshot, by a reader that the caller has.
struct EditReader {
  enum Kind: String, CaseIterable {
    case appendItems, insertItems, deleteItems, moveItems, updateItems, putItems, reloadItems
    case reconfigureItems, appendSections, insertSections, deleteSections, reloadSections
    case reconfigureSections, moveSection, updateSections, deleteAllItems
    case expandItems, collapseItems, revealItems, expandAll, collapseAll

    typealias Content = (name: ParamName, rule: SnapshotReader.ItemsRule)

    static let table = CaseTable(of: Kind.self)

    /// The member with the items or sections that the edit inserts or updates, and whether sections have
    /// items; `nil` if it has no such member.
    var content: Content? {
      switch self {
      case .appendItems, .putItems, .updateItems, .insertItems: (.items, .haveItems)
      case .appendSections, .insertSections: (.sections, .mayHaveItems)
      case .updateSections: (.sections, .haveNoItems)
      default: nil
      }
    }

    /// The members of an edit.
    var members: ParamNames { Self.members[Int(CaseTable.number(of: self))] }

    private static let members = allCases.map { $0.allowedMembers }

    private var allowedMembers: ParamNames {
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

  /// The array of edits, and a reader that is at the next one.
  private let edits: Value
  private(set) var reader: JSONReader
  private var isOpen = false

  /// The content of the edit read last, if it was read with its members.
  private var given: EditContent?

  /// The section of items that are appended to a list without sections. Later edits may refer to it.
  private(set) var main: MainSection?

  /// Creates a reader of an array that may not have been checked, at which `reader` is.
  init(_ edits: Value, _ reader: JSONReader) {
    self.edits = edits
    self.reader = reader
  }

  private mutating func nextElement() throws(Failure) -> Bool {
    try checkedOrRefused { () throws(JSONError) in
      if !isOpen { try reader.openArray() }
      isOpen = true
      return try reader.nextElement()
    }
  }

  /// Reads the next edit; `nil` after the last one. `lines` resolves references to lines of the list's texts.
  ///
  /// - Throws: -32602, as for a snapshot.
  mutating func next(
    _ content: inout SnapshotReader, _ store: inout ListStore, _ lines: LineReferences?
  ) throws(Failure) -> Edit? {
    guard try nextElement() else { return nil }
    var params = Params()
    var kind = try readParams(&params, &content, &store)
    if kind == nil || !params.isUsual {
      given = nil
      let name = try params.require(.edit, expected: "the name of an edit")
      kind = Kind(name)
      if kind == nil { kind = try name.requireChoice(of: Kind.self) }
    }
    try params.check(known: kind!.members)
    return try read(kind!, params, &content, &store, lines: lines)
  }

  /// Reads the members of the next edit. If its name comes before the items or sections that it inserts
  /// or updates, these are read in the same pass, and its kind is returned.
  private mutating func readParams(
    _ params: inout Params, _ items: inout SnapshotReader, _ store: inout ListStore
  ) throws(Failure) -> Kind? {
    var reader = reader
    var kind: Kind?
    given = nil
    let first = try checkedOrRefused { () throws(JSONError) in try reader.peek() }
    guard first == .object else {
      let range = try checkedOrRefused { () throws(JSONError) in try reader.skip() }
      self.reader = reader
      let value = Value(in: edits, range: range)
      guard value.elements?.isEmpty == true else { throw value.failure(expected: "an edit") }
      params = try Params(value)
      return nil
    }
    let edit = Value(in: edits, range: reader.offset..<reader.offset)
    try checkedOrRefused { () throws(JSONError) in
      try params.read(edit, &reader) { (name, params, reader) in
        guard name == .items || name == .sections else { return nil }
        if let edit = params[.edit] { kind = Kind(edit) }
        guard let content = kind?.content, content.name == name, (try? reader.peek()) != nil
        else { return nil }
        let value = Value(in: edits, range: reader.offset..<edits.range.upperBound)
        // A failure is found again when the members were checked.
        guard let read = try? items.readGiven(value, reader, content, &store) else { return nil }
        let start = reader.offset
        reader = items.reader
        given = read
        return start..<reader.offset
      }
    }
    self.reader = reader
    return kind
  }

  private mutating func read(
    _ kind: Kind, _ params: borrowing Params, _ items: inout SnapshotReader,
    _ store: inout ListStore, lines: LineReferences?
  ) throws(Failure) -> Edit {
    switch kind {
    case .appendItems:
      return .appendItems(
        try content(of: kind, params, &items, &store),
        section: try section(orMain: params, &store.ids))
    case .putItems:
      return .putItems(
        try content(of: kind, params, &items, &store),
        section: try section(orMain: params, &store.ids))
    case .updateItems: return .updateItems(try content(of: kind, params, &items, &store))
    case .insertItems:
      return .insertItems(
        try content(of: kind, params, &items, &store), try itemAnchor(params, store.ids, lines))
    case .deleteItems: return .deleteItems(try references(params, store.ids, lines))
    case .reloadItems: return .touchItems(try references(params, store.ids, lines), .reload)
    case .reconfigureItems:
      return .touchItems(try references(params, store.ids, lines), .reconfigure)
    case .moveItems:
      let items = try references(params, store.ids, lines)
      guard params[.section] != nil else {
        return .moveItems(
          items,
          try itemAnchor(
            params, store.ids, lines, expected: "exactly one of before, after and section"))
      }
      if let other = params.first(of: .before, .after) {
        throw other.failure(expected: "nothing beside \"section\"")
      }
      return .moveItemsToSection(items, try section(params, store.ids)!)
    case .appendSections: return .appendSections(try content(of: kind, params, &items, &store))
    case .insertSections:
      return .insertSections(
        try content(of: kind, params, &items, &store), try sectionAnchor(params, store.ids))
    case .updateSections: return .updateSections(try content(of: kind, params, &items, &store))
    case .deleteSections: return .deleteSections(try sectionReferences(params, store.ids))
    case .reloadSections: return .touchSections(try sectionReferences(params, store.ids), .reload)
    case .reconfigureSections:
      return .touchSections(try sectionReferences(params, store.ids), .reconfigure)
    case .moveSection:
      let id = try params.require(.section, expected: "a string or an integer")
      return .moveSection(
        try SectionReference(id, store.ids), try sectionAnchor(params, store.ids))
    case .deleteAllItems: return .deleteAllItems
    case .expandItems:
      let isDeep = try params[.deep]?.requireBoolean() ?? false
      return .outline(.expandItems(try references(params, store.ids, lines), deep: isDeep))
    case .collapseItems:
      let isDeep = try params[.deep]?.requireBoolean() ?? false
      return .outline(.collapseItems(try references(params, store.ids, lines), deep: isDeep))
    case .revealItems: return .outline(.revealItems(try references(params, store.ids, lines)))
    case .expandAll: return .outline(.expandAll)
    case .collapseAll: return .outline(.collapseAll)
    }
  }

  /// Returns the items or sections that an edit inserts or updates.
  private func content(
    of kind: Kind, _ params: borrowing Params, _ items: inout SnapshotReader,
    _ store: inout ListStore
  ) throws(Failure) -> EditContent {
    if let given { return given }
    let value = try params.require(kind.content!.name, expected: "an array")
    let start = JSONReader(value.message.bytes, from: value.range.lowerBound)
    return try items.readGiven(value, start, kind.content!, &store)
  }

  private func references(
    _ params: borrowing Params, _ ids: borrowing IDTable, _ lines: LineReferences?
  ) throws(Failure) -> [ItemReference] {
    try ItemReference.readAll(try params.require(.items, expected: "an array"), ids, lines)
  }

  private func sectionReferences(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> [SectionReference] {
    try params.require(.sections, expected: "an array")
      .requireElements(with: ids) { value, ids throws(Failure) in try SectionReference(value, ids) }
  }

  private func section(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> SectionReference? {
    guard let value = params[.section] else { return nil }
    return try SectionReference(value, ids)
  }

  /// Reads the section that items are appended to. Without one, a list without sections gets `main`.
  private mutating func section(
    orMain params: borrowing Params, _ ids: inout IDTable
  ) throws(Failure) -> SectionReference? {
    if params[.section] == nil, main == nil { main = SnapshotReader.mainSection(&ids) }
    return try section(params, ids)
  }

  private func itemAnchor(
    _ params: borrowing Params, _ ids: borrowing IDTable, _ lines: LineReferences?,
    expected: String = "exactly one of before and after"
  ) throws(Failure) -> AnchoredItem {
    let (value, isAfter) = try anchor(params, expected: expected)
    return AnchoredItem(item: try .read(value, ids, lines), isAfter: isAfter)
  }

  private func sectionAnchor(
    _ params: borrowing Params, _ ids: borrowing IDTable
  ) throws(Failure) -> AnchoredSection {
    let (value, isAfter) = try anchor(params)
    return AnchoredSection(section: try SectionReference(value, ids), isAfter: isAfter)
  }

  private func anchor(
    _ params: borrowing Params, expected: String = "exactly one of before and after"
  ) throws(Failure) -> (Value, isAfter: Bool) {
    let before = params[.before]
    let after = params[.after]
    guard let value = before ?? after else {
      throw .missing(params.pointer, expected: expected)
    }
    guard before == nil || after == nil else {
      throw .invalidParams(params.pointer, expected: expected)
    }
    return (value, before == nil)
  }
}

extension EditReader.Kind {
  /// The kind with the name that a value is; `nil` if there is none.
  init?(_ value: Value) {
    var reader = value.reader
    guard let name = try? reader.string(), let kind = Self.table.find(name, in: reader) else {
      return nil
    }
    self = kind
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
