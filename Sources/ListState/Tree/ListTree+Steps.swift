import ListDiff
import ListStages

extension ListTree {
  /// A range of items of the present list, or of a step's own items if it `isOwn`.
  private struct SteppedRange {
    var items: Range<Int>
    var isOwn: Bool

    /// Whether the items keep their section and their order.
    var isKept = false
  }

  /// A section that a step changes.
  private struct SteppedSection {
    /// The number of the section, or `nil` if the step inserts it.
    var number: Int?
    var listed: EditStep.Section

    /// The range of the section's present items.
    var present = 0..<0

    /// The items of the section after the step.
    var ranges: [SteppedRange] = []

    /// The number of items that the step removes or places.
    var changedCount: Int {
      ranges.reduce(present.count) { $0 + ($1.isKept ? -$1.items.count : $1.items.count) }
    }
  }

  /// Consecutive items of a section after a step: items that are kept, by the key of the last one,
  /// or items that are inserted or moved.
  private enum Fragment {
    case kept(last: UInt32)
    case placed([ItemRecord])
  }

  /// Applies a step, which describes another state of the list in terms of the present one. Returns
  /// the number of items that it has removed or placed, or does nothing and returns `nil` if there
  /// are more than `limit`. If the identifier table overflows, some items may not be placed.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of ranges of the step and of items that
  ///   it inserts, deletes or moves; with inserted, deleted or moved sections O(*s* log *s*) more.
  @discardableResult
  mutating func apply(_ step: EditStep, _ ids: inout IDTable, limit: Int = .max) -> Int? {
    // At least one item is removed or placed between two ranges of a section.
    guard step.items.count / 2 - step.sections.count <= limit else { return nil }
    let order = step.keepsSections(sectionCount) ? nil : sectionsInOrder
    var changed: [SteppedSection] = []
    var count = 0
    for case .changed(let listed) in step.sections {
      changed.append(self.section(listed, of: step, order))
      count += changed[changed.count - 1].changedCount
      guard count <= limit else { return nil }
    }
    let buffers = step.rest.buffers.map { texts.number(of: $0) }
    var removed: [UInt32] = []
    var fragments: [[Fragment]] = []
    for section in changed {
      fragments.append(self.fragments(of: section, step, buffers, &removed))
    }
    for key in removed {
      if let location = location(of: key) { remove(at: location) }
    }
    if let order { arrangeSections(step, order, buffers, &changed) }
    for (section, fragments) in zip(changed, fragments) {
      if section.listed.own >= 0, section.listed.other >= 0 {
        setTraits(step.traits(Int(section.listed.own), buffers), ofSection: section.number!)
      }
      let mayRepeat = step.rest.arrangement.hasRepeats
      place(fragments, mayRepeat: mayRepeat, inSection: section.number!, &ids)
    }
    return count
  }

  /// Returns a section that a step changes. `order` has all present sections if the step changes
  /// their order.
  private func section(
    _ listed: EditStep.Section, of step: EditStep, _ order: [Int]?
  ) -> SteppedSection {
    var section = SteppedSection(listed: listed)
    if listed.other >= 0 {
      let number = order?[Int(listed.other)] ?? self.section(at: Int(listed.other))!
      let start = self.order.position(of: number).before.items
      section.number = number
      section.present = start..<start + forest.sums(ofTree: number).items
    }
    for items in step.items[Int(listed.items.lowerBound)..<Int(listed.items.upperBound)] {
      let range = items.range
      guard !items.areOwn else {
        section.ranges.append(SteppedRange(items: range, isOwn: true))
        continue
      }
      // The range may continue in other sections of the present list.
      let inside = range.clamped(to: section.present)
      let parts = [
        range.clamped(to: 0..<section.present.lowerBound), inside,
        range.clamped(to: section.present.upperBound..<Int.max),
      ]
      for part in parts where !part.isEmpty {
        section.ranges.append(SteppedRange(items: part, isOwn: false, isKept: part == inside))
      }
    }
    keepHeaviest(&section.ranges)
    return section
  }

  /// Returns the items of a section after a step, and adds the present items that are not kept
  /// there to `removed`.
  private mutating func fragments(
    of section: SteppedSection, _ step: EditStep, _ buffers: [UInt32], _ removed: inout [UInt32]
  ) -> [Fragment] {
    var next = section.present.lowerBound
    for range in section.ranges where range.isKept {
      removed += records(next..<range.items.lowerBound).map(\.key)
      next = range.items.upperBound
    }
    removed += records(next..<section.present.upperBound).map(\.key)
    var fragments: [Fragment] = []
    for range in section.ranges {
      if range.isOwn {
        fragments.append(.placed(range.items.map { record(of: $0, step.rest, buffers) }))
      } else if range.isKept {
        fragments.append(.kept(last: key(at: range.items.upperBound - 1)!))
      } else {
        let moved = records(range.items)
        removed += moved.map(\.key)
        fragments.append(.placed(moved))
      }
    }
    return fragments
  }

  /// Of the ranges that could be kept, keeps those in ascending order with the most items.
  private func keepHeaviest(_ ranges: inout [SteppedRange]) {
    let candidates = ranges.indices.filter { ranges[$0].isKept }
    let sorted = candidates.sorted { ranges[$0].items.lowerBound < ranges[$1].items.lowerBound }
    guard candidates != sorted else { return }
    let ranks = Dictionary(uniqueKeysWithValues: zip(sorted, sorted.indices))
    let kept = heaviestIncreasing(
      candidates.map { Int32(truncatingIfNeeded: ranks[$0]!) },
      weights: candidates.map { ranges[$0].items.count }, universe: candidates.count)
    for index in candidates { ranges[index].isKept = false }
    for index in kept { ranges[candidates[index]].isKept = true }
  }

  /// Returns the items at indices of the list.
  private func records(_ items: Range<Int>) -> [ItemRecord] {
    items.map { record(at: location(at: $0)!) }
  }

  /// Inserts, deletes and moves sections. Sets the numbers of inserted sections in `changed`.
  private mutating func arrangeSections(
    _ step: EditStep, _ before: [Int], _ buffers: [UInt32], _ changed: inout [SteppedSection]
  ) {
    var arranged: [Int?] = []
    for part in step.sections {
      switch part {
      case .kept(let range):
        arranged += before[Int(range.lowerBound)..<Int(range.upperBound)].map(Optional.init)
      case .changed(let listed): arranged.append(listed.other < 0 ? nil : before[Int(listed.other)])
      }
    }
    let kept = Set(arranged.lazy.compactMap(\.self))
    for section in before where !kept.contains(section) { deleteSection(section) }
    let inserted = changed.indices.filter { changed[$0].number == nil }
    var next = 0
    var last: Int?
    for section in arranged {
      if let section {
        let present = last.map(order.element(after:)) ?? order.first(ofTree: 0)
        if present != section { moveSection(section, after: last) }
        last = section
      } else {
        let own = Int(changed[inserted[next]].listed.own)
        last = insertSection(
          step.rest.arrangement.sections[own], step.traits(own, buffers), after: last)
        changed[inserted[next]].number = last
        next += 1
      }
    }
  }

  /// Inserts the placed items of a section between those that are kept.
  private mutating func place(
    _ fragments: [Fragment], mayRepeat: Bool, inSection section: Int, _ ids: inout IDTable
  ) {
    var last: UInt32?
    for fragment in fragments {
      switch fragment {
      case .kept(let key): last = key
      case .placed(var records):
        makeDistinct(&records, mayRepeat: mayRepeat, &ids)
        guard !records.isEmpty else { return }
        let location =
          last.map { key in
            var location = self.location(of: key)!
            location.index += 1
            return location
          } ?? location(forInsertionAt: 0, in: section)
        insert(records, at: location)
        last = records.last!.key
      }
    }
  }
}

extension EditStep {
  /// Reports whether the list has the same sections in the same order as the other list, which has
  /// `count` sections.
  fileprivate func keepsSections(_ count: Int) -> Bool {
    var next = 0
    for part in sections {
      switch part {
      case .kept(let range):
        guard Int(range.lowerBound) == next else { return false }
        next = Int(range.upperBound)
      case .changed(let section):
        guard Int(section.other) == next else { return false }
        next += 1
      }
    }
    return next == count
  }

  /// Returns the traits of a section of ``rest``, with the numbers of its buffers in a tree.
  fileprivate func traits(_ section: Int, _ buffers: [UInt32]) -> SectionTraits {
    var traits = rest.sections[section]
    traits.own.buffer = buffers[Int(traits.own.buffer)]
    return traits
  }
}
