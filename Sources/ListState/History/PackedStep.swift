import ByteBuffers
import ListDiff

/// An ``EditStep`` as bytes, for the history, in which most steps have one item.
///
/// Numbers have seven bits in each byte, lowest first. The highest bit is set in all bytes but the
/// last. The texts are among the numbers:
///
/// ```
///   count of sections    { 0, kept range | 1, other + 1, own + 1, count, items… }
///   count of own members { key, flags, header template, footer template, text }
///   count of own items × 2, plus 1 if items may repeat    { key, traits, template, text, parts }
///   count of parts + 1, 0 for a row    { key, template, start in the item's text, length }
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
    var maker = StepMaker(PackedContent())
    maker.describe(comparison, matching, toOld: true, tree)
    form = .bytes(
      maker.content.packed(maker.sections, maker.items, mayRepeat: !tree.repeats.isEmpty))
  }

  /// - Complexity: O(*k*), where *k* is the size of the step.
  init(_ step: EditStep) {
    guard step.items.count <= Self.mostItems else {
      form = .unpacked(step)
      return
    }
    let rest = step.rest
    var content = PackedContent()
    for (key, traits) in zip(rest.arrangement.sections, rest.sections) {
      content.addSection(key, traits, rest.bytes(of: traits.own))
    }
    for item in 0..<rest.itemCount {
      content.addItem(
        ItemRecord(
          key: rest.arrangement.rows[item], payload: rest.payloads[item],
          details: ItemDetails(template: rest.template(ofItem: item)), traits: rest.traits[item]),
        rest.bytes(of: rest.payloads[item]), rest.parts(ofItem: item))
    }
    form = .bytes(
      content.packed(step.sections, step.items, mayRepeat: rest.arrangement.hasRepeats))
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
    for _ in 0..<reader.next() {
      guard reader.next() == 1 else {
        sections.append(.kept(reader.range()))
        continue
      }
      let other = Int32(truncatingIfNeeded: reader.next() - 1)
      let own = Int32(truncatingIfNeeded: reader.next() - 1)
      let first = Int32(truncatingIfNeeded: items.count)
      for _ in 0..<reader.next() {
        items.append(reader.next() == 0 ? .kept(reader.range()) : .own(reader.range()))
      }
      let range = first..<Int32(truncatingIfNeeded: items.count)
      sections.append(.changed(EditStep.Section(other: other, own: own, items: range)))
    }
    var rest = Snapshot()
    for _ in 0..<reader.next() {
      rest.arrangement.sections.append(UInt32(truncatingIfNeeded: reader.next()))
      var traits = SectionTraits(own: .empty)
      traits.flags = UInt8(truncatingIfNeeded: reader.next())
      traits.headerTemplate = UInt32(truncatingIfNeeded: reader.next())
      traits.footerTemplate = UInt32(truncatingIfNeeded: reader.next())
      traits.own = reader.payload()
      rest.sections.append(traits)
    }
    let numbers = reader.next()
    rest.arrangement.hasRepeats = numbers & 1 == 1
    for _ in 0..<numbers >> 1 {
      let key = UInt32(truncatingIfNeeded: reader.next())
      let traits = ItemTraits(rawValue: UInt8(truncatingIfNeeded: reader.next()))
      let template = UInt32(truncatingIfNeeded: reader.next())
      rest.append(
        ItemRecord(
          key: key, payload: reader.payload(), details: ItemDetails(template: template),
          traits: traits))
      if let parts = reader.parts() { rest.addParts(parts, ofItem: rest.itemCount - 1) }
    }
    rest.finishParts()
    rest.buffers = [SharedBytes(copying: bytes)]
    return EditStep(sections: sections, items: items, rest: rest)
  }
}

extension PackedStep {
  /// Stops the program if an invariant is violated: the step is valid, and packing it again makes
  /// the same bytes.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  func checkInvariants() {
    step.checkInvariants()
    guard case .bytes(let bytes) = form else { return }
    guard case .bytes(let again) = PackedStep(step).form else {
      preconditionFailure("a packed step is small")
    }
    precondition(again == bytes, "a step is packed without loss")
  }
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

/// The own content of a step as bytes.
private struct PackedContent: StepContent {
  private(set) var sectionCount = 0
  private(set) var itemCount = 0
  private var sections = PackedWriter()
  private var items = PackedWriter()

  mutating func addSection(
    _ key: UInt32, _ traits: SectionTraits, _ own: UnsafeRawBufferPointer
  ) {
    sectionCount += 1
    sections.append(Int(key))
    sections.append(Int(traits.flags))
    sections.append(Int(traits.headerTemplate))
    sections.append(Int(traits.footerTemplate))
    sections.append(own)
  }

  mutating func addItem(
    _ record: ItemRecord, _ text: UnsafeRawBufferPointer, _ parts: [Part]?
  ) {
    itemCount += 1
    items.reserve(text.count)
    items.append(Int(record.key))
    items.append(Int(record.traits.subtracting(.selected).rawValue))
    items.append(Int(record.template))
    items.append(text)
    items.append(parts)
  }

  /// Returns the step with this content.
  func packed(
    _ sections: [EditStep.Sections], _ items: [EditStep.Items], mayRepeat: Bool
  ) -> [UInt8] {
    var writer = PackedWriter()
    writer.reserve(
      self.sections.bytes.count + self.items.bytes.count + 8 * (sections.count + items.count))
    writer.append(sections.count)
    for section in sections {
      switch section {
      case .kept(let range):
        writer.append(0)
        writer.append(range)
      case .changed(let section):
        writer.append(1)
        writer.append(Int(section.other) + 1)
        writer.append(Int(section.own) + 1)
        writer.append(section.items.count)
        for index in section.items {
          switch items[Int(index)] {
          case .kept(let range):
            writer.append(0)
            writer.append(range)
          case .own(let range):
            writer.append(1)
            writer.append(range)
          }
        }
      }
    }
    writer.append(sectionCount)
    writer.append(self.sections)
    writer.append(itemCount << 1 | (mayRepeat ? 1 : 0))
    writer.append(self.items)
    return writer.bytes
  }
}

private struct PackedWriter {
  private(set) var bytes: [UInt8] = []

  /// Reserves memory for a text or steps, and for a few numbers.
  mutating func reserve(_ count: Int) {
    if bytes.isEmpty { bytes.reserveCapacity(count + 16) }
  }

  mutating func append(_ other: PackedWriter) { bytes += other.bytes }

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

  mutating func range() -> Range<Int32> {
    let start = Int32(truncatingIfNeeded: next())
    return start..<start + Int32(truncatingIfNeeded: next())
  }

  /// Reads a text, which stays inside the packed bytes.
  mutating func payload() -> Payload {
    let length = next()
    defer { offset += length }
    return Payload(start: offset, length: length, buffer: 0)
  }

  /// Reads the parts of an item; `nil` if the item is a row.
  mutating func parts() -> [Part]? {
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
