/// A section of a list: an identity, items, and what else it shows, such as a header.
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
/// See `init(fromSections:to:moves:)`, for which items are `Identifiable` and
/// `Equatable`, and ``Changes/init(fromSections:to:moves:id:sameContent:)``, for which they may be
/// anything.
public protocol ListSection: Identifiable {
  /// What the rows of a section show.
  associatedtype Item

  /// The items of the section, in order; set in copies that show the list between two stages.
  var items: [Item] { get set }

  /// Whether the section shows the same as another with the same identity, its items aside.
  ///
  /// Sections that do not say show nothing but their items, and so the same.
  func hasSameContent(as other: Self) -> Bool
}

extension ListSection {
  /// True: the section shows nothing but its items.
  public func hasSameContent(as other: Self) -> Bool { true }
}
