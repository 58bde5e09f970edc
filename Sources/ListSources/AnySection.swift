import ListDiff

/// A section of any type, in a list whose sections have different types.
///
/// Sections are the same if they are in the same source of a ``Composed`` list and their ids are equal.
public struct AnySection: ListSection {
  /// The place of a source in a composed list, and the id of a section in that source.
  public struct ID: Hashable, Sendable {
    let source: Int
    let base: any Hashable & Sendable

    /// Returns whether the sources and the ids are equal.
    public static func == (a: ID, b: ID) -> Bool {
      a.source == b.source && isEqual(a.base, b.base)
    }

    /// Hashes the source and the id.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(base)
    }
  }

  /// The identity of the section.
  public let id: ID

  /// The section of the source, without its items.
  public let base: any ListSection

  /// The items of the section, in order.
  public var items: [AnyItem] = []

  /// The header, if the section is a ``HeadedSection`` whose headers are texts.
  public var header: String? { (base as? any TextHeaded)?.header }

  /// The footer, if the section is a ``HeadedSection`` whose footers are texts.
  public var footer: String? { (base as? any TextHeaded)?.footer }

  /// Creates a section without items.
  init<Base: ListSection>(_ section: Base, _ source: Int) where Base.ID: Sendable {
    id = ID(source: source, base: section.id)
    base = section
  }

  /// Returns whether the sections have one type and show the same content.
  public func hasSameContent(as other: AnySection) -> Bool { isSame(base, other.base) }
}

private func isSame<Section: ListSection>(_ section: Section, _ other: any ListSection) -> Bool {
  (other as? Section).map { section.hasSameContent(as: $0) } ?? false
}

/// A section with texts above and below it.
private protocol TextHeaded {
  var header: String? { get }
  var footer: String? { get }
}

extension HeadedSection: TextHeaded where Header == String {}
