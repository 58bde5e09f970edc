import ListDiff

/// A list shown by an app: its sections, the selected items, and the cursor.
///
/// When new sections are applied, selection and cursor stay with their items. Views observe
/// ``changes`` and read the source; a source may have several observers.
///
/// ```swift
/// let source = ListSource(sections: inbox)
/// try source.select([2], .replace)
/// source.apply(sorted)
/// ```
///
/// Ids must be distinct in a source. If an id repeats, the first item with it is used.
@MainActor
public final class ListSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The sections with their items.
  public private(set) var sections: [Section]

  /// The ids of the selected items.
  public private(set) var selected: Set<ItemID> = []

  /// The id of the item at the cursor, or `nil` if there is no cursor.
  public private(set) var cursor: ItemID?

  /// The selection mode of each section; ``SelectionMode/multiple`` if not set.
  public private(set) var selectionModes: [Section.ID: SelectionMode] = [:]

  /// The item that was selected or toggled last, at which an extension starts, and the items that
  /// the last extension added.
  private var anchor: ItemID?
  private var extended: Set<ItemID> = []

  private var paths: [ItemID: ListPath] = [:]
  private var subscribers: [Int: AsyncStream<SourceChange<ItemID>>.Continuation] = [:]
  private var followers: [(Changes) -> Bool] = []
  private var nextNumber = 0

  /// Creates a source with sections.
  public init(sections: [Section] = []) {
    self.sections = sections
    paths = Self.paths(of: sections)
  }

  /// The number of items in all sections.
  public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Returns the path of an item, or `nil` if it is not in the source.
  ///
  /// - Complexity: O(1).
  public func path(of item: ItemID) -> ListPath? { paths[item] }

  /// Returns the item at a path, or `nil` if there is none.
  public func item(at path: ListPath) -> Section.Item? {
    guard sections.indices.contains(path.section),
      sections[path.section].items.indices.contains(path.row)
    else { return nil }
    return sections[path.section].items[path.row]
  }

  /// The paths of the selected items, in order.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of selected items.
  public var selectedPaths: [ListPath] { selected.compactMap { paths[$0] }.sorted() }

  /// A new sequence of the changes from now on.
  ///
  /// Each observer receives all changes in order. The sequence ends when the source is released.
  public var changes: AsyncStream<SourceChange<ItemID>> {
    let (stream, continuation) = AsyncStream.makeStream(of: SourceChange<ItemID>.self)
    let number = nextNumber
    nextNumber += 1
    subscribers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.subscribers[number] = nil }
    }
    return stream
  }

  deinit {
    for continuation in subscribers.values { continuation.finish() }
  }

  /// Replaces the sections and returns the change.
  ///
  /// Kept items stay selected as far as the selection modes allow it. If the item at the cursor is
  /// deleted, the cursor moves to the next kept item, or else to the previous one.
  ///
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`.
  @discardableResult
  public func apply(_ new: [Section]) -> Changes {
    let changes = Changes(fromSections: sections, to: new)
    let old = sections
    let oldCursor = cursor
    sections = new
    if !changes.isEmpty { paths = Self.paths(of: new) }
    if let item = cursor, paths[item] == nil { cursor = neighbor(of: item, in: old) }
    if let item = anchor, paths[item] == nil { anchor = nil }
    extended = extended.filter { paths[$0] != nil }
    let kept = selected.filter { paths[$0] != nil }
    let before = selected
    selected = allowed(kept)
    if !changes.isEmpty || before != selected || cursor != oldCursor {
      send(changes, before)
    }
    return changes
  }

  /// Sets the selection mode of a section.
  ///
  /// Items that the mode does not allow are deselected.
  public func setSelectionMode(_ mode: SelectionMode, ofSection section: Section.ID) {
    selectionModes[section] = mode
    let before = selected
    selected = allowed(selected)
    if selected != before { send(nil, before) }
  }

  /// Changes the selection.
  ///
  /// In a section with the mode ``SelectionMode/single``, the last item replaces the item that was
  /// selected.
  ///
  /// - Throws: ``MissingItem`` if an item is not in the source. Nothing is changed then.
  /// - Complexity: O(*i* + *k*), where *i* is the number of items given, or between the ends of an
  ///   extension, and *k* the number of selected items.
  public func select(
    _ items: [ItemID], _ action: SelectionAction = .select
  ) throws(MissingItem<ItemID>) {
    for item in items where paths[item] == nil { throw MissingItem(item: item) }
    let before = selected
    if action == .extend {
      if let item = items.last { extend(to: item) }
    } else {
      extended = []
      if action == .replace { selected = [] }
      for item in items {
        set(item, isSelected: action == .toggle ? !selected.contains(item) : action != .deselect)
      }
      if action != .deselect, let item = items.last { anchor = item }
    }
    if selected != before { send(nil, before) }
  }

  /// Selects all items of the sections in which several can be selected, or of one of them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public func selectAll(inSection section: Section.ID? = nil) {
    changeAll(inSection: section) { $0.insert($1) }
  }

  /// Selects the items that are not selected and deselects the others, in the sections in which
  /// several can be selected, or in one of them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public func invertSelection(inSection section: Section.ID? = nil) {
    changeAll(inSection: section) { if $0.remove($1) == nil { $0.insert($1) } }
  }

  /// Deselects all items of the list or of a section, whatever its mode is.
  ///
  /// - Complexity: O(*k*), where *k* is the number of selected items.
  public func deselectAll(inSection section: Section.ID? = nil) {
    extended = []
    let before = selected
    selected = section == nil ? [] : selected.filter { self.section(of: $0) != section }
    if selected != before { send(nil, before) }
  }

  private func section(of item: ItemID) -> Section.ID? {
    paths[item].map { sections[$0.section].id }
  }

  private func mode(of section: Section.ID?) -> SelectionMode {
    section.flatMap { selectionModes[$0] } ?? .multiple
  }

  /// Selects or deselects an item as far as the mode of its section allows it.
  private func set(_ item: ItemID, isSelected: Bool) {
    let section = section(of: item)
    switch mode(of: section) {
    case .none: return
    case .single where isSelected: selected = selected.filter { self.section(of: $0) != section }
    case .single(allowsEmpty: false): return
    case .single, .multiple: break
    }
    if isSelected { selected.insert(item) } else { selected.remove(item) }
  }

  /// Selects the items from the anchor to an item, and deselects what the last extension added.
  private func extend(to item: ItemID) {
    let added = extended
    extended = []
    guard let anchor, let first = paths[anchor], let last = paths[item] else {
      selected = []
      set(item, isSelected: true)
      self.anchor = item
      return
    }
    selected.subtract(added)
    if case .single = mode(of: section(of: item)) {
      if !selected.contains(item) { extended = [item] }
      return set(item, isSelected: true)
    }
    forEachItem(from: min(first, last), through: max(first, last)) { id in
      if selected.insert(id).inserted { extended.insert(id) }
    }
  }

  /// Calls `body` with the items between two paths in sections in which several can be selected.
  private func forEachItem(
    from first: ListPath, through last: ListPath, _ body: (ItemID) -> Void
  ) {
    for section in first.section...last.section where mode(of: sections[section].id) == .multiple {
      let items = sections[section].items
      let start = section == first.section ? first.row : 0
      let end = section == last.section ? last.row + 1 : items.count
      for row in start..<end { body(items[row].id) }
    }
  }

  private func changeAll(
    inSection section: Section.ID?, _ change: (inout Set<ItemID>, ItemID) -> Void
  ) {
    extended = []
    let before = selected
    for other in sections where section == nil || section == other.id {
      guard mode(of: other.id) == .multiple else { continue }
      for item in other.items { change(&selected, item.id) }
    }
    if selected != before { send(nil, before) }
  }

  /// Moves the cursor to an item, or removes it.
  ///
  /// - Throws: ``MissingItem`` if the item is not in the source. Nothing is changed then.
  public func moveCursor(to item: ItemID?) throws(MissingItem<ItemID>) {
    if let item, paths[item] == nil { throw MissingItem(item: item) }
    guard item != cursor else { return }
    cursor = item
    send(nil, selected)
  }

  /// Registers a closure that is called with each change of the sections, as long as it returns
  /// true.
  func follow(_ body: @escaping (Changes) -> Bool) { followers.append(body) }

  private func send(_ changes: Changes?, _ before: Set<ItemID>) {
    let change = SourceChange(
      changes: changes ?? Changes(unchanged: sections.map { $0.items.count }),
      newlySelected: selected.subtracting(before), deselected: before.subtracting(selected),
      cursor: cursor)
    for continuation in subscribers.values { continuation.yield(change) }
    if let changes, !changes.isEmpty { followers.removeAll { !$0(changes) } }
  }

  /// Returns the items that may be selected: in a section with single selection, only the first.
  private func allowed(_ items: Set<ItemID>) -> Set<ItemID> {
    guard !selectionModes.isEmpty else { return items }
    var result = items
    var single: Set<Section.ID> = []
    for path in items.compactMap({ paths[$0] }).sorted() {
      let section = sections[path.section].id
      let id = sections[path.section].items[path.row].id
      switch selectionModes[section] ?? .multiple {
      case .none: result.remove(id)
      case .single: if !single.insert(section).inserted { result.remove(id) }
      case .multiple: break
      }
    }
    return result
  }

  /// Returns the next item of the old sections that is still in the source, or else the previous
  /// one.
  private func neighbor(of item: ItemID, in old: [Section]) -> ItemID? {
    let ids = old.flatMap { $0.items.map(\.id) }
    guard let index = ids.firstIndex(of: item) else { return nil }
    return ids[(index + 1)...].first { paths[$0] != nil }
      ?? ids[..<index].last { paths[$0] != nil }
  }

  private static func paths(of sections: [Section]) -> [ItemID: ListPath] {
    var result: [ItemID: ListPath] = [:]
    result.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
    for (index, section) in sections.enumerated() {
      for (row, item) in section.items.enumerated() where result[item.id] == nil {
        result[item.id] = ListPath(section: index, row: row)
      }
    }
    return result
  }
}
