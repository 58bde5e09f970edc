import FuzzyMatch
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
  package var sourceWithoutWindow: [UInt8] = []

  /// The members that are read of each item.
  package var members = MemberPaths()

  /// What an item has to satisfy; nil if all do.
  package var condition: Condition?

  /// What the texts of an item have to match.
  package var match: ViewMatch?

  /// The member of which each value is kept once.
  package var distinct: Int?

  /// What makes an outline of the items.
  package var outline: OutlineRules?
  package var sort: [SortKey] = []

  /// Whether items are sorted by how well they match.
  package var sortsByScore = false
  package var sections = Sections.keep
  package var window: ViewWindow?
  package var selectsInSources = false
  package var selectionMode: SelectionMode?
  package var allowsEmptySelection: Bool?

  /// A view of all items, by a definition as a client wrote it.
  package init(source: [UInt8]) { self.source = source }

  package var hidesEmptySections: Bool {
    condition != nil || match != nil || distinct != nil || window != nil
  }
}

/// A query, and the members of items in which it is looked for.
package struct ViewMatch: Sendable {
  package let query: Query
  package let paths: [[[UInt8]]]

  /// A query for members, one at least.
  package init(_ query: Query, in paths: [[[UInt8]]]) {
    self.query = query
    self.paths = paths
  }
}

/// What items are sorted by.
package struct SortKey: Sendable {
  /// What of an item is compared.
  package enum Subject: Sendable {
    /// A member, by its index among the members that are read.
    case member(Int)

    /// The position of its source.
    case source

    /// How well it matches.
    case score

    /// The number of code points of the members in which something was matched.
    case length
  }

  package var subject: Subject
  package var isDescending = false

  /// Whether strings are compared as people would.
  package var isNatural = false

  /// The values of something, in ascending order.
  package init(_ subject: Subject) { self.subject = subject }
}
