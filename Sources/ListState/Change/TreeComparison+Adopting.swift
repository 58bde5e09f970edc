import ListDiff
import SumTrees

extension TreeComparison {
  /// Lists the sections of both sides of an adoption. A run of equal items is a block.
  ///
  /// - Complexity: O(*s* + *k* log *n*), where *k* is the number of runs and of items in none of them.
  mutating func list(_ adoption: Adoption, _ tree: ListTree) {
    var lister = AdoptionLister(adoption, tree)
    let (old, new) = (adoption.oldSections, adoption.newSections)
    let (oldStarts, newStarts) = (adoption.oldStarts, adoption.newStarts)
    var partners = [Int](repeating: -1, count: tree.sections.count)
    for (index, section) in old.enumerated() { partners[section] = index }
    let areSame = lister.areUnchanged(new, partners, oldStarts, newStarts)
    listsAll = old != new
    if !listsAll {
      for index in new.indices where !areSame[index] {
        let section = new[index]
        self.old.begin(section, of: tree, index: index, at: adoption.position(ofOld: index))
        lister.addOld(oldStarts[index]..<oldStarts[index + 1], to: &self)
        self.new.begin(section, of: tree, index: index, at: adoption.position(ofNew: index))
        lister.addNew(newStarts[index]..<newStarts[index + 1], to: &self)
      }
      return
    }
    // Consecutive sections that are unchanged, and were consecutive before, are listed as one.
    var next = 0
    // For each old section that is the first of some in the new list, their number and key.
    var runs: [Int: (count: Int, first: Int, key: UInt32)] = [:]
    while next < new.count {
      let first = next
      next += 1
      guard areSame[first] else {
        self.new.begin(new[first], of: tree, index: first, at: adoption.position(ofNew: first))
        lister.addNew(newStarts[first]..<newStarts[first + 1], to: &self)
        continue
      }
      while next < new.count, areSame[next], partners[new[next]] == partners[new[next - 1]] + 1 {
        next += 1
      }
      let key = newKey()
      runs[partners[new[first]]] = (next - first, first, key)
      self.new.begin(
        new[first], of: tree, index: first, count: next - first,
        at: adoption.position(ofNew: first))
      self.new.addBlock(key, newStarts[first]..<newStarts[next], adoption, tree.parts)
    }
    next = 0
    while next < old.count {
      let (first, run) = (next, runs[next])
      next += run?.count ?? 1
      self.old.begin(
        old[first], of: tree, index: first, count: next - first,
        at: adoption.position(ofOld: first))
      if let run {
        let items = newStarts[run.first]..<newStarts[run.first + run.count]
        self.old.addBlock(run.key, items, adoption, tree.parts)
      } else {
        lister.addOld(oldStarts[first]..<oldStarts[next], to: &self)
      }
    }
  }
}

/// The runs of an adoption while its sections are listed.
private struct AdoptionLister {
  private let adoption: Adoption
  private let tree: ListTree
  private let runs: [MatchedRun]
  private let byOld: [Int]

  /// By old index, the new indices of equal items that are in no run.
  private var sameItems: [Int: Int] = [:]

  /// The keys of the blocks that runs are listed as.
  private var keys: [UInt32?]

  init(_ adoption: Adoption, _ tree: ListTree) {
    self.adoption = adoption
    self.tree = tree
    // An item that was selected or deselected is not part of a block.
    let marked = tree.itemsWithChangedSelection
    runs = adoption.runs.removing(marked)
    byOld = marked.isEmpty ? adoption.byOld : runs.byOld
    for item in marked {
      let run = adoption.runs.indices.partitioned { Int(adoption.runs[$0].newEnd) <= item }
      guard run < adoption.runs.count, Int(adoption.runs[run].new) <= item else { continue }
      sameItems[Int(adoption.runs[run].old) + item - Int(adoption.runs[run].new)] = item
    }
    keys = Array(repeating: nil, count: runs.count)
  }

  /// Returns for each new section whether it has the items and members that it had before.
  func areUnchanged(
    _ sections: [Int], _ partners: [Int], _ oldStarts: [Int32], _ newStarts: [Int32]
  ) -> [Bool] {
    var next = 0
    return sections.enumerated().map { index, section in
      let (start, end) = (newStarts[index], newStarts[index + 1])
      while next < runs.count, runs[next].new < start { next += 1 }
      guard partners[section] >= 0, tree.change.sections[section] == nil else { return false }
      let old = oldStarts[partners[section]]
      guard oldStarts[partners[section] + 1] - old == end - start else { return false }
      return start == end
        || next < runs.count
          && runs[next]
            == MatchedRun(
              old: Int(old), new: Int(start), count: Int(end - start))
    }
  }

  private func record(at item: Int) -> ItemRecord {
    tree.record(at: tree.location(at: item)!)
  }

  private mutating func block(
    ofRun run: Int, _ comparison: inout TreeComparison
  ) -> TreeComparison.Entry {
    if keys[run] == nil { keys[run] = comparison.newKey() }
    let (first, count) = (runs[run].new, runs[run].count)
    return .block(
      key: keys[run]!, count: count, rows: adoption.rowCount(of: first..<first + count))
  }

  /// Adds the new items of a section.
  mutating func addNew(_ items: Range<Int32>, to comparison: inout TreeComparison) {
    var run = runs.indices.partitioned { runs[$0].new < items.lowerBound }
    var item = items.lowerBound
    while item < items.upperBound {
      if run < runs.count, runs[run].new == item {
        comparison.new.add(block(ofRun: run, &comparison), tree.parts)
        item = runs[run].newEnd
        run += 1
      } else {
        comparison.new.add(.item(record(at: Int(item))), tree.parts)
        item += 1
      }
    }
    comparison.new.endSection()
  }

  /// Adds the old items of a section.
  mutating func addOld(_ items: Range<Int32>, to comparison: inout TreeComparison) {
    var next = byOld.indices.partitioned { runs[byOld[$0]].old < items.lowerBound }
    var item = items.lowerBound
    while item < items.upperBound {
      if next < byOld.count, runs[byOld[next]].old == item {
        let run = byOld[next]
        comparison.old.add(block(ofRun: run, &comparison), tree.parts)
        item = runs[run].oldEnd
        next += 1
      } else {
        var record = adoption.oldItem(Int(item))
        if let same = sameItems[Int(item)] { record.payload = self.record(at: same).payload }
        comparison.old.add(.item(record), tree.parts)
        item += 1
      }
    }
    comparison.old.endSection()
  }
}

extension Adoption {
  /// Returns the indices of the first item of a section on either side, and of its first row.
  fileprivate func position(ofOld section: Int) -> TreeComparison.Side.Position {
    TreeComparison.Side.Position(
      item: Int(oldStarts[section]), row: Int(oldRowStarts[section]))
  }

  fileprivate func position(ofNew section: Int) -> TreeComparison.Side.Position {
    let item = newStarts[section]
    return TreeComparison.Side.Position(item: Int(item), row: Int(row(ofNewItem: item)))
  }
}

extension TreeComparison.Side {
  /// Begins a section, or some sections that are listed as one.
  fileprivate mutating func begin(
    _ section: Int, of tree: ListTree, index: Int, count: Int = 1, at position: Position
  ) {
    beginSection(
      section, key: tree.sections[section].key, index: index, count: count, at: position)
  }

  /// Adds a block with the items of all sections that are listed as one, if there are any. `items` are their
  /// indices on the new side.
  fileprivate mutating func addBlock(
    _ key: UInt32, _ items: Range<Int32>, _ adoption: Adoption, _ parts: PartTable
  ) {
    if !items.isEmpty {
      let count = Int32(truncatingIfNeeded: items.count)
      add(.block(key: key, count: count, rows: adoption.rowCount(of: items)), parts)
    }
    endSection()
  }
}

extension ListTree {
  /// The indices of the items in saved leaves that were selected or deselected since, in order.
  fileprivate var itemsWithChangedSelection: [Int] {
    if change.leaves.isEmpty { return [] }
    return change.leaves.flatMap { saved in
      let (before, now) = (saved.before.selected, leaves[saved.leaf].selected)
      if before == now { return [Int]() }
      let first = index(of: Location(leaf: saved.leaf, index: 0))
      return (0..<saved.before.count).filter { before[$0] != now[$0] }.map { first + $0 }
    }.sorted()
  }
}
