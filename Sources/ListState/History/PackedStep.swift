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

  /// - Complexity: O(*k*), where *k* is the size of the step.
  init(_ step: EditStep) {
    guard step.items.count <= Self.mostItems else {
      form = .unpacked(step)
      return
    }
    var writer = PackedWriter()
    writer.append(step.sections.count)
    for section in step.sections {
      switch section {
      case .kept(let range):
        writer.append(0)
        writer.append(range)
      case .changed(let section):
        writer.append(1)
        writer.append(Int(section.other) + 1)
        writer.append(Int(section.own) + 1)
        writer.append(section.items.count)
        for items in step.items[Int(section.items.lowerBound)..<Int(section.items.upperBound)] {
          switch items {
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
    writer.append(step.rest.sections.count)
    for (key, traits) in zip(step.rest.arrangement.sections, step.rest.sections) {
      writer.append(Int(key))
      writer.append(Int(traits.flags))
      writer.append(Int(traits.headerTemplate))
      writer.append(Int(traits.footerTemplate))
      writer.append(step.rest.bytes(of: traits.own))
    }
    writer.append(step.rest.itemCount << 1 | (step.rest.arrangement.hasRepeats ? 1 : 0))
    for item in 0..<step.rest.itemCount {
      writer.append(Int(step.rest.arrangement.rows[item]))
      writer.append(Int(step.rest.traits[item].rawValue))
      writer.append(Int(step.rest.template(ofItem: item)))
      writer.append(step.rest.bytes(of: step.rest.payloads[item]))
      writer.append(step.rest.parts(ofItem: item))
    }
    form = .bytes(writer.bytes)
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
      var traits = SectionTraits(own: Payload(start: 0, length: 0, buffer: 0))
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

private struct PackedWriter {
  private(set) var bytes: [UInt8] = []

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
