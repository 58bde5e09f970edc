import ListDiff
import ListSources

/// A view, or the object between it and a ``ListPresenter``, that shows what the presenter's list has.
///
/// The presenter calls these methods; the display reads the ``PresentedList`` and reports what the
/// user selects. The library has displays for table views, collection views and terminals; an app may
/// have its own.
@MainActor public protocol ListDisplay: AnyObject {
  /// The list to show, which the presenter sets once.
  ///
  /// The display refers to it weakly.
  var list: (any PresentedList)? { get set }

  /// Whether changes can be shown by stages; if not, the display reloads everything.
  var showsStages: Bool { get }

  /// Reports whether the view of an item can show an updated one, or that needs another view.
  func canReuseView(of item: Any, for updated: Any) -> Bool

  /// Shows the present list anew.
  func reload()

  /// Shows a stage of a change.
  ///
  /// `setList` makes the list the one after the stage. It must be called once, where the view expects
  /// its data source to change.
  func show(_ stage: Changes.Stage, setList: @escaping () -> Void)

  /// Shows which items are selected, and the cursor.
  ///
  /// If `revealsCursor`, the cursor has moved to another item, which is scrolled into view.
  func showSelection(revealsCursor: Bool)
}

/// The list that a ``ListDisplay`` shows, which is not yet that of the source while stages are shown.
@MainActor public protocol PresentedList: AnyObject {
  /// The number of sections.
  var sectionCount: Int { get }

  /// Returns the number of items in a section, or 0 if there is no such section.
  func itemCount(inSection section: Int) -> Int

  /// Returns the item at a path, or `nil` if there is none.
  func content(at path: ListPath) -> Any?

  /// Returns a section without its items, or `nil` if there is none.
  func content(ofSection section: Int) -> Any?

  /// The paths of the selected items, in order.
  var selectedPaths: [ListPath] { get }

  /// The path of the item at the cursor, or `nil` if there is no cursor.
  var cursorPath: ListPath? { get }

  /// Changes the selection, as the user has done in the view.
  func choose(_ paths: [ListPath], _ action: SelectionAction)

  /// Reports something that the list cannot show.
  func warn(_ message: String)
}

/// An item that has another one as its content, which may be of any type.
///
/// Rows are registered for the type of the content.
public protocol ContentWrapping {
  /// The content.
  var wrappedContent: Any { get }
}

extension WidgetRow: ContentWrapping {
  /// The part of the widget.
  public var wrappedContent: Any { part }
}

extension AnyItem: ContentWrapping {
  /// The item.
  public var wrappedContent: Any { base }
}

extension AnySection: ContentWrapping {
  /// The section.
  public var wrappedContent: Any { base }
}

/// Returns an item as a value of a type, or its content, or `nil` if neither has the type.
func value<Value>(_ item: Any, as type: Value.Type) -> Value? {
  if let value = item as? Value { return value }
  guard let item = item as? any ContentWrapping else { return nil }
  return value(item.wrappedContent, as: type)
}

/// How items of several types are shown: for each item, the first kind that applies to it.
struct Kinds<Kind> {
  private var kinds: [(has: (Any) -> Bool, kind: Kind)] = []

  mutating func add<Item>(_ type: Item.Type, _ condition: ((Item) -> Bool)? = nil, _ kind: Kind) {
    let has = { (item: Any) in value(item, as: type).map { condition?($0) ?? true } ?? false }
    kinds.append((has, kind))
  }

  subscript(item: Any) -> Kind? { index(of: item).map { kinds[$0].kind } }

  /// Returns the index of the kind of an item, or `nil` if it has none.
  func index(of item: Any) -> Int? { kinds.firstIndex { $0.has(item) } }
}
