import ByteBuffers
import ListDiff
import ListStages

/// The change of a source of a composite, whose sections are behind the first `head` ones there.
typealias SourceDelta = (delta: TreeDelta, head: Int)

/// The change of a list by value, for its composites.
///
/// Items and sections are named by their keys. Texts are in ``buffers``.
struct TreeDelta {
  /// An item that was inserted or moved: the key of its section, and its new index there.
  struct Placement {
    var section: UInt32
    var index: Int
    var record: ItemRecord

    /// The key of the item's identity.
    var identity: UInt32

    /// Whether the text and the traits of the item are unchanged.
    var isUnchanged: Bool
  }

  /// The items that were deleted or moved, except those that were deleted with their section.
  var removed: [UInt32] = []

  /// The items that were inserted or moved, in order.
  var placed: [Placement] = []

  /// The items that were not moved and have a different text or traits.
  var replaced: [ItemRecord] = []

  var deletedSections: [UInt32] = []

  /// A section, or consecutive sections that were consecutive before and are not changed: the keys of
  /// the first and of the last, and their number.
  struct SectionRun {
    var first: UInt32
    var last: UInt32
    var count: Int
  }

  /// All sections in order, if any was inserted, deleted or moved.
  var order: [SectionRun]?

  /// The traits of the sections that were inserted or have different traits.
  var traits: [UInt32: SectionTraits] = [:]

  /// Items and sections to report as updated even if their content is unchanged.
  var forcedItems: [UInt32: ContentChange] = [:]
  var forcedSections: [UInt32: ContentChange] = [:]

  /// The items that the change has selected, and those that it has deselected.
  var selected: [UInt32] = []
  var deselected: [UInt32] = []

  private(set) var buffers: [SharedBytes] = []

  /// The parts of items, by the numbers that these have here, less one.
  fileprivate private(set) var parts: [[Part]] = []

  init() {}

  /// Whether the change has selected or deselected an item.
  var changesMarks: Bool { !selected.isEmpty || !deselected.isEmpty }

  /// Creates the delta of a change that is compared but not finished yet.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entries and listed sections of the comparison,
  ///   plus the number of items of blocks that were moved or deleted.
  init(
    _ comparison: borrowing TreeComparison, _ pairs: borrowing EntryPairs,
    _ tree: borrowing ListTree
  ) {
    var contents = OwnContents(copy tree)
    forcedItems = tree.change.forcedItems
    forcedSections = tree.change.forcedSections
    (selected, deselected) = tree.selectionChange
    if comparison.listsAll {
      for run in comparison.new.sections {
        let last = run.count > 1 ? tree.section(at: run.index + run.count - 1)! : run.section
        order = order ?? []
        order!.append(
          SectionRun(
            first: tree.sections[run.section].key, last: tree.sections[last].key, count: run.count))
      }
    }
    let (oldSections, newSections) = (comparison.old.sections.span, comparison.new.sections.span)
    let (toNew, toOld) = (pairs.matching.rowsToNew.span, pairs.matching.rowsToOld.span)
    for index in oldSections.indices {
      let partner = Int(pairs.matching.sectionsToNew[index])
      if partner < 0 { deletedSections.append(tree.sections[oldSections[index].section].key) }
      for entry in comparison.old.entries(ofSection: index) {
        let other = Int(toNew[entry])
        // An item of a deleted section that is not in another section is deleted with it.
        if partner < 0, other < 0 { continue }
        if partner >= 0, !pairs.moved[entry],
          comparison.new.entries(ofSection: partner).contains(other)
        {
          continue
        }
        if let record = comparison.old.entries.span[entry].record {
          removed.append(record.key)
        } else if other < 0 {
          removed += comparison.records(ofBlock: entry, inOldSection: index, copy tree).map(\.key)
        } else {
          removed += Self.records(ofBlock: other, comparison, tree).map(\.key)
        }
      }
    }
    for index in newSections.indices {
      let section = newSections[index]
      let key = tree.sections[section.section].key
      let partner = Int(pairs.matching.sectionsToOld[index])
      let traits = tree.sections[section.section].traits
      if partner < 0 || traits != tree.traitsBefore(oldSections[partner].section) {
        self.traits[key] = traits
        self.traits[key]!.own = contents.own(traits.own)
      }
      for entry in comparison.new.entries(ofSection: index) {
        let other = Int(toOld[entry])
        let isKept =
          other >= 0 && partner >= 0 && !pairs.moved[other]
          && comparison.old.entries(ofSection: partner).contains(other)
        let first = comparison.new.items(ofEntry: entry).lowerBound - section.firstItem
        guard let record = comparison.new.entries.span[entry].record else {
          if isKept { continue }
          for (offset, record) in Self.records(ofBlock: entry, comparison, tree).enumerated() {
            placed.append(
              Placement(
                section: key, index: first + offset, record: contents.own(record),
                identity: tree.identity(of: record.key), isUnchanged: true))
          }
          continue
        }
        let isUnchanged =
          other >= 0 && record.isSame(as: comparison.old.entries.span[other].record)
        if isKept {
          if !isUnchanged { replaced.append(contents.own(record)) }
        } else {
          placed.append(
            Placement(
              section: key, index: first, record: contents.own(record),
              identity: tree.identity(of: record.key), isUnchanged: isUnchanged))
        }
      }
    }
    (buffers, parts) = contents.finish()
  }

  /// The texts and parts of a tree to which a delta refers.
  private struct OwnContents {
    private let tree: ListTree
    private var buffers: [SharedBytes] = []
    private var parts: [[Part]] = []

    /// The buffer of the last text, and its number here.
    private var last: (buffer: UInt32, number: UInt32)?

    /// The numbers here of the other buffers.
    private var numbers: [UInt32: UInt32] = [:]

    /// Copies of the texts. The composites would keep the whole message of a snapshot alive for a few of them.
    private var copies: [UInt8]?

    init(_ tree: ListTree) {
      self.tree = tree
      copies = tree.change.isAdoption ? [] : nil
    }

    mutating func own(_ payload: Payload) -> Payload {
      if let start = copies?.count {
        copies!.append(contentsOf: tree.bytes(of: payload))
        return Payload(start: start, length: Int(payload.length), buffer: 0)
      }
      if last?.buffer != payload.buffer {
        if let last { numbers[last.buffer] = last.number }
        let known = numbers.isEmpty ? nil : numbers[payload.buffer]
        last = (payload.buffer, known ?? UInt32(truncatingIfNeeded: buffers.count))
        if known == nil { buffers.append(tree.texts.buffers[Int(payload.buffer)]) }
      }
      var own = payload
      own.buffer = last!.number
      return own
    }

    mutating func own(_ record: ItemRecord) -> ItemRecord {
      var own = record
      own.payload = self.own(record.payload)
      own.traits.remove(.selected)
      if record.parts > 0 {
        parts.append(tree.parts[record.parts])
        own.parts = UInt32(truncatingIfNeeded: parts.count)
      }
      return own
    }

    consuming func finish() -> (buffers: [SharedBytes], parts: [[Part]]) {
      (copies.map { [SharedBytes(copying: $0)] } ?? buffers, parts)
    }
  }

  /// Returns the current items of an entry that stands for a block.
  private static func records(
    ofBlock entry: Int, _ comparison: borrowing TreeComparison, _ tree: borrowing ListTree
  ) -> [ItemRecord] {
    var records: [ItemRecord] = []
    for item in comparison.new.items(ofEntry: entry) {
      if let location = tree.location(at: item) { records.append(tree.record(at: location)) }
    }
    return records
  }

  /// Converts the delta to the keys of a composite. `section` returns the key of a section, `own`
  /// its own members.
  mutating func rename(
    item: (UInt32) -> UInt32, section: (UInt32) -> UInt32,
    own: (UInt32, UnsafeRawBufferPointer) -> [UInt8]
  ) {
    for index in placed.indices {
      placed[index].section = section(placed[index].section)
      placed[index].identity = item(placed[index].identity)
    }
    rename(items: item)
    deletedSections.replaceEach(by: section)
    order = order?.map {
      SectionRun(first: section($0.first), last: section($0.last), count: $0.count)
    }
    forcedSections.replaceKeys(by: section)
    if traits.isEmpty { return }
    var texts: [UInt8] = []
    var renamed: [UInt32: SectionTraits] = [:]
    for (key, var traits) in traits {
      let text = own(key, bytes(of: traits.own))
      traits.own = Payload(start: texts.count, length: text.count, buffer: buffers.count)
      texts += text
      renamed[section(key)] = traits
    }
    traits = renamed
    buffers.append(SharedBytes(copying: texts))
  }

  /// Converts the keys of items, but not those of their identities.
  mutating func rename(items newKey: (UInt32) -> UInt32) {
    removed.replaceEach(by: newKey)
    selected.replaceEach(by: newKey)
    deselected.replaceEach(by: newKey)
    for index in placed.indices { placed[index].record.key = newKey(placed[index].record.key) }
    for index in replaced.indices { replaced[index].key = newKey(replaced[index].key) }
    forcedItems.replaceKeys(by: newKey)
  }

  /// Returns the bytes of a text, valid during the lifetime of this value.
  private func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)].bytes[start..<start + Int(payload.length)])
  }
}

extension [UInt32] {
  /// Replaces the keys that are others then.
  fileprivate mutating func replaceEach(by newKey: (UInt32) -> UInt32) {
    for index in indices {
      let key = newKey(self[index])
      if key != self[index] { self[index] = key }
    }
  }
}

extension [UInt32: ContentChange] {
  fileprivate mutating func replaceKeys(by newKey: (UInt32) -> UInt32) {
    if isEmpty { return }
    // Keys are equal only if the identifier table overflows.
    self = Dictionary(map { (newKey($0), $1) }) { first, _ in first }
  }
}

extension ListTree {
  /// Applies a change of a source to a composite, whose sections include those of the source after
  /// its first `head` sections.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of items and sections that the
  ///   change names.
  mutating func make(_ delta: TreeDelta, behindSections head: Int) {
    let buffers = delta.buffers.map { texts.number(of: $0) }
    let partNumbers = delta.parts.map { parts.number(of: $0) }
    func own(_ record: ItemRecord) -> ItemRecord {
      var record = record
      record.payload.buffer = buffers[Int(record.payload.buffer)]
      if record.parts > 0 { record.parts = partNumbers[Int(record.parts) - 1] }
      return record
    }
    func own(_ traits: SectionTraits) -> SectionTraits {
      var traits = traits
      traits.own.buffer = buffers[Int(traits.own.buffer)]
      return traits
    }
    addRepeats(of: delta)
    var taken: [UInt32: ItemRecord] = [:]
    for key in delta.removed {
      var record = remove(at: existingLocation(of: key))
      record.traits.remove(.selected)
      if !delta.placed.isEmpty { taken[key] = record }
    }
    for key in delta.deletedSections { deleteSection(existingSection(withKey: key)) }
    var made: Set<UInt32> = []
    if let sections = delta.order {
      var last = head > 0 ? section(at: head - 1) : nil
      for run in sections {
        guard let section = section(withKey: run.first) else {
          last = insertSection(run.first, own(delta.traits[run.first]!), after: last)
          made.insert(run.first)
          continue
        }
        func next() -> Int? { last.map(order.element(after:)) ?? order.first(ofTree: 0) }
        if run.count == 1 {
          if next() != section { moveSection(section, after: last) }
        } else {
          // Runs stay. A section before one that has not been placed yet is moved later.
          while let other = next(), other != section {
            moveSection(other, after: order.last(ofTree: 0))
          }
        }
        last = existingSection(withKey: run.last)
      }
    }
    for (key, traits) in delta.traits where !made.contains(key) {
      setTraits(own(traits), ofSection: existingSection(withKey: key))
    }
    var start = 0
    while start < delta.placed.count {
      let first = delta.placed[start]
      var end = start
      var records: [ItemRecord] = []
      while end < delta.placed.count, delta.placed[end].section == first.section,
        delta.placed[end].index == first.index + end - start
      {
        let placement = delta.placed[end]
        let unchanged = placement.isUnchanged ? taken[placement.record.key] : nil
        records.append(unchanged ?? own(placement.record))
        end += 1
      }
      insert(
        records,
        at: location(forInsertionAt: first.index, in: existingSection(withKey: first.section)))
      start = end
    }
    for record in delta.replaced { replace(existingLocation(of: record.key), with: own(record)) }
    for (key, forced) in delta.forcedItems {
      guard let location = location(of: key) else { continue }
      save(location.leaf)
      change.forcedItems[key] = max(change.forcedItems[key] ?? .none, forced)
    }
    for (key, forced) in delta.forcedSections where section(withKey: key) != nil {
      change.forcedSections[key] = max(change.forcedSections[key] ?? .none, forced)
    }
  }

  /// Returns whether all items keep their indices when some deltas are made: each item that they add is
  /// behind all others.
  func keepsIndices(_ deltas: Span<SourceDelta>) -> Bool {
    guard let section = order.last(ofTree: 0) else { return false }
    let last = sections[section].key
    var end = forest.sums(ofTree: section).items
    for index in deltas.indices {
      guard deltas[index].delta.removed.isEmpty, deltas[index].delta.deletedSections.isEmpty,
        deltas[index].delta.order == nil
      else { return false }
      for placement in deltas[index].delta.placed {
        guard placement.section == last, placement.index == end else { return false }
        end += 1
      }
    }
    return true
  }

  /// Adds the keys of the items that a change of a source inserts or moves.
  mutating func addRepeats(of delta: TreeDelta) {
    for placement in delta.placed { repeats.add(placement.record.key, of: placement.identity) }
  }

  private func existingLocation(of key: UInt32) -> Location {
    guard let location = location(of: key) else {
      preconditionFailure("an item of a source is in the list")
    }
    return location
  }

  private func existingSection(withKey key: UInt32) -> Int {
    guard let section = section(withKey: key) else {
      preconditionFailure("a section of a source is in the list")
    }
    return section
  }
}
