import ListDiff

/// Something that a feed shows as several rows, such as a story with a picture, a text and buttons.
///
/// A widget is taken apart into primitive rows, each of which is inserted, moved and updated alone.
///
/// ```swift
/// let rows = stories.widgetRows
/// ```
public protocol Widget: Identifiable {
  /// One of the rows of a widget; its id is distinct in its widget.
  associatedtype Part: Identifiable & Equatable

  /// The rows of the widget, in order.
  var parts: [Part] { get }
}

/// A row that is a part of a widget.
public struct WidgetRow<WidgetID: Hashable, Part: Identifiable & Equatable>: Identifiable, Equatable
{
  /// The identity of a part: that of its widget and its own in it.
  public struct ID: Hashable {
    /// The id of the widget.
    public var widget: WidgetID
    /// The id of the part in its widget.
    public var part: Part.ID

    /// Makes the identity of a part.
    public init(widget: WidgetID, part: Part.ID) {
      self.widget = widget
      self.part = part
    }
  }

  /// The identity of the row.
  public var id: ID { ID(widget: widget, part: part.id) }

  /// The id of the widget that the row is a part of.
  public var widget: WidgetID

  /// What the row shows.
  public var part: Part

  /// Makes a row of a part.
  public init(widget: WidgetID, part: Part) {
    self.widget = widget
    self.part = part
  }
}

extension WidgetRow: Sendable where WidgetID: Sendable, Part: Sendable {}
extension WidgetRow.ID: Sendable where WidgetID: Sendable, Part.ID: Sendable {}

extension Sequence where Element: Widget {
  /// The rows of all widgets, in order.
  public var widgetRows: [WidgetRow<Element.ID, Element.Part>] {
    flatMap { widget in widget.parts.map { WidgetRow(widget: widget.id, part: $0) } }
  }
}

/// A section with a header and a footer.
///
/// Where either differs the section is updated; views of rows are chosen by their items.
public struct HeadedSection<ID: Hashable, Header: Equatable, Item>: ListSection {
  /// What tells the section from others.
  public var id: ID

  /// What the header shows.
  public var header: Header?

  /// What the footer shows.
  public var footer: Header?

  /// The items of the section, in order.
  public var items: [Item]

  /// Makes a section.
  public init(id: ID, header: Header? = nil, footer: Header? = nil, items: [Item] = []) {
    self.id = id
    self.header = header
    self.footer = footer
    self.items = items
  }

  /// Whether header and footer are the same.
  public func hasSameContent(as other: HeadedSection) -> Bool {
    header == other.header && footer == other.footer
  }
}

extension HeadedSection: Equatable where Item: Equatable {}
extension HeadedSection: Sendable where ID: Sendable, Header: Sendable, Item: Sendable {}
