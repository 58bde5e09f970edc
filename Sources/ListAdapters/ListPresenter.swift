import ListDiff
import ListSources

/// Shows a list in a view: keeps what is shown, follows the source, and mirrors the selection.
///
/// A presenter is the data source of its view. Rows are registered by the type of their items:
///
/// ```swift
/// let screen = ListPresenter(people, in: TerminalList(height: 24, width: 80) { output += $0 })
///   .row(Person.self) { $0.name }
///   .header { $0.header }
///   .didSelect(Person.self) { called = $0.name }
/// ```
///
/// Edits of the source are shown in the next turn of the main actor, all of those of one turn at
/// once, or by ``update()``. The view is shown stage by stage, each with the list that it has after
/// the stage, whatever the source has by then. What the user selects in the view is selected in the
/// source, as far as its rules allow it, and the view then shows what is selected there.
///
/// In complexities, *n* is the number of items and sections.
@MainActor
public final class ListPresenter<Source: PresentedSource, Display: ListDisplay> {
  /// The type of the list's sections.
  public typealias Section = Source.Section

  /// The list that is followed.
  public let source: Source

  /// What shows the list.
  public let display: Display

  /// The sections that the view shows at present.
  public private(set) var sections: [Section]

  /// The paths of the items that the view shows as selected, in order.
  public private(set) var selectedPaths: [ListPath]

  /// The path of the item that the view shows as the cursor, or `nil` if there is no cursor.
  public private(set) var cursorPath: ListPath?

  /// The number of operations above which a change is shown by reloading everything.
  public var reloadLimit = 200

  /// Called with a description of what the presenter cannot show, such as an item without a row.
  ///
  /// It is called once with each description, and prints it by default.
  public var whenWarned: (String) -> Void = { debugPrint($0) }

  var history = ChangeHistory<Section>()

  private var revision: Int
  private var isShown = false
  private(set) var isUpdating = false
  private var warnings: Set<String> = []
  private var choiceHandlers: [(Any) -> Void] = []
  private let observer: AsyncStream<Void>.Continuation
  private let compare: ([Section], [Section]) -> Changes

  /// Shows a list in a display, from the next turn of the main actor or the first ``update()`` on.
  ///
  /// - Complexity: O(*n*).
  @_alwaysEmitIntoClient
  public convenience init(_ source: Source, display: Display) {
    // The comparison is specialized for the types of the caller.
    self.init(source, display, comparing: { Changes(fromSections: $0, to: $1) })
  }

  @usableFromInline
  init(
    _ source: Source, _ display: Display,
    comparing compare: @escaping ([Section], [Section]) -> Changes
  ) {
    self.compare = compare
    self.source = source
    self.display = display
    revision = source.revision
    sections = source.sections
    selectedPaths = source.selectedPaths
    cursorPath = source.cursorPath
    let (signals, observer) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.observer = observer
    source.notify(observer)
    display.list = self
    observer.yield()
    Task { [weak self] in
      for await _ in signals { self?.update() }
    }
  }

  deinit { observer.finish() }

  // MARK: Updates

  /// Shows what the source has at present.
  ///
  /// If this is called while a change is shown, for example by a cell that edits the source, the
  /// rest is shown after that change.
  ///
  /// - Complexity: The same as `init(fromSections:to:moves:)` of `Changes`; if only the selection
  ///   has changed, O(*k*) for *k* selected items.
  public func update() {
    if isUpdating { return }
    isUpdating = true
    if !isShown {
      isShown = true
      display.reload()
      display.showSelection(revealsCursor: false)
    }
    // A row that edits the source each time it is made is followed in the next turns.
    var rounds = 0
    repeat {
      updateOnce { history.record($0) }
      rounds += 1
    } while revision != source.revision && rounds < 8
    isUpdating = false
  }

  /// Shows what the source has at present, and calls `record` if the list has changed.
  private func updateOnce(_ record: (ShownChange<Section>) -> Void) {
    let (selected, cursor) = (selectedPaths, cursorPath)
    var kept = cursor
    var next: (changes: Changes, sections: [Section])?
    if source.revision != revision {
      revision = source.revision
      let new = source.sections
      let changes = changes(to: new)
      if !changes.isEmpty {
        record(
          ShownChange(
            old: sections, selected: selected, cursor: cursor, changes: changes, new: new))
      }
      kept = cursor.flatMap { changes.newPath(ofOld: $0) }
      next = (changes, new)
    }
    // The source may be edited while the change is shown.
    (selectedPaths, cursorPath) = (source.selectedPaths, source.cursorPath)
    if let next { show(next.changes, next.sections) }
    guard next?.changes.isEmpty == false || selected != selectedPaths || cursor != cursorPath else {
      return
    }
    display.showSelection(revealsCursor: cursorPath != nil && cursorPath != kept)
  }

  /// Returns the change from what is shown, in which items that need another view are reloaded.
  private func changes(to new: [Section]) -> Changes {
    let changes = compare(sections, new)
    if changes.rowCounts.updates == 0 { return changes }
    let map = changes.pathMap
    return changes.reloading { _ in
      false
    } row: { path in
      guard let item = map.oldPath(ofNew: path).flatMap({ item(at: $0) }) else { return false }
      return !display.canReuseView(of: item, for: new[path.section].items[path.row])
    }
  }

  private func show(_ changes: Changes, _ new: [Section]) {
    if !changes.isEmpty, display.showsStages, changes.opCount <= reloadLimit,
      let steps = try? changes.steps(fromSections: sections, to: new)
    {
      for step in steps {
        display.show(step.stage) { [self] in sections = step.data }
      }
    } else {
      sections = new
      if !changes.isEmpty { display.reload() }
    }
  }

  /// Makes the source have an earlier list, shows it, and calls `record` if the list has changed.
  ///
  /// Returns false if the source cannot do this.
  func restore(
    _ list: [Section], selected: [ListPath], cursor: ListPath?,
    _ record: (ShownChange<Section>) -> Void
  ) -> Bool {
    guard source.restore(list, selected: selected, cursor: cursor) else { return false }
    isUpdating = true
    updateOnce(record)
    isUpdating = false
    update()
    return true
  }

  // MARK: Choices of the user

  /// Calls a closure with each item of a type that the user selects.
  @discardableResult
  public func didSelect<Item>(_ type: Item.Type, _ body: @escaping (Item) -> Void) -> Self {
    choiceHandlers.append { if let item = value($0, as: type) { body(item) } }
    return self
  }

  /// Calls a closure with each item of a type that the user selects, and with an object, such as a
  /// view controller, to which the presenter refers weakly.
  @discardableResult
  public func didSelect<Item, Sender: AnyObject>(
    _ type: Item.Type, sender: Sender, _ body: @escaping (Item, Sender) -> Void
  ) -> Self {
    didSelect(type) { [weak sender] item in
      if let sender { body(item, sender) }
    }
  }

  /// Returns the paths in the source of items that are shown and that it has not deleted since.
  ///
  /// - Complexity: O(1) if the source has not changed since, else that of `Changes`.
  public func sourcePaths(of paths: [ListPath]) -> [ListPath] {
    if revision == source.revision { return paths.filter { item(at: $0) != nil } }
    let map = compare(sections, source.sections).pathMap
    return paths.compactMap { item(at: $0) == nil ? nil : map.newPath(ofOld: $0) }
  }
}

extension ListPresenter: PresentedList {
  /// The number of sections.
  public var sectionCount: Int { sections.count }

  /// Returns the number of items in a section, or 0 if there is no such section.
  public func itemCount(inSection section: Int) -> Int {
    sections.indices.contains(section) ? sections[section].items.count : 0
  }

  /// Returns the item at a path, or `nil` if there is none.
  public func item(at path: ListPath) -> Section.Item? {
    0..<itemCount(inSection: path.section) ~= path.row
      ? sections[path.section].items[path.row] : nil
  }

  /// Returns the item at a path, or `nil` if there is none.
  public func content(at path: ListPath) -> Any? { item(at: path) }

  /// Returns a section, or `nil` if there is none.
  public func content(ofSection section: Int) -> Any? {
    sections.indices.contains(section) ? sections[section] : nil
  }

  /// Changes the selection of the source, as far as it allows it, and moves its cursor to the last of
  /// some items; then calls the closures of `didSelect`.
  ///
  /// The paths are those of the list that is shown. Items that the source no longer has are ignored.
  public func choose(_ paths: [ListPath], _ action: SelectionAction) {
    let shown = Set(selectedPaths)
    let added = paths.count == 1 ? paths : paths.filter { !shown.contains($0) }
    let chosen = added.compactMap { item(at: $0) }
    let present = sourcePaths(of: paths)
    if !present.isEmpty || paths.isEmpty { source.select(at: present, action) }
    if let last = present.last { source.moveCursor(toPath: last) }
    update()
    // The view may have selected or deselected what the source did not.
    display.showSelection(revealsCursor: false)
    guard action != .deselect else { return }
    for item in chosen { for handle in choiceHandlers { handle(item) } }
  }

  /// Calls ``whenWarned``, once with each message.
  public func warn(_ message: String) {
    if warnings.insert(message).inserted { whenWarned(message) }
  }
}
