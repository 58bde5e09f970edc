import ListDiff

/// An element of a feed that is shown as several rows, for example a story with a picture, a text
/// and buttons.
///
/// A widget is split into rows, each of which is inserted, moved and updated on its own.
///
/// ```swift
/// let rows = stories.widgetRows
/// ```
public protocol Widget: Identifiable where ID: Sendable {
  /// The type of the rows. The id of a part is unique in its widget.
  associatedtype Part: Identifiable & Equatable & Sendable where Part.ID: Sendable

  /// The rows of the widget, in order.
  var parts: [Part] { get }
}

/// A row that shows a part of a widget.
public struct WidgetRow<WidgetID: Hashable, Part: Identifiable & Equatable>: Identifiable, Equatable
{
  /// The identity of a row: the id of the widget and the id of the part.
  public struct ID: Hashable {
    /// The id of the widget.
    public var widget: WidgetID
    /// The id of the part in its widget.
    public var part: Part.ID

    /// Creates the identity of a row.
    public init(widget: WidgetID, part: Part.ID) {
      self.widget = widget
      self.part = part
    }
  }

  /// The identity of the row.
  public var id: ID { ID(widget: widget, part: part.id) }

  /// The id of the widget to which the row belongs.
  public var widget: WidgetID

  /// The content of the row.
  public var part: Part

  /// Creates a row for a part.
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

extension Sequence where Element == any Widget {
  /// The rows of all widgets, which may have different types, in order.
  public var widgetRows: [WidgetRow<AnyItem.ID, AnyItem>] { map { AnyWidget($0) }.widgetRows }
}

/// A section with a header and a footer.
///
/// If either differs, the section is updated.
public struct HeadedSection<ID: Hashable, Header: Equatable, Item>: ListSection {
  /// The identity of the section.
  public var id: ID

  /// The content of the header.
  public var header: Header?

  /// The content of the footer.
  public var footer: Header?

  /// The items of the section, in order.
  public var items: [Item]

  /// Creates a section.
  public init(id: ID, header: Header? = nil, footer: Header? = nil, items: [Item] = []) {
    self.id = id
    self.header = header
    self.footer = footer
    self.items = items
  }

  /// Returns whether the headers and the footers are equal.
  public func hasSameContent(as other: HeadedSection) -> Bool {
    header == other.header && footer == other.footer
  }
}

extension HeadedSection: Equatable where Item: Equatable {}
extension HeadedSection: Sendable where ID: Sendable, Header: Sendable, Item: Sendable {}
extension HeadedSection: Encodable where ID: Encodable, Header: Encodable, Item: Encodable {}
extension HeadedSection: Decodable where ID: Decodable, Header: Decodable, Item: Decodable {}
extension HeadedSection: Hashable where Header: Hashable, Item: Hashable {}
