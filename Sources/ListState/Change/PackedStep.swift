import ByteBuffers
import ListDiff

/// An ``EditStep`` as bytes, for the history, in which most steps have one item.
///
/// Numbers have seven bits in each byte, lowest first. The highest bit is set in all bytes but the
/// last. The texts are among the numbers:
///
/// ```
///   1 if items may repeat, else 0    sections…    0
///   a section: 1, kept range | 2, other + 1, own members, items…, 0
///   own members: 0 | 1, key, flags, header template, footer template, text
///   an item: 1, kept range | 2, key, traits, template, text, parts
///   parts: 0 for a row | count of parts + 1    { key, template, start in the item's text, length }
/// ```
///
/// A step with many items is not packed, because packing it would need its memory twice.
struct PackedStep: Sendable {
  private enum Form: Sendable {
    case bytes([UInt8])
    indirect case unpacked(EditStep)
  }

  private let form: Form

  /// The maximum number of ranges of items of a packed step.
  private static let mostItems = 1024

  /// Creates the step from the new side of a comparison back to the old one. `matching` pairs the
  /// entries.
  ///
  /// - Complexity: That of ``EditStep``.
  init(
    _ comparison: borrowing TreeComparison, _ matching: borrowing Matching,
    _ tree: borrowing ListTree
  ) {
    // A step has at most one range for each entry.
    guard comparison.old.entries.count <= Self.mostItems else {
      form = .unpacked(EditStep(comparison, matching, toOld: true, tree))
      return
    }
    let size = comparison.old.entries.reduce(32) { size, entry in
      size + (entry.record.map { 16 + Int($0.payload.length) } ?? 8)
    }
    var maker = StepMaker(PackedContent(mayRepeat: !tree.repeats.isEmpty, about: size))
    maker.describe(comparison, matching, toOld: true, tree)
    form = .bytes(maker.content.packed())
  }

  /// Creates a snapshot in terms of another one. `kept` are the indices there of the items that are equal,
  /// byte by byte, -1 for the others.
  ///
  /// - Complexity: That of ``EditStep``.
  init(_ snapshot: borrowing Snapshot, from other: borrowing Snapshot, keeping kept: [Int32]) {
    var (ranges, item) = (1, 1)
    while item < kept.count, ranges <= Self.mostItems {
      if kept[item] != kept[item - 1] + 1 { ranges += 1 }
      item += 1
    }
    guard ranges <= Self.mostItems else {
      form = .unpacked(EditStep(snapshot, from: other, keeping: kept))
      return
    }
    // Most steps have one item, whose text is short.
    var content = PackedContent(mayRepeat: snapshot.arrangement.hasRepeats, about: 480)
    content.add(snapshot, from: other, kept)
    form = .bytes(content.packed())
  }

  /// The memory that the step takes, in bytes.
  var footprint: Int {
    switch form {
    case .bytes(let bytes): bytes.footprint
    case .unpacked(let step): step.sections.footprint + step.items.footprint + step.rest.footprint
    }
  }

  /// The step.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  var step: EditStep {
    switch form {
    case .bytes(let bytes): Self.unpack(bytes)
    case .unpacked(let step): step
    }
  }

  private static func unpack(_ bytes: [UInt8]) -> EditStep {
    var reader = PackedReader(bytes: bytes)
    var sections: [EditStep.Sections] = []
    var items: [EditStep.Items] = []
    var rest = Snapshot()
    rest.arrangement.hasRepeats = reader.next() == 1
    while let tag = reader.tag() {
      guard tag == .own else {
        sections.append(.kept(reader.range()))
        continue
      }
      let other = Int32(truncatingIfNeeded: reader.next() - 1)
      let own = reader.next() == 1 ? Int32(truncatingIfNeeded: rest.sections.count) : -1
      if own >= 0 { reader.readSection(into: &rest) }
      let first = Int32(truncatingIfNeeded: items.count)
      while let tag = reader.tag() {
        guard tag == .own else {
          items.append(EditStep.Items(kept: reader.range()))
          continue
        }
        items.appendOwn(rest.itemCount, since: first)
        reader.readItem(into: &rest)
      }
      let range = first..<Int32(truncatingIfNeeded: items.count)
      sections.append(.changed(EditStep.Section(other: other, own: own, items: range)))
    }
    rest.finishParts()
    rest.buffers = [SharedBytes(copying: bytes)]
    return EditStep(sections: sections, items: items, rest: rest)
  }
}

extension PackedStep {
  /// Stops the program if an invariant is violated: the step is valid.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  func checkInvariants() { step.checkInvariants() }
}

extension SectionTraits {
  /// The selection mode, and whether an empty selection is allowed.
  fileprivate var flags: UInt8 {
    get { selectionMode.rawValue << 1 | (allowsEmptySelection ? 1 : 0) }
    set {
      allowsEmptySelection = newValue & 1 == 1
      selectionMode = SelectionMode(rawValue: newValue >> 1)!
    }
  }
}

/// What begins a section or an item.
private enum PackedTag: Int {
  case kept = 1
  case own
}

/// A step as bytes.
private struct PackedContent: StepContent {
  private var writer: PackedWriter

  /// Begins a step of about `size` bytes.
  init(mayRepeat: Bool, about size: Int) {
    writer = PackedWriter(capacity: size)
    writer.append(mayRepeat ? 1 : 0)
  }

  /// The number of bytes that a step may take beyond what it needs.
  private static let waste = 64

  mutating func keepSections(_ range: Range<Int32>) { keepItems(range) }

  mutating func beginSection(
    other: Int32, own: (key: UInt32, traits: SectionTraits, text: UnsafeRawBufferPointer)?
  ) {
    writer.append(PackedTag.own.rawValue)
    writer.append(Int(other) + 1)
    guard let (key, traits, text) = own else { return writer.append(0) }
    writer.append(1)
    writer.append(Int(key))
    writer.append(Int(traits.flags))
    writer.append(Int(traits.headerTemplate))
    writer.append(Int(traits.footerTemplate))
    writer.append(text)
  }

  mutating func keepItems(_ range: Range<Int32>) {
    writer.append(PackedTag.kept.rawValue)
    writer.append(range)
  }

  mutating func addItem(
    _ record: ItemRecord, _ text: UnsafeRawBufferPointer, _ parts: [Part]?
  ) {
    writer.append(PackedTag.own.rawValue)
    writer.append(Int(record.key))
    writer.append(Int(record.traits.subtracting(.selected).rawValue))
    writer.append(Int(record.template))
    writer.append(text)
    writer.append(parts)
  }

  mutating func endSection() { writer.append(0) }

  /// Returns the step, in little more memory than it needs.
  consuming func packed() -> [UInt8] {
    writer.append(0)
    if writer.bytes.capacity - writer.bytes.count <= Self.waste { return writer.bytes }
    var packed: [UInt8] = []
    packed.reserveCapacity(writer.bytes.count)
    packed += writer.bytes
    return packed
  }
}

private struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ number: Int) {
    var rest = UInt64(number)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func append(_ range: Range<Int32>) {
    append(Int(range.lowerBound))
    append(range.count)
  }

  mutating func append(_ text: UnsafeRawBufferPointer) {
    append(text.count)
    bytes.append(contentsOf: text)
  }

  /// Appends the parts of an item; `nil` if the item is a row.
  mutating func append(_ parts: [Part]?) {
    append(parts.map { $0.count + 1 } ?? 0)
    for part in parts ?? [] {
      append(Int(part.key))
      append(Int(part.template))
      append(Int(part.payload.start))
      append(Int(part.payload.length))
    }
  }
}

private struct PackedReader {
  let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Int {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[offset]
      offset += 1
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { return Int(number) }
    }
  }

  /// Reads what comes next; `nil` at the end of the items or of the sections.
  mutating func tag() -> PackedTag? { PackedTag(rawValue: next()) }

  mutating func range() -> Range<Int32> {
    let start = Int32(truncatingIfNeeded: next())
    return start..<start + Int32(truncatingIfNeeded: next())
  }

  /// Reads the own members of a section.
  mutating func readSection(into rest: inout Snapshot) {
    rest.arrangement.sections.append(UInt32(truncatingIfNeeded: next()))
    var traits = SectionTraits(own: .empty)
    traits.flags = UInt8(truncatingIfNeeded: next())
    traits.headerTemplate = UInt32(truncatingIfNeeded: next())
    traits.footerTemplate = UInt32(truncatingIfNeeded: next())
    traits.own = payload()
    rest.sections.append(traits)
  }

  /// Reads an item.
  mutating func readItem(into rest: inout Snapshot) {
    let key = UInt32(truncatingIfNeeded: next())
    let traits = ItemTraits(rawValue: UInt8(truncatingIfNeeded: next()))
    let template = UInt32(truncatingIfNeeded: next())
    rest.append(
      ItemRecord(
        key: key, payload: payload(), details: ItemDetails(template: template), traits: traits))
    if let parts = parts() { rest.addParts(parts, ofItem: rest.itemCount - 1) }
  }

  /// Reads a text, which stays inside the packed bytes.
  private mutating func payload() -> Payload {
    let length = next()
    defer { offset += length }
    return Payload(start: offset, length: length, buffer: 0)
  }

  /// Reads the parts of an item; `nil` if the item is a row.
  private mutating func parts() -> [Part]? {
    let count = next()
    guard count > 0 else { return nil }
    return (0..<count - 1).map { _ in
      let key = UInt32(truncatingIfNeeded: next())
      let template = UInt32(truncatingIfNeeded: next())
      let start = next()
      return Part(
        key: key, payload: Payload(start: start, length: next(), buffer: 0), template: template)
    }
  }
}
