/// A widget of any type, for a feed whose widgets have different types.
///
/// ```swift
/// let widgets: [any Widget] = [story, poll]
/// let rows = widgets.widgetRows
/// ```
public struct AnyWidget: Widget, Sendable {
  /// The type and the id of the widget.
  public let id: AnyItem.ID

  /// The rows of the widget, in order.
  public let parts: [AnyItem]

  /// Creates a widget of its own type.
  public init<Base: Widget>(_ widget: Base) {
    id = AnyItem.ID(of: Base.self, widget.id, inSource: 0)
    parts = widget.parts.map { $0 as? AnyItem ?? AnyItem($0) }
  }
}
