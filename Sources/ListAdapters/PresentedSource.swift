import ListDiff
import ListSources

/// What a ``ListPresenter`` shows: a source, or an object of the app that has one.
///
/// A `ListSource`, what is made of it by methods such as `filtered(_:)`, and a `Composed` list are sources.
@MainActor public protocol PresentedSource: AnyObject {
  /// The type of the list's sections.
  associatedtype Section: ListSection
  where
    Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable

  /// The list, which is always the same.
  var presented: SectionSource<Section> { get }
}

extension SectionSource: PresentedSource {
  /// The source itself.
  public var presented: SectionSource<Section> { self }
}
