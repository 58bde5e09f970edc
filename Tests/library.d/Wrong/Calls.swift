import ListAdapters
import ListDiff
import ListSources
import UIKit

/// Calls that are not possible, each with a part of what the compiler says.

class Model {}

struct Named: Identifiable { var id: Int }

func compare(_ models: [Model], _ named: [Named], _ any: [any Identifiable & Equatable]) {
  _ = Changes(from: models, to: models)
  // expected-error@-1 {{make items Identifiable and Equatable, or pass sameContent:}}
  _ = Changes(from: named, to: named)
  // expected-error@-1 {{make items Identifiable and Equatable, or pass sameContent:}}
  _ = Changes(from: any, to: any)
  // expected-error@-1 {{make items Identifiable and Equatable, or pass sameContent:}}
  _ = Changes(from: named, to: named, id: \.id)
  // expected-error@-1 {{make the items Equatable, or pass sameContent:, too}}
  _ = Changes(fromSections: [1], to: [2])
  // expected-error@-1 {{these are not sections; call Changes(from:to:) with items}}
}

struct Contact: Identifiable, Equatable, Sendable { var id: Int }

@MainActor func show(_ table: UITableView, _ collection: UICollectionView, _ contacts: [Contact]) {
  let changes = Changes(from: contacts, to: [])
  table.performBatchUpdates(changes)
  // expected-error@-1 {{show each stage: for step in try changes.steps(from:to:)}}
  collection.performBatchUpdates(changes)
  // expected-error@-1 {{show each stage: for step in try changes.steps(from:to:)}}
  _ = ListSource(contacts)
  // expected-error@-1 {{items are in sections: [HeadedSection(id: 0, items: items)]}}
  let sections = [HeadedSection(id: 0, header: "A", items: contacts)]
  _ = ListSource(sections)
  // expected-error@-1 {{'init(_:)' has been renamed to 'init(sections:)'}}
}
