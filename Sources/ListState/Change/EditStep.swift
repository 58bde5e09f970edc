import ByteBuffers
import ListDiff

/// A list in terms of another one: common content as ranges of the other list, and the rest by
/// value.
///
/// A step describes a revision in terms of the next one, for history, or in terms of the previous
/// one, for the journal:
///
/// ```
///   other:  | a  b  c  d  e |            rest: x
///   list:   | a  x  d  e  b |            items: kept 0..<1, own 0..<1, kept 3..<5, kept 1..<2
/// ```
package struct EditStep: Sendable {
  /// Consecutive items of a section.
  package struct Items: BitwiseCopyable, Sendable {
    /// The index of the first item, with all bits inverted if the items are in ``rest``.
    private let first: Int32
    private let count: Int32

    fileprivate init(first: Int32, count: Int32) { (self.first, self.count) = (first, count) }

    /// Creates items of the other list, by index.
    init(kept items: Range<Int32>) {
      (first, count) = (items.lowerBound, items.upperBound &- items.lowerBound)
    }

    /// Creates items of ``rest``, by index.
    init(own items: Range<Int32>) {
      (first, count) = (~items.lowerBound, items.upperBound &- items.lowerBound)
    }

    /// Whether the items are in ``rest``.
    package var areOwn: Bool { first < 0 }

    /// The indices of the items.
    package var range: Range<Int> {
      let start = Int(areOwn ? ~first : first)
      return start..<start + Int(count)
    }
  }

  /// Consecutive sections.
  package enum Sections: Sendable {
    /// Sections that are equal in the other list, by their indices there.
    case kept(Range<Int32>)
    case changed(Section)
  }

  /// A section that differs from its counterpart in the other list.
  package struct Section: Sendable {
    /// The index of the counterpart in the other list, or -1 if there is none.
    package var other: Int32

    /// The index in ``rest`` of the section's own members, or -1 if they are those of the
    /// counterpart.
    package var own: Int32

    /// The range of the section's items in ``items``.
    package var items: Range<Int32>
  }

  package private(set) var sections: [Sections] = []
  package private(set) var items: [Items] = []

  /// The content that the other list does not have. Has repeats if the list may have any.
  package private(set) var rest = Snapshot()

  init(sections: [Sections] = [], items: [Items] = [], rest: Snapshot = Snapshot()) {
    self.sections = sections
    self.items = items
    self.rest = rest
  }
}

extension EditStep {
  /// Creates one side of a comparison in terms of the other side: the old one if `toOld`.
  ///
  /// `matching` pairs the entries.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entries and listed sections of the comparison,
  ///   and the size of the texts that are copied.
  init(
    _ comparison: borrowing TreeComparison, _ matching: borrowing Matching, toOld: Bool,
    _ tree: borrowing ListTree
  ) {
    var maker = StepMaker(CopiedContent())
    maker.describe(comparison, matching, toOld: toOld, tree)
    self = maker.content.step(hasRepeats: !tree.repeats.isEmpty)
  }
}

/// A step with copies of its texts.
struct CopiedContent: StepContent {
  private var sections: [EditStep.Sections] = []
  private var items: [EditStep.Items] = []
  private var rest = Snapshot()
  private var texts: [UInt8] = []

  /// The section that was begun last.
  private var section = EditStep.Section(other: -1, own: -1, items: 0..<0)

  /// Adds items of the other list, by index, to the section.
  mutating func keepItems(_ kept: Span<Int32>) {
    let runs = (1..<kept.count).reduce(1) { kept[$1] == kept[$1 &- 1] &+ 1 ? $0 : $0 &+ 1 }
    items.append(addingCapacity: runs) { items in
      var (first, count) = (kept[0], Int32(1))
      for index in 1..<kept.count {
        let item = kept[index]
        if item == first &+ count {
          count &+= 1
        } else {
          items.append(EditStep.Items(first: first, count: count))
          (first, count) = (item, 1)
        }
      }
      items.append(EditStep.Items(first: first, count: count))
    }
  }

  private mutating func copy(_ text: UnsafeRawBufferPointer) -> Payload {
    defer { texts.append(contentsOf: text) }
    return Payload(start: texts.count, length: text.count, buffer: 0)
  }

  mutating func keepSections(_ range: Range<Int32>) { sections.append(.kept(range)) }

  mutating func beginSection(
    other: Int32, own: (key: UInt32, traits: SectionTraits, text: UnsafeRawBufferPointer)?
  ) {
    let first = Int32(truncatingIfNeeded: items.count)
    section = EditStep.Section(other: other, own: -1, items: first..<first)
    guard var own else { return }
    section.own = Int32(truncatingIfNeeded: rest.sections.count)
    own.traits.own = copy(own.text)
    rest.sections.append(own.traits)
    rest.arrangement.sections.append(own.key)
  }

  mutating func keepItems(_ range: Range<Int32>) { items.append(EditStep.Items(kept: range)) }

  mutating func addItem(
    _ record: ItemRecord, _ text: UnsafeRawBufferPointer, _ parts: [Part]?
  ) {
    items.appendOwn(rest.itemCount, since: section.items.lowerBound)
    var record = record
    record.payload = copy(text)
    rest.append(record)
    if let parts { rest.addParts(parts, ofItem: rest.itemCount - 1) }
  }

  mutating func endSection() {
    section.items = section.items.lowerBound..<Int32(truncatingIfNeeded: items.count)
    sections.append(.changed(section))
  }

  /// Returns the step. `hasRepeats` reports whether the list may have repeats.
  consuming func step(hasRepeats: Bool) -> EditStep {
    rest.arrangement.hasRepeats = hasRepeats
    rest.finishParts()
    if !texts.isEmpty { rest.buffers = [SharedBytes(copying: texts)] }
    return EditStep(sections: sections, items: items, rest: rest)
  }
}

extension [EditStep.Items] {
  /// Appends the next own item to a section whose first items have the index `first`.
  mutating func appendOwn(_ item: Int, since first: Int32) {
    let isNext = count > first && self[count - 1].areOwn
    let start = isNext ? removeLast().range.lowerBound : item
    append(EditStep.Items(own: Range(start..<item + 1)))
  }
}

extension ItemRecord {
  /// Reports whether an item has the same text, template and traits, apart from the selection.
  func isSame(as other: ItemRecord?) -> Bool {
    guard let other else { return false }
    return payload == other.payload && template == other.template
      && traits.subtracting(.selected) == other.traits.subtracting(.selected)
  }
}

extension Snapshot {
  /// Appends an item, not selected and without parts. Its text is in a buffer of the snapshot.
  mutating func append(_ record: ItemRecord) {
    append(
      record.key, record.payload, record.traits.subtracting(.selected),
      template: record.template)
  }
}

extension EditStep {
  /// Stops the program if an invariant is violated: the sections divide ``items`` in order, and each
  /// item and section of ``rest`` is used once, in order.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  func checkInvariants() {
    rest.checkRanges()
    var nextItems: Int32 = 0
    var nextOwn: Int32 = 0
    for case .changed(let section) in sections {
      precondition(section.items.lowerBound == nextItems, "the sections divide the items")
      nextItems = section.items.upperBound
      precondition(section.other >= 0 || section.own >= 0, "a section has own members")
      guard section.own >= 0 else { continue }
      precondition(section.own == nextOwn, "own members are in order")
      nextOwn += 1
    }
    precondition(Int(nextItems) == items.count, "each item is in a section")
    precondition(Int(nextOwn) == rest.sections.count, "all own members are used")
    var nextItem = 0
    for own in items where own.areOwn {
      precondition(own.range.lowerBound == nextItem && !own.range.isEmpty, "own items are in order")
      nextItem = own.range.upperBound
    }
    precondition(nextItem == rest.itemCount, "all own items are used")
  }
}

extension Snapshot {
  /// Stops the program if the content of a step has columns of different lengths, or texts outside
  /// of their buffers. Its sections do not contain its items.
  fileprivate func checkRanges() {
    precondition(arrangement.rows.count == itemCount, "each item has a key")
    precondition(traits.count == itemCount, "each item has traits")
    precondition(templates.isEmpty || templates.count == itemCount, "each item has a template")
    precondition(arrangement.sections.count == sections.count, "each section has a key")
    for payload in sections.map(\.own) + payloads {
      precondition(
        Int(payload.start) + Int(payload.length) <= buffers[Int(payload.buffer)].count,
        "a text is in its buffer")
    }
  }
}
