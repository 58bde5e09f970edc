import ListDiff
import SumTrees

extension TreeComparison {
  /// Lists the sections with modifications.
  mutating func listModifiedSections(_ modified: [ModifiedLeaf], _ tree: ListTree) {
    listed.removeElements()
    tree.appendModifiedSections(modified, to: &listed)
    groups.reserveCapacity(listed.count + 3 * modified.count)
    for index in listed.indices {
      listed[index].groups = addGroups(of: listed[index].section, modified, tree)
    }
    old.reserve(sections: listed.count, entries: groups.entryCount(isOld: true))
    new.reserve(sections: listed.count, entries: groups.entryCount(isOld: false))
    var growth = Side.Position()
    for (section, position, range) in listed {
      let first = Side.Position(item: position.items, row: position.rows)
      let key = tree.sections[section].key
      new.beginSection(section, key: key, index: position.elements, at: first)
      old.beginSection(section, key: key, index: position.elements, at: first - growth)
      old.add(groups[range], of: modified, tree, isOld: true)
      new.add(groups[range], of: modified, tree, isOld: false)
      growth = new.end - old.end
    }
  }

  /// A section with modifications, the sums before it in the list, and the range of its groups.
  typealias ListedSection = (section: Int, position: TreeSums, groups: Range<Int>)

  /// Consecutive sections on one side, listed as one: the first of them, their number, and their
  /// groups. `start` is the number of untouched sections before them.
  fileprivate struct Run {
    var start: Int
    var section: Int
    var count = 1
    var groups: Range<Int>
  }

  /// Lists all sections: those that were inserted, deleted, moved or modified, and runs of the others
  /// between them. The untouched sections are in the same order on both sides:
  ///
  /// ```
  ///   before:      a  B  c  d  e  f        old:  [a]  B  [c d]  [e f]
  ///   after:    N  a  c  d  B  e  f        new:  N  [a]  [c d]  B  [e f]
  /// ```
  mutating func listAllSections(_ modified: [ModifiedLeaf], _ tree: ListTree) {
    let change = tree.change
    var before: [Run] = []
    for (number, taken) in change.takenSections.before.enumerated() {
      let groups = addGroups(of: taken.section, modified, tree)
      before.append(Run(start: taken.index - number, section: taken.section, groups: groups))
    }
    let placed = [change.takenSections.map { $0.section }, change.madeSections].joined()
      .filter(tree.order.contains)
      .map { (section: $0, position: tree.order.position(of: $0).before) }
      .sorted { $0.position.elements < $1.position.elements }
    let made = Set(change.madeSections)
    let known = Dictionary(
      before.map { ($0.section, $0.groups) }, uniquingKeysWith: { first, _ in first })
    let after = placed.map { section, position in
      Run(
        start: position.untouched, section: section,
        groups: made.contains(section)
          ? addGroups(of: section, modified, tree) : known[section]!)
    }
    let runs = untouchedRuns(between: before + after, modified, tree)
    let entryCounts = [true, false].map { groups.entryCount(isOld: $0) }
    old.reserve(sections: before.count + runs.count, entries: entryCounts[0])
    new.reserve(sections: after.count + runs.count, entries: entryCounts[1])
    old.list(runs, among: before, groups, modified, tree, isOld: true)
    new.list(runs, among: after, groups, modified, tree, isOld: false)
  }

  /// Returns the untouched sections as runs, which end at other sections and at modified ones.
  private mutating func untouchedRuns(
    between others: [Run], _ modified: [ModifiedLeaf], _ tree: ListTree
  ) -> [Run] {
    let count = tree.order.sums(ofTree: 0).untouched
    var starts = Set(others.map { $0.start })
    starts.insert(0)
    var listed: [ListedSection] = []
    tree.appendModifiedSections(modified, to: &listed)
    for (section, position, _) in listed
    where tree.order.sums(of: section).untouched > 0 {
      starts.insert(position.untouched)
      starts.insert(position.untouched + 1)
    }
    starts.remove(count)
    let sorted = starts.sorted()
    return sorted.indices.map { index in
      let start = sorted[index]
      let end = index + 1 < sorted.count ? sorted[index + 1] : count
      let first = tree.order.find(start, .untouched, inTree: 0)!
      if end == start + 1 {
        let groups = addGroups(of: first.element, modified, tree)
        return Run(start: start, section: first.element, groups: groups)
      }
      let last = tree.order.find(end - 1, .untouched, inTree: 0)!
      let size = last.before + tree.order.sums(of: last.element) - first.before
      return Run(
        start: start, section: first.element, count: end - start,
        groups: addGroups(ofUnmodified: size))
    }
  }
}

extension TreeComparison.Side {
  /// Adds runs of untouched sections, and the other sections of the side.
  fileprivate mutating func list(
    _ runs: [TreeComparison.Run], among others: [TreeComparison.Run],
    _ groups: [TreeComparison.Group], _ modified: [TreeComparison.ModifiedLeaf], _ tree: ListTree,
    isOld: Bool
  ) {
    var next = 0
    func add(_ run: TreeComparison.Run, _ side: inout Self) {
      side.beginSection(
        run.section, key: tree.sections[run.section].key, index: side.sectionCount,
        count: run.count, at: side.end)
      side.add(groups[run.groups], of: modified, tree, isOld: isOld)
    }
    for other in others {
      while next < runs.count, runs[next].start < other.start {
        add(runs[next], &self)
        next += 1
      }
      add(other, &self)
    }
    for run in runs[next...] { add(run, &self) }
  }
}

extension ListTree {
  /// Appends the sections of the list with modifications in order, without their groups, to an empty array.
  fileprivate func appendModifiedSections(
    _ modified: [TreeComparison.ModifiedLeaf], to listed: inout [TreeComparison.ListedSection]
  ) {
    func add(_ section: Int) {
      guard order.contains(section) else { return }
      listed.append((section, order.position(of: section).before, 0..<0))
    }
    for leaf in modified where listed.last?.section != leaf.section { add(leaf.section) }
    if !change.sections.isEmpty || !change.forcedSections.isEmpty {
      let forced = change.forcedSections.keys.compactMap(section(withKey:))
      let others = Set(change.sections.keys).union(forced)
      for section in others.subtracting(listed.map { $0.section }) { add(section) }
    }
    if listed.count > 1 { listed.sort { $0.position.elements < $1.position.elements } }
  }
}
