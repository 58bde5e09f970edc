import ListDiff

@testable import ListSources

/// A source that is edited at random: single edits, batches, batches that fail, and new lists.
@MainActor final class EditedSource {
  let source: ListSource<Section>
  var random: Numbers
  private var next = 0

  /// Creates a source with about `count` rows, in up to three sections.
  init(seed: UInt64, count: Int) {
    random = Numbers(state: seed)
    source = ListSource(sections: [])
    for id in ["a", "b", "c"].prefix(1 + below(3)) {
      _ = try? source.appendSections([
        Section(id: id, header: id, items: (0..<below(count + 1)).map { _ in row() })
      ])
    }
  }

  func below(_ bound: Int) -> Int { random.next(below: max(1, bound)) }

  private func row() -> Row {
    next += 1
    return Row(id: next, text: "\(below(6))")
  }

  /// An item of the source.
  var item: Int {
    let section = below(source.sectionCount)
    let path = ListPath(section: section, row: below(source.itemCount(inSection: section)))
    return source.item(at: path)?.id ?? -1
  }

  private var section: String {
    source.section(at: below(source.sectionCount))?.id ?? "none"
  }

  /// Makes a few edits, some of which may be refused.
  func edit() {
    switch below(24) {
    case 0: source.apply(changed(source.sections))
    case 1: source.apply(source.sections.shuffled(using: &random))
    case 2:
      _ = try? source.batch { () throws(ListSource<Section>.Failure) in
        for _ in 0..<3 { editOnce() }
        throw .noSections
      }
    case 3, 4: source.batch { for _ in 0..<8 { editOnce() } }
    case 5: for _ in 0..<100 { editOnce() }
    default: for _ in 0..<1 + below(3) { editOnce() }
    }
  }

  private func changed(_ list: [Section]) -> [Section] {
    var list = list
    for index in list.indices where below(2) == 0 {
      list[index].items.shuffle(using: &random)
      list[index].items.removeLast(below(list[index].items.count))
      list[index].items.append(row())
    }
    return list
  }

  private func editOnce() {
    switch below(16) {
    case 0: _ = try? source.appendItems([row(), row()], toSection: section)
    case 1, 2: _ = try? source.insertItems([row()], afterItem: item)
    case 3: _ = try? source.insertItems([row(), row()], beforeItem: item)
    case 4, 5: _ = try? source.deleteItems([item])
    case 6, 7: _ = try? source.moveItem(item, beforeItem: item)
    case 8: _ = try? source.moveItems([item], toSection: section)
    case 9, 10, 11: _ = try? source.updateItems([Row(id: item, text: "\(below(6))")])
    case 12: _ = try? source.updateSections([Section(id: section, header: "\(below(9))")])
    case 13: _ = try? source.moveSection(section, beforeSection: section)
    case 14 where source.sectionCount < 5:
      _ = try? source.insertSections(
        [Section(id: "new \(below(5))", items: [row()])], beforeSection: section)
    case 15 where source.sectionCount > 3: _ = try? source.deleteSections([section])
    default: break
    }
  }
}

extension ListSource {
  /// The sections, which all items of the source make with `change`.
  func map(_ change: ([Section.Item]) -> [Section.Item]) -> [Section] {
    sections.map { section in
      var section = section
      section.items = change(section.items)
      return section
    }
  }
}
