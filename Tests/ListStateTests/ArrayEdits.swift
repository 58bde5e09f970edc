@testable import ListState

/// The keys of a list's sections and items as arrays, and edits of them. Each item has a number that no
/// other item has.
struct ArrayEdits {
  struct Item: Hashable {
    var number: Int
    var key: UInt32
  }

  struct Section {
    var key: UInt32
    var items: [Item]
  }

  private(set) var sections: [Section] = []
  private var count = 0

  /// An edit that cannot be made.
  struct Failure: Error {}

  init(_ snapshot: Snapshot) {
    for (index, key) in snapshot.arrangement.sections.enumerated() {
      let keys = snapshot.arrangement.rows[snapshot.arrangement.range(ofSection: index)]
      sections.append(Section(key: key, items: items(keys)))
    }
  }

  /// The keys of the items of each section.
  var keys: [[UInt32]] { sections.map { $0.items.map(\.key) } }

  /// Makes edits of items, and deletes sections. No reference is to an older revision.
  mutating func make(_ edits: Edits) throws(Failure) {
    let new = edits.newContent.arrangement.rows
    for edit in edits.edits {
      switch edit {
      case .appendItems(let given, let section):
        sections[try index(of: section)].items += items(new[given.items])
      case .insertItems(let given, let anchor):
        let place = try place(of: anchor)
        sections[place.section].items.insert(
          contentsOf: items(new[given.items]), at: place.index)
      case .deleteItems(let references): for item in try find(references) { remove(item) }
      case .moveItems(let references, let anchor):
        let moved = try find(references)
        let other = try find(anchor.item)
        guard !moved.contains(other) else { throw Failure() }
        for item in moved { remove(item) }
        let place = try position(of: other)
        sections[place.section].items.insert(
          contentsOf: moved, at: place.index + (anchor.isAfter ? 1 : 0))
      case .moveItemsToSection(let references, let section):
        let moved = try find(references)
        let section = try index(of: section)
        for item in moved { remove(item) }
        sections[section].items += moved
      case .putItems(let given, let section):
        var added: [UInt32] = []
        var seen: [UInt32: Int] = [:]
        for key in new[given.items] {
          if seen[key, default: 0] >= all.count(where: { $0.key == key }) { added.append(key) }
          seen[key, default: 0] += 1
        }
        if added.isEmpty { continue }
        sections[try index(of: section)].items += items(added)
      case .touchItems(let references, _): _ = try find(references)
      case .deleteSections(let references):
        let keys = try references.map { reference throws(Failure) in
          sections[try index(of: reference)].key
        }
        sections.removeAll { keys.contains($0.key) }
      default: preconditionFailure("no other edit is drawn")
      }
    }
  }

  private var all: [Item] { sections.flatMap(\.items) }

  private mutating func items(_ keys: some Sequence<UInt32>) -> [Item] {
    keys.map { key in
      count += 1
      return Item(number: count, key: key)
    }
  }

  private mutating func remove(_ item: Item) {
    for section in sections.indices { sections[section].items.removeAll { $0 == item } }
  }

  private func index(of section: SectionReference?) throws(Failure) -> Int {
    let index =
      section == nil ? sections.indices.last : sections.firstIndex { $0.key == section!.key }
    guard let index else { throw Failure() }
    return index
  }

  /// Returns the items that references name, each once.
  private func find(_ references: [ItemReference]) throws(Failure) -> [Item] {
    var found: [Item] = []
    for reference in references {
      let item = try find(reference)
      if !found.contains(item) { found.append(item) }
    }
    return found
  }

  private func find(_ reference: ItemReference) throws(Failure) -> Item {
    var found: Item?
    switch reference {
    case .id(let key, let occurrence, _):
      found = all.filter { $0.key == key }.dropFirst(occurrence).first
    case .path(let section, let row, _):
      if sections.indices.contains(section), sections[section].items.indices.contains(row) {
        found = sections[section].items[row]
      }
    }
    guard let found else { throw Failure() }
    return found
  }

  private func position(of item: Item) throws(Failure) -> (section: Int, index: Int) {
    for (section, content) in sections.enumerated() {
      if let index = content.items.firstIndex(of: item) { return (section, index) }
    }
    throw Failure()
  }

  private func place(of anchor: AnchoredItem) throws(Failure) -> (section: Int, index: Int) {
    let place = try position(of: find(anchor.item))
    return (place.section, place.index + (anchor.isAfter ? 1 : 0))
  }
}
