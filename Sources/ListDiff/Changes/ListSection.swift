/// A section of a list: an identity, its items, and other content such as a header.
///
/// ```swift
/// struct Folder: ListSection {
///   let id: String
///   var title: String
///   var items: [Mail]
///
///   func hasSameContent(as other: Folder) -> Bool { title == other.title }
/// }
/// ```
///
/// See `init(fromSections:to:moves:)` for items that are `Identifiable` and `Equatable`, and
/// ``Changes/init(fromSections:to:moves:id:sameContent:)`` for items of any type.
public protocol ListSection: Identifiable {
  /// The type of the section's items.
  associatedtype Item

  /// The items of the section, in order.
  ///
  /// Intermediate steps set them in copies of the section.
  var items: [Item] { get set }

  /// Returns whether the section shows the same content as another with the same identity, not
  /// counting items.
  ///
  /// By default a section has no content but its items, and the result is true.
  func hasSameContent(as other: Self) -> Bool
}

extension ListSection {
  /// Returns true: the section has no content but its items.
  public func hasSameContent(as other: Self) -> Bool { true }
}
