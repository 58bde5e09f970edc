import ListDiff
import ListSources

/// A list that changes, as a ``ListPresenter`` shows it.
///
/// `ListSource` and `ComposedSource` are such lists.
@MainActor public protocol PresentedSource: AnyObject {
  /// The type of the list's sections.
  associatedtype Section: ListSection where Section.Item: Identifiable & Equatable

  /// A number that differs from all earlier ones if the sections or items have changed.
  var revision: Int { get }

  /// The present sections with their items.
  var sections: [Section] { get }

  /// The paths of the selected items, in order.
  var selectedPaths: [ListPath] { get }

  /// The path of the item at the cursor, or `nil` if there is no cursor.
  var cursorPath: ListPath? { get }

  /// Sends a value to a stream with each change of items, selection or cursor, until the stream ends.
  func notify(_ observer: AsyncStream<Void>.Continuation)

  /// Changes the selection as far as the list allows it, given paths of present items.
  func select(at paths: [ListPath], _ action: SelectionAction)

  /// Moves the cursor to a present item.
  func moveCursor(toPath path: ListPath)

  /// Replaces the sections, the selection and the cursor by earlier ones.
  ///
  /// Returns false, and changes nothing, if the list cannot do this.
  func restore(_ sections: [Section], selected: [ListPath], cursor: ListPath?) -> Bool
}

extension ListSource: PresentedSource {
  /// The number of the last change of sections or items.
  public var revision: Int { listRevision }

  /// The path of the item at the cursor, or `nil` if there is no cursor.
  ///
  /// - Complexity: O(log *n*).
  public var cursorPath: ListPath? { cursor.flatMap { path(of: $0) } }

  /// Sends a value to a stream with each change, until the stream ends.
  public func notify(_ observer: AsyncStream<Void>.Continuation) { add(observer) }

  /// Changes the selection as far as the modes of the sections allow it; paths without an item are
  /// ignored.
  ///
  /// - Complexity: The same as `select(_:_:)`.
  public func select(at paths: [ListPath], _ action: SelectionAction) {
    // The items are in the source.
    try? select(paths.compactMap { item(at: $0)?.id }, action)
  }

  /// Moves the cursor to the item at a path, if there is one.
  ///
  /// - Complexity: O(log *n*).
  public func moveCursor(toPath path: ListPath) {
    if let item = item(at: path) { try? moveCursor(to: item.id) }
  }

  /// Replaces the sections, the selection and the cursor by earlier ones.
  ///
  /// - Complexity: The same as `apply(_:)`.
  public func restore(
    _ sections: [Section], selected: [ListPath], cursor: ListPath?
  ) -> Bool {
    apply(sections)
    batch {
      deselectAll()
      select(at: selected, .select)
      try? moveCursor(to: cursor.flatMap { item(at: $0)?.id })
    }
    return true
  }
}

extension ComposedSource: PresentedSource {
  /// A number that grows with each change of a source.
  ///
  /// - Complexity: O(*c*), where *c* is the number of sources.
  public var revision: Int { sources.reduce(0) { $0 + $1.revision } }

  /// The paths of the selected items of all sources, in order.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of selected items.
  public var selectedPaths: [ListPath] {
    sources.indices.flatMap { source in
      sources[source].selectedPaths.map { path($0, ofSource: source) }
    }
  }

  /// The path of the first cursor of a source, or `nil` if none has one.
  public var cursorPath: ListPath? {
    for (index, source) in sources.enumerated() {
      if let path = source.cursorPath { return self.path(path, ofSource: index) }
    }
    return nil
  }

  /// Sends a value to a stream with each change of a source.
  public func notify(_ observer: AsyncStream<Void>.Continuation) {
    for source in sources { source.notify(observer) }
  }

  /// Changes the selection of the sources of some paths; ``SelectionAction/replace`` also deselects
  /// the items of the other sources.
  public func select(at paths: [ListPath], _ action: SelectionAction) {
    let located = paths.compactMap { locate($0) }
    // A source may be in the composition more than once.
    for (index, source) in sources.enumerated()
    where sources.firstIndex(where: { $0 === source }) == index {
      let own = located.filter { sources[$0.source] === source }.map { $0.path }
      if !own.isEmpty || action == .replace { source.select(at: own, action) }
    }
  }

  /// Moves the cursor to an item of a source, and removes it from the other sources.
  public func moveCursor(toPath path: ListPath) {
    guard let located = locate(path) else { return }
    let target = sources[located.source]
    target.moveCursor(toPath: located.path)
    // Removing the cursor cannot fail.
    for source in sources where source !== target { try? source.moveCursor(to: nil) }
  }

  /// Returns false: which source a section belonged to is not known.
  public func restore(
    _ sections: [Section], selected: [ListPath], cursor: ListPath?
  ) -> Bool {
    false
  }
}
