import JSONBytes
import ListState

/// Which items of its sources a view has, in which order and in which sections.
package struct ViewDefinition: ViewRules {
  /// How the items are divided into sections.
  package enum Sections: Sendable {
    /// As they are in the sources.
    case keep

    /// Into one.
    case merge

    /// Into one for each value of a member, by its index among the members that are read.
    case by(Int)
  }

  package let source: [UInt8]

  /// The members that are read of each item.
  package var members = MemberPaths()

  /// What an item has to satisfy; nil if all do.
  package var condition: Condition?

  /// The member of which each value is kept once.
  package var distinct: Int?
  package var sort: [SortKey] = []
  package var sections = Sections.keep
  package var window: ViewWindow?
  package var selectsInSources = false
  package var selectionMode: SelectionMode?
  package var allowsEmptySelection: Bool?

  /// A view of all items, by a definition as a client wrote it.
  package init(source: [UInt8]) { self.source = source }

  package var hidesEmptySections: Bool { condition != nil || distinct != nil || window != nil }
}

/// What items are sorted by.
package struct SortKey: Sendable {
  /// What of an item is compared.
  package enum Subject: Sendable {
    /// A member, by its index among the members that are read.
    case member(Int)

    /// The position of its source.
    case source
  }

  package var subject: Subject
  package var isDescending = false

  /// Whether strings are compared as people would.
  package var isNatural = false

  /// The values of something, in ascending order.
  package init(_ subject: Subject) { self.subject = subject }
}
