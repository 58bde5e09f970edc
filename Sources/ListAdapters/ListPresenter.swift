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
  ///
  /// - Complexity: O(*n*) for the first time after a change, otherwise O(1). To read single items, use
  ///   ``item(at:)``.
  public var sections: [Section] {
    if let listed { return listed }
    let sections = shown.sections
    listed = sections
    return sections
  }

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

  var history = EditHistory()

  /// What the view shows.
  private var shown: ListMirror<Section> {
    didSet { listed = nil }
  }

  /// The sections of the mirror, if they were read.
  private var listed: [Section]?

  private var list: SectionSource<Section> { source.presented }
  private var revision: Int
  private var isShown = false
  private(set) var isUpdating = false
  private var warnings: Set<String> = []
  private var choiceHandlers: [(Any) -> Void] = []
  private let observer: AsyncStream<Void>.Continuation
  private let compare: ([Section], [Section]) -> Changes

  /// Shows a list in a display, from the next turn of the main actor or the first ``update()`` on.
  ///
  /// - Complexity: O(*n*) with the first change of the source.
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
    let list = source.presented
    shown = ListMirror(of: list)
    revision = list.listRevision
    selectedPaths = list.selectedPaths
    cursorPath = list.cursorPath
    let (signals, observer) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.observer = observer
    list.add(observer)
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
  /// - Complexity: O(*k* log *n* + *s*) for *k* changed and selected items and *s* sections. If nearly all
  ///   items have changed, that of `init(fromSections:to:moves:)` of `Changes`.
  public func update() { update { history.record($0) } }

  /// Shows what the source has at present, and calls `record` with what undoes it if the list has changed.
  func update(recording record: (EditHistory.Step) -> Void) {
    if isUpdating { return }
    isUpdating = true
    if !isShown {
      isShown = true
      display.reload()
      display.showSelection(revealsCursor: false)
    }
    // A row that edits the source each time it is made is followed in the next turns.
    updateOnce(record)
    var rounds = 1
    while revision != list.listRevision && rounds < 8 {
      updateOnce { history.record($0) }
      rounds += 1
    }
    isUpdating = false
  }

  private func updateOnce(_ record: (EditHistory.Step) -> Void) {
    let (selected, cursor) = (selectedPaths, cursorPath)
    var kept = cursor
    var next: (change: ListMirror<Section>.Change, shown: Changes)?
    if list.listRevision != revision {
      revision = list.listRevision
      let change = shown.change(of: list, comparing: compare)
      if !change.changes.isEmpty { record(history.takeEdits()) }
      kept = cursor.flatMap { change.changes.newPath(ofOld: $0) }
      next = (change, reloadingViews(change))
    }
    history.noteSelection()
    // The source may be edited while the change is shown.
    (selectedPaths, cursorPath) = (list.selectedPaths, list.cursorPath)
    if let next { show(next.shown, next.change) }
    guard next?.shown.isEmpty == false || selected != selectedPaths || cursor != cursorPath else {
      return
    }
    display.showSelection(revealsCursor: cursorPath != nil && cursorPath != kept)
  }

  /// Returns the change from what is shown, in which items that need another view are reloaded.
  private func reloadingViews(_ change: ListMirror<Section>.Change) -> Changes {
    if change.changes.rowCounts.updates == 0 { return change.changes }
    let map = change.changes.pathMap
    return change.changes.reloading(sections: false) { path in
      guard let old = map.oldPath(ofNew: path).flatMap({ item(at: $0) }),
        let new = change.item(at: path)
      else { return false }
      return !display.canReuseView(of: old, for: new)
    }
  }

  private func show(_ changes: Changes, _ change: ListMirror<Section>.Change) {
    guard !changes.isEmpty, display.showsStages, changes.opCount <= reloadLimit else {
      shown.adopt(change)
      if !changes.isEmpty { display.reload() }
      return
    }
    for (index, stage) in changes.stages.enumerated() {
      display.show(stage) { [self] in shown.adopt(change, stage: index) }
    }
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
  /// - Complexity: O(*k* log *n*) for *k* paths.
  public func sourcePaths(of paths: [ListPath]) -> [ListPath] {
    paths.compactMap { item(at: $0).flatMap { list.path(of: $0.id) } }
  }
}

extension ListPresenter: PresentedList {
  /// The number of sections.
  public var sectionCount: Int { shown.sectionCount }

  /// Returns the number of items in a section, or 0 if there is no such section.
  public func itemCount(inSection section: Int) -> Int { shown.itemCount(inSection: section) }

  /// Returns the item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func item(at path: ListPath) -> Section.Item? { shown.item(at: path) }

  /// Returns the item at a path, or `nil` if there is none.
  public func content(at path: ListPath) -> Any? { item(at: path) }

  /// Returns a section without its items, or `nil` if there is none.
  public func content(ofSection section: Int) -> Any? { shown.section(at: section) }

  /// Changes the selection of the source, as far as it allows it, and moves its cursor to the last of
  /// some items; then calls the closures of `didSelect`.
  ///
  /// The paths are those of the list that is shown. Items that the source no longer has are ignored.
  public func choose(_ paths: [ListPath], _ action: SelectionAction) {
    let shown = Set(selectedPaths)
    let added = paths.count == 1 ? paths : paths.filter { !shown.contains($0) }
    let chosen = added.compactMap { item(at: $0) }
    let present = paths.compactMap { item(at: $0)?.id }.filter { list.path(of: $0) != nil }
    // The items are in the source.
    if !present.isEmpty || paths.isEmpty { try? list.select(present, action) }
    if let last = present.last { try? list.moveCursor(to: last) }
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
