import FuzzyMatch
import JSONBytes
import ListState

/// The definition of a view: which items of its sources it has, in which order and in which
/// sections.
package struct ViewDefinition: ViewRules {
  /// The division of the items into sections.
  package enum Sections: Sendable {
    /// The sections of the sources.
    case keep

    /// One section.
    case merge

    /// A section for each value of a member, by the index of the member in `members`.
    case by(Int)
  }

  package let source: [UInt8]
  package var sourceWithoutWindow: [UInt8] = []

  /// The members that are read from each item.
  package var members = MemberPaths()

  /// The condition that items have to satisfy; `nil` if there is none.
  package var condition: Condition?

  /// The match that items have to satisfy; `nil` if there is none.
  package var match: ViewMatch?

  /// The member of which the first item with each value is kept.
  package var distinct: Int?

  /// The rules of an outline; `nil` if the items are a list.
  package var outline: OutlineRules?
  package var sort: [SortKey] = []

  /// Whether items are sorted by how well they match.
  package var sortsByScore = false
  package var sections = Sections.keep
  package var window: ViewWindow?
  package var selectsInSources = false
  package var selectionMode: SelectionMode?
  package var allowsEmptySelection: Bool?

  /// Creates the definition of a view of all items, with its JSON as a client wrote it.
  package init(source: [UInt8]) { self.source = source }

  package var hidesEmptySections: Bool {
    condition != nil || match != nil || distinct != nil || window != nil
  }
}

/// A query, and the members in which it is searched.
package struct ViewMatch: Sendable {
  package let query: Query
  package let members: [[UInt8]]

  /// Creates a match of a query in some members, at least one.
  package init(_ query: Query, in members: [[UInt8]]) {
    self.query = query
    self.members = members
  }
}

/// A key by which items are sorted.
package struct SortKey: Sendable {
  /// What is compared.
  package enum Subject: Sendable, Equatable {
    /// A member, by its index in `members`.
    case member(Int)

    /// The position of the item's source.
    case source

    /// The score of the match.
    case score

    /// The number of code points of the members in which the query was found.
    case length
  }

  package var subject: Subject
  package var isDescending = false

  /// Whether strings are compared in natural order.
  package var isNatural = false

  /// Creates a key in ascending order.
  package init(_ subject: Subject) { self.subject = subject }
}
