import ByteBuffers
import ListDiff
import SumTrees

extension ListTree {
  /// Gives the list the content of a snapshot as the current change: its leaves become slices of the
  /// snapshot's columns, and most keys stay in their leaves (``LeafSlices``). Neither side has repeated
  /// items. `runs` are items that are equal byte by byte, cut at sections.
  ///
  /// The items that remain stay selected. The texts before can be read until the change is finished.
  ///
  /// - Complexity: O(*n* / 256 + *s* + *k* log *n*), where *k* is the number of runs and of items that
  ///   are in none of them; and O(*n*) to add up the sizes of texts and to keep the numbers of parts.
  mutating func adopt(_ new: Snapshot, _ runs: [MatchedRun]) {
    // The next snapshot is read with the help of the keys.
    indexKeys()
    let before = self
    let sections = sectionsInOrder
    var adoption = Adoption(
      before: before, runs: runs, byOld: runs.byOld, oldSections: sections,
      oldStarts: starts(of: sections), newStarts: new.arrangement.starts,
      oldRowStarts: starts(of: sections) { $0.rows }, newRows: new.parts?.items.starts,
      firstOldBuffer: UInt32(truncatingIfNeeded: new.buffers.count))
    texts = TextBuffers(new, withItems: true)
    texts.keep(before.texts.buffers)
    adoption.newSections = adoptSections(of: new, sections, adoption.firstOldBuffer)
    let torn = adoptItems(of: new, adoption)
    forgetKeys(runs.oldRest(of: before.itemCount, adoption.byOld), of: before)
    if adoption.newSections == sections {
      for section in sections {
        let difference = sectionSums(section) - order.sums(of: section)
        if difference != .zero { order.add(difference, to: section) }
      }
    } else {
      order.clear(0)
      order.build(0, of: adoption.newSections.map { ($0, sectionSums($0)) })
    }
    adoption.deselected = selectItems(of: torn, of: before)
    whole = new
    change.adoption = adoption
  }

  /// Returns the index of the first item or row of each section, followed by the number of all.
  func starts(of sections: [Int], _ unit: (TreeSums) -> Int = { $0.items }) -> [Int32] {
    var starts: [Int32] = [0]
    starts.reserveCapacity(sections.count + 1)
    var count = 0
    for section in sections {
      count += unit(forest.sums(ofTree: section))
      starts.append(Int32(truncatingIfNeeded: count))
    }
    return starts
  }

  /// Gives the leaves of all sections slices of a snapshot. Returns the leaves whose items were not all in
  /// one of them.
  private mutating func adoptItems(of new: Snapshot, _ adoption: Adoption) -> [Int] {
    let before = adoption.before
    let runs = adoption.runs
    let block = ItemBlock(new, details: adoptDetails(of: new, adoption), withTexts: true)
    var oldStarts = [Int32](repeating: -1, count: sections.count)
    for (section, start) in zip(adoption.oldSections, adoption.oldStarts) {
      oldStarts[section] = start
    }
    var torn: [Int] = []
    var next = 0
    for (index, section) in adoption.newSections.enumerated() {
      let items = new.arrangement.range(ofSection: index)
      let first = next
      while next < runs.count, Int(runs[next].new) < items.upperBound { next += 1 }
      let start = Int(oldStarts[section])
      let isSame =
        start >= 0 && forest.sums(ofTree: section).items == items.count
        && (items.isEmpty
          || first < next
            && runs[first]
              == MatchedRun(old: start, new: items.lowerBound, count: items.count))
      if isSame {
        moveLeaves(ofSection: section, to: items, of: block)
        continue
      }
      let slices = LeafSlices(
        items, runs[first..<next], for: start < 0 ? [] : before.leaves(ofSection: section),
        from: max(0, start), in: before)
      torn += slices.torn
      replaceLeaves(ofSection: section, by: slices, of: block)
    }
    for section in change.deletedSections {
      let leaves = before.leaves(ofSection: section)
      torn += leaves
      forest.clear(section)
      for leaf in leaves { free(leaf) }
    }
    return torn
  }

  /// Returns the templates and parts of the items of a snapshot, unless all are the default. Items that are
  /// equal to old ones keep the numbers of their parts.
  private mutating func adoptDetails(of new: Snapshot, _ adoption: Adoption) -> [ItemDetails] {
    if parts.isEmpty { return addDetails(of: new) }
    let old = adoption.before.partNumbers
    var details = new.payloads.indices.map { ItemDetails(template: new.template(ofItem: $0)) }
    for run in adoption.runs {
      let shift = Int(run.old - run.new)
      for item in Int(run.new)..<Int(run.newEnd) { details[item].parts = old[item + shift] }
    }
    for item in adoption.runs.newRest(of: new.itemCount).joined() {
      guard let own = new.parts(ofItem: item) else { continue }
      details[item].parts = parts.number(of: own)
      parts.add(details[item].parts)
    }
    for item in adoption.runs.oldRest(of: old.count, adoption.byOld).joined() where old[item] > 0 {
      parts.remove(old[item])
    }
    return details
  }

  /// The numbers of the parts of all items in order.
  private var partNumbers: [UInt32] {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(itemCount)
    for leaf in sectionsInOrder.lazy.flatMap({ leaves(ofSection: $0) }).map({ leaves[$0] }) {
      for index in 0..<leaf.count { numbers.append(leaf.parts(at: index)) }
    }
    return numbers
  }

  /// Creates, deletes and describes sections. Returns the numbers of those of the snapshot in order.
  private mutating func adoptSections(
    of new: Snapshot, _ old: [Int], _ firstOldBuffer: UInt32
  ) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(new.sections.count)
    for (index, (key, traits)) in zip(new.arrangement.sections, new.sections).enumerated() {
      // Most sections are at the same index as before.
      let isAtIndex = index < old.count && sections[old[index]].key == key
      guard let section = isAtIndex ? old[index] : section(withKey: key) else {
        let made = addSection(key, traits)
        change.madeSections.append(made)
        numbers.append(made)
        continue
      }
      var before = sections[section].traits
      before.own.buffer += firstOldBuffer
      if !isSame(before, traits) { change.sections[section] = before }
      sections[section].traits = traits
      numbers.append(section)
    }
    guard numbers.count - change.madeSections.count < old.count else { return numbers }
    let kept = Set(numbers)
    for section in old where !kept.contains(section) {
      sections[section].isDeleted = true
      sections[section].traits.own.buffer += firstOldBuffer
      sectionsByKey[sections[section].key] = nil
      change.deletedSections.append(section)
    }
    return numbers
  }

  private func isSame(_ one: SectionTraits, _ other: SectionTraits) -> Bool {
    var renamed = one
    renamed.own = other.own
    return renamed == other && Bytes.equal(bytes(of: one.own), bytes(of: other.own))
  }

  /// Gives the leaves of a section the same items, in a block.
  private mutating func moveLeaves(
    ofSection section: Int, to items: Range<Int>, of block: ItemBlock
  ) {
    var start = items.lowerBound
    for number in leaves(ofSection: section) {
      let end = start + leaves[number].count
      leaves[number].move(to: start..<end, of: block)
      start = end
    }
  }

  /// Gives the leaves of a section slices of a block.
  private mutating func replaceLeaves(
    ofSection section: Int, by slices: LeafSlices, of block: ItemBlock
  ) {
    let areKept = slices.freed.isEmpty && !slices.slices.contains { $0.leaf == nil }
    if !areKept {
      forest.clear(section)
      for leaf in slices.freed { free(leaf) }
    }
    var placed: [(element: Int, sums: TreeSums)] = []
    placed.reserveCapacity(slices.slices.count)
    for slice in slices.slices {
      var leaf = ItemLeaf(slice.items, of: block)
      if slice.isWhole, let known = slice.leaf {
        leaf.selected = leaves[known].selected
        leaf.hidden = leaves[known].hidden
      }
      var sums = self.sums(of: leaf)
      sums.elements = 1
      let number = slice.leaf ?? addLeaf(leaf)
      leaves[number] = leaf
      placed.append((number, sums))
      guard areKept else { continue }
      let difference = sums - forest.sums(of: number)
      if difference != .zero { forest.add(difference, to: number) }
    }
    if !areKept { forest.build(section, of: placed) }
    for items in slices.arrived {
      let index = slices.slices.indices.partitioned {
        slices.slices[$0].items.upperBound <= items.lowerBound
      }
      let number = placed[index].element
      for key in block.keys[items] where leaf(ofKey: key) != number {
        setLeaf(number, ofKey: key)
      }
    }
  }

  private mutating func free(_ leaf: Int) {
    leaves[leaf] = ItemLeaf()
    forest.free(leaf)
  }

  /// Forgets the leaves of those of some items of the tree before that are deleted.
  private mutating func forgetKeys(_ items: [Range<Int>], of before: ListTree) {
    for item in items.joined() {
      let key = before.key(at: item)!
      if let leaf = leaf(ofKey: key), leaves[leaf].index(of: key) == nil { removeLeaf(ofKey: key) }
    }
  }

  /// Selects the items that were selected in some leaves of the tree before. Returns those that are
  /// deleted or may not be selected any more.
  private mutating func selectItems(of torn: [Int], of before: ListTree) -> [UInt32] {
    var deselected: [UInt32] = []
    for leaf in torn where !before.leaves[leaf].selected.isEmpty {
      for index in 0..<before.leaves[leaf].count where before.leaves[leaf].isSelected(at: index) {
        let key = before.leaves[leaf].key(at: index)
        guard let location = location(of: key), allowsSelection(location) else {
          deselected.append(key)
          continue
        }
        guard !isSelected(location) else { continue }
        leaves[location.leaf].selected[location.index] = true
        add(TreeSums(selected: 1), to: location.leaf, in: section(ofLeaf: location.leaf))
      }
    }
    return deselected
  }
}
