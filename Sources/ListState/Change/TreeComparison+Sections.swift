import ListDiff
import SumTrees

extension TreeComparison {
  /// Lists the sections with modifications.
  mutating func listModifiedSections(_ modified: [ModifiedLeaf], _ tree: ListTree) {
    listed.removeElements()
    tree.appendModifiedSections(modified, to: &listed)
    var growth = Side.Position()
    for index in listed.indices {
      let (section, position) = listed[index]
      let first = Side.Position(item: position.items, row: position.rows)
      let key = tree.sections[section].key
      new.beginSection(section, key: key, index: position.elements, at: first)
      old.beginSection(section, key: key, index: position.elements, at: first - growth)
      addEntries(of: section, modified, tree)
      old.endSection()
      new.endSection()
      growth = new.end - old.end
    }
  }

  /// A section with modifications, and the sums before it in the list.
  typealias ListedSection = (section: Int, position: TreeSums)

  /// Consecutive sections on one side, listed as one: the first of them, their number, and the index of the
  /// section in a list of others that has their entries on both sides. `start` is the number of untouched
  /// sections before them.
  fileprivate struct Run {
    var start: Int
    var section: Int
    var count = 1
    var source: Int
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
    var sources = TreeComparison()
    sources.universe = universe
    var before: [Run] = []
    for (number, taken) in change.takenSections.before.enumerated() {
      let source = sources.addSource(taken.section, modified, tree)
      before.append(Run(start: taken.index - number, section: taken.section, source: source))
    }
    let placed = [change.takenSections.map { $0.section }, change.madeSections].joined()
      .filter(tree.order.contains)
      .map { (section: $0, position: tree.order.position(of: $0).before) }
      .sorted { $0.position.elements < $1.position.elements }
    let made = Set(change.madeSections)
    let known = Dictionary(
      before.map { ($0.section, $0.source) }, uniquingKeysWith: { first, _ in first })
    let after = placed.map { section, position in
      Run(
        start: position.untouched, section: section,
        source: made.contains(section)
          ? sources.addSource(section, modified, tree) : known[section]!)
    }
    let runs = sources.untouchedRuns(between: before + after, modified, tree)
    universe = sources.universe
    old.list(runs, among: before, of: sources.old, tree)
    new.list(runs, among: after, of: sources.new, tree)
  }

  /// Adds the entries of a section, or of unmodified sections whose sums are `size`, as a section of both sides
  /// from which they are taken later. Returns its index.
  private mutating func addSource(
    _ section: Int, _ modified: [ModifiedLeaf], _ tree: ListTree, size: TreeSums? = nil
  ) -> Int {
    let source = old.sections.count
    old.beginSection(section, key: 0, index: source, at: Side.Position())
    new.beginSection(section, key: 0, index: source, at: Side.Position())
    if let size { addBlock(size, tree) } else { addEntries(of: section, modified, tree) }
    old.endSection()
    new.endSection()
    return source
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
    for (section, position) in listed
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
        let source = addSource(first.element, modified, tree)
        return Run(start: start, section: first.element, source: source)
      }
      let last = tree.order.find(end - 1, .untouched, inTree: 0)!
      let size = last.before + tree.order.sums(of: last.element) - first.before
      return Run(
        start: start, section: first.element, count: end - start,
        source: addSource(first.element, modified, tree, size: size))
    }
  }
}

extension TreeComparison.Side {
  /// Adds runs of untouched sections, and the other sections of the side, whose entries `sources` has.
  fileprivate mutating func list(
    _ runs: [TreeComparison.Run], among others: [TreeComparison.Run], of sources: Self,
    _ tree: ListTree
  ) {
    reserve(sections: others.count + runs.count, entries: sources.entries.count)
    var next = 0
    func add(_ run: TreeComparison.Run, _ side: inout Self) {
      side.beginSection(
        run.section, key: tree.sections[run.section].key, index: side.sectionCount,
        count: run.count, at: side.end)
      for entry in sources.entries[sources.entries(ofSection: run.source)] {
        side.add(entry, tree.parts)
      }
      side.endSection()
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
  /// Appends the sections of the list with modifications in order to an empty array.
  fileprivate func appendModifiedSections(
    _ modified: [TreeComparison.ModifiedLeaf], to listed: inout [TreeComparison.ListedSection]
  ) {
    func add(_ section: Int) {
      guard order.contains(section) else { return }
      listed.append((section, order.position(of: section).before))
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
