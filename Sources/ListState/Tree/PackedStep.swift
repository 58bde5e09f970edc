import ListDiff

import class JSONBytes.SharedBytes

/// A step as bytes, for history, in which most steps are of one item: numbers of seven bits a byte, the
/// lowest first, each but the last with the highest bit set, and the texts among them.
///
/// One of many items is kept as it is: while it is packed it would take its room twice.
struct PackedStep: Sendable {
  private enum Form: Sendable {
    case bytes([UInt8])
    indirect case whole(EditStep)
  }

  private let form: Form

  /// The most ranges of items of a step that is packed.
  private static let mostItems = 1024

  /// - Complexity: O(*k*), where *k* is the size of the step.
  init(_ step: EditStep) {
    guard step.items.count <= Self.mostItems else {
      form = .whole(step)
      return
    }
    var writer = PackedWriter()
    writer.add(step.sections.count)
    for section in step.sections {
      switch section {
      case .kept(let range):
        writer.add(0)
        writer.add(range)
      case .changed(let section):
        writer.add(1)
        writer.add(Int(section.other) + 1)
        writer.add(Int(section.own) + 1)
        writer.add(section.items.count)
        for items in step.items[Int(section.items.lowerBound)..<Int(section.items.upperBound)] {
          switch items {
          case .kept(let range):
            writer.add(0)
            writer.add(range)
          case .own(let range):
            writer.add(1)
            writer.add(range)
          }
        }
      }
    }
    writer.add(step.rest.sections.count)
    for (key, traits) in zip(step.rest.arrangement.sections, step.rest.sections) {
      writer.add(Int(key))
      writer.add(Int(traits.flags))
      writer.add(Int(traits.headerTemplate))
      writer.add(Int(traits.footerTemplate))
      writer.add(step.rest.bytes(of: traits.own))
    }
    writer.add(step.rest.itemCount)
    for item in 0..<step.rest.itemCount {
      writer.add(Int(step.rest.arrangement.rows[item]))
      writer.add(Int(step.rest.traits[item].rawValue))
      writer.add(Int(step.rest.template(ofItem: item)))
      writer.add(step.rest.bytes(of: step.rest.payloads[item]))
    }
    form = .bytes(writer.bytes)
  }

  /// The memory that the step takes, in bytes.
  var footprint: Int {
    switch form {
    case .bytes(let bytes): bytes.footprint
    case .whole(let step): step.sections.footprint + step.items.footprint + step.rest.footprint
    }
  }

  /// The step.
  ///
  /// - Complexity: O(*k*), where *k* is the size of the step.
  var step: EditStep {
    switch form {
    case .bytes(let bytes): Self.unpacked(bytes)
    case .whole(let step): step
    }
  }

  private static func unpacked(_ bytes: [UInt8]) -> EditStep {
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
    for _ in 0..<reader.next() {
      let key = UInt32(truncatingIfNeeded: reader.next())
      let traits = ItemTraits(rawValue: UInt8(truncatingIfNeeded: reader.next()))
      let template = UInt32(truncatingIfNeeded: reader.next())
      rest.append(
        ItemRecord(key: key, payload: reader.payload(), traits: traits, template: template))
    }
    rest.buffers = [SharedBytes(copying: bytes)]
    return EditStep(sections: sections, items: items, rest: rest)
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

  mutating func add(_ number: Int) {
    var rest = UInt64(number)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func add(_ range: Range<Int32>) {
    add(Int(range.lowerBound))
    add(range.count)
  }

  mutating func add(_ text: UnsafeRawBufferPointer) {
    add(text.count)
    bytes.append(contentsOf: text)
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

  /// A text, which is where it was packed.
  mutating func payload() -> Payload {
    let length = next()
    defer { offset += length }
    return Payload(start: offset, length: length, buffer: 0)
  }
}
