import ListDiff

/// A list that an app shows: its sections, which items are selected, and where the cursor is.
///
/// A new snapshot keeps all that belongs to a row with that row. Views follow ``changes`` and read
/// the source; several may.
///
/// ```swift
/// let source = ListSource(sections: inbox)
/// try source.select([2], .replace)
/// source.apply(sorted)
/// ```
///
/// Ids are distinct in a source. Where some repeat in a snapshot, the first of them is meant.
@MainActor
public final class ListSource<Section: ListSection>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable {
  /// The id of an item.
  public typealias ItemID = Section.Item.ID

  /// The sections with their items.
  public private(set) var sections: [Section]

  /// The ids of the items that are selected.
  public private(set) var selected: Set<ItemID> = []

  /// The item that the cursor is at.
  public private(set) var cursor: ItemID?

  /// How items of each section are selected; ``SelectionMode/multiple`` where not given.
  public private(set) var selectionModes: [Section.ID: SelectionMode] = [:]

  private var paths: [ItemID: ListPath] = [:]
  private var subscribers: [Int: AsyncStream<SourceChange<ItemID>>.Continuation] = [:]
  private var followers: [(Changes) -> Bool] = []
  private var nextNumber = 0

  /// Makes a source of sections.
  public init(sections: [Section] = []) {
    self.sections = sections
    paths = Self.paths(of: sections)
  }

  /// The number of items in all sections.
  public var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Where an item is.
  ///
  /// - Complexity: O(1).
  public func path(of item: ItemID) -> ListPath? { paths[item] }

  /// The item at a path; `nil` if there is none.
  public func item(at path: ListPath) -> Section.Item? {
    guard sections.indices.contains(path.section),
      sections[path.section].items.indices.contains(path.row)
    else { return nil }
    return sections[path.section].items[path.row]
  }

  /// Where the selected items are, in order.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of items selected.
  public var selectedPaths: [ListPath] { selected.compactMap { paths[$0] }.sorted() }

  /// What happens from now on, for one more who follows.
  ///
  /// The changes of one source arrive in their order. A sequence ends with the source.
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

  /// Shows other sections, and returns what changed.
  ///
  /// Items that are kept stay selected, as far as the mode of their section allows it. If the item of
  /// the cursor is deleted, the cursor goes to the next item that is kept, else to the one before.
  ///
  /// - Complexity: As of `init(fromSections:to:moves:)`.
  @discardableResult
  public func apply(_ new: [Section]) -> Changes {
    let changes = Changes(fromSections: sections, to: new)
    let old = sections
    let oldCursor = cursor
    sections = new
    if !changes.isEmpty { paths = Self.paths(of: new) }
    if let item = cursor, paths[item] == nil { cursor = neighbor(of: item, in: old) }
    let kept = selected.filter { paths[$0] != nil }
    let before = selected
    selected = allowed(kept)
    if !changes.isEmpty || before != selected || cursor != oldCursor {
      send(changes, before)
    }
    return changes
  }

  /// Sets how the items of a section are selected; what the mode does not allow is deselected.
  public func setSelectionMode(_ mode: SelectionMode, ofSection section: Section.ID) {
    selectionModes[section] = mode
    let before = selected
    selected = allowed(selected)
    if selected != before { send(nil, before) }
  }

  /// Changes the selection.
  ///
  /// In a section with the mode ``SelectionMode/single`` the item named last takes the place of the
  /// one that was selected.
  ///
  /// - Throws: ``MissingItem`` if an item is not in the source; then nothing has changed.
  /// - Complexity: O(*i* + *k*), where *i* is the number of items named and *k* of items selected.
  public func select(
    _ items: [ItemID], _ action: SelectionAction = .select
  ) throws(MissingItem<ItemID>) {
    for item in items where paths[item] == nil { throw MissingItem(item: item) }
    let before = selected
    if action == .replace { selected = [] }
    for item in items {
      guard let section = paths[item].map({ sections[$0.section].id }) else { continue }
      let mode = selectionModes[section] ?? .multiple
      let isWanted =
        switch action {
        case .select, .replace: true
        case .deselect: false
        case .toggle: !selected.contains(item)
        }
      switch mode {
      case .none: continue
      case .single where isWanted:
        selected = selected.filter { paths[$0].map { sections[$0.section].id } != section }
      case .single(allowsEmpty: false): continue
      case .single, .multiple: break
      }
      if isWanted { selected.insert(item) } else { selected.remove(item) }
    }
    if selected != before { send(nil, before) }
  }

  /// Sets the cursor to an item, or nowhere.
  ///
  /// - Throws: ``MissingItem`` if the item is not in the source; then nothing has changed.
  public func moveCursor(to item: ItemID?) throws(MissingItem<ItemID>) {
    if let item, paths[item] == nil { throw MissingItem(item: item) }
    guard item != cursor else { return }
    cursor = item
    send(nil, selected)
  }

  /// Calls `body` with each change of the sections, as long as it returns true.
  func follow(_ body: @escaping (Changes) -> Bool) { followers.append(body) }

  private func send(_ changes: Changes?, _ before: Set<ItemID>) {
    let change = SourceChange(
      changes: changes ?? Changes(fromSections: sections, to: sections),
      newlySelected: selected.subtracting(before), deselected: before.subtracting(selected),
      cursor: cursor)
    for continuation in subscribers.values { continuation.yield(change) }
    if let changes, !changes.isEmpty { followers.removeAll { !$0(changes) } }
  }

  /// What may be selected of some items: of a section with a single selection the first.
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

  /// The item next to one of the old sections that is still here, else the one before.
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
