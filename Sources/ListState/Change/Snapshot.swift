import ByteBuffers
import ListDiff
import ListStages

/// A range of one of a snapshot's buffers that contains a text.
@usableFromInline
package struct Payload: Hashable, BitwiseCopyable, Sendable {
  package var start: UInt32
  package var length: UInt32
  package var buffer: UInt32

  package init(start: Int, length: Int, buffer: Int) {
    self.start = UInt32(start)
    self.length = UInt32(length)
    self.buffer = UInt32(buffer)
  }

  /// No text, also for an item whose text is in another tree. The text of an item is not empty.
  package static let empty = Payload(start: 0, length: 0, buffer: 0)

  /// Returns the same text if the buffers are renumbered.
  func moved(to buffers: [Int]) -> Payload {
    var moved = self
    moved.buffer = UInt32(buffers[Int(buffer)])
    return moved
  }
}

/// The properties of an item beside its content.
@usableFromInline
package struct ItemTraits: OptionSet, BitwiseCopyable, Sendable {
  @usableFromInline package let rawValue: UInt8
  @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Adds traits. The generic operations of `OptionSet` take longer than reading an item.
  package mutating func add(_ other: ItemTraits) {
    self = ItemTraits(rawValue: rawValue | other.rawValue)
  }

  /// The item has an explicit identifier. No other item of the list has the same.
  package static let hasExplicitID = ItemTraits(rawValue: 1)
  package static let notSelectable = ItemTraits(rawValue: 2)

  /// The item is selected. Used only in trees.
  static let selected = ItemTraits(rawValue: 4)

  /// The item is collapsed, among all items of an outline.
  static let hidden = ItemTraits(rawValue: 8)

  /// The identity of the item is not its own `id`: the request that brought it said which members make it.
  package static let isKeyed = ItemTraits(rawValue: 16)
}

/// How many items of a section may be selected.
package enum SelectionMode: UInt8, Sendable, CaseIterable {
  case none
  case single
  case multiple
}

/// The properties of a section beside its items.
@usableFromInline
package struct SectionTraits: Hashable, Sendable {
  /// The section's own members as one JSON object.
  package var own: Payload
  package var selectionMode: SelectionMode
  package var allowsEmptySelection: Bool
  /// The keys of the templates of header and footer plus one, 0 for the default templates.
  package var headerTemplate: UInt32 = 0
  package var footerTemplate: UInt32 = 0

  package init(own: Payload) {
    self.own = own
    selectionMode = .single
    allowsEmptySelection = false
  }
}

/// The content of a list at one revision: sections of items, as columns of keys, traits and text
/// ranges.
///
/// Texts stay in the buffers of the messages in which they arrived. Copies share the columns until
/// one of them is changed.
@usableFromInline
package struct Snapshot: Sendable {
  struct Columns: Sendable {
    var arrangement = Arrangement()
    var sections: [SectionTraits] = []
    var payloads: [Payload] = []
    var traits: [ItemTraits] = []
    var templates: [UInt32] = []
    var parts: Parts?
    var buffers: [SharedBytes] = []
    var hasDuplicates = false
    var depth = 0
    var column = 0
    var textsAscend = false
  }

  // Changed only while uniquely referenced, so that accesses never overlap.
  final class SharedColumns: @unchecked Sendable {
    @exclusivity(unchecked) var columns: Columns

    init(_ columns: consuming Columns) { self.columns = consume columns }
  }

  var storage: SharedColumns

  private static let empty = SharedColumns(Columns())

  /// Creates an empty snapshot.
  package init() { storage = Self.empty }

  init(_ columns: consuming Columns) {
    storage = SharedColumns(consume columns)
  }

  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = SharedColumns(storage.columns) }
  }

  /// Adds an item to the last section.
  mutating func append(
    _ key: UInt32, _ payload: Payload, _ traits: ItemTraits, template: UInt32
  ) {
    makeUnique()
    storage.columns.append(key, payload, traits, template: template)
  }

  /// Begins a section at an item. Items are added to the last section.
  mutating func beginSection(_ key: UInt32, _ traits: SectionTraits, at item: Int) {
    makeUnique()
    storage.columns.beginSection(key, traits, at: Int32(item))
  }

  /// Reserves memory for a number of items.
  mutating func reserve(_ count: Int) {
    makeUnique()
    storage.columns.arrangement.rows.reserveCapacity(count)
    storage.columns.payloads.reserveCapacity(count)
    storage.columns.traits.reserveCapacity(count)
  }

  /// The number of items.
  package var itemCount: Int { payloads.count }

  /// Returns the key of an item's template plus one, 0 for the default template.
  package func template(ofItem item: Int) -> UInt32 { templates.isEmpty ? 0 : templates[item] }

  /// About how much memory the columns of its items take, in bytes.
  var columnBytes: Int {
    arrangement.rows.footprint + payloads.footprint + traits.footprint + templates.footprint
  }

  /// The memory that the snapshot keeps alive, in bytes.
  package var footprint: Int {
    buffers.reduce(buffers.footprint) { $0 + $1.footprint } + sections.footprint
      + arrangement.sections.footprint + arrangement.starts.footprint
      + columnBytes + (parts?.footprint ?? 0)
  }

  /// Returns the bytes of a text, valid during the lifetime of the snapshot.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let bytes = buffers[Int(payload.buffer)].bytes
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(payload.length)])
  }
}

extension Snapshot.Columns {
  fileprivate mutating func beginSection(_ key: UInt32, _ own: SectionTraits, at start: Int32) {
    // Most lists have one section, for which an array need not grow.
    if sections.isEmpty {
      arrangement.sections = [key]
      sections = [own]
    } else {
      arrangement.sections.append(key)
      sections.append(own)
    }
    arrangement.starts.append(start)
  }

  fileprivate mutating func append(
    _ key: UInt32, _ payload: Payload, _ itemTraits: ItemTraits, template: UInt32
  ) {
    if payloads.isEmpty, arrangement.rows.capacity == 0 {
      // An array need not grow for a single item.
      arrangement.rows = [key]
      payloads = [payload]
      traits = [itemTraits]
    } else {
      arrangement.rows.append(key)
      payloads.append(payload)
      traits.append(itemTraits)
    }
    if template != 0, templates.isEmpty {
      templates = Array(repeating: 0, count: payloads.count - 1)
    }
    if template != 0 || !templates.isEmpty { templates.append(template) }
  }
}

extension Snapshot {
  /// Stops the program if an invariant is violated: all columns have one element for each item or
  /// section, sections start in order, and texts are within their buffers.
  ///
  /// - Complexity: O(*n* + *s*), where *n* is the number of items and *s* the number of sections.
  package func checkInvariants() {
    let starts = arrangement.starts
    precondition(arrangement.rows.count == itemCount, "each item has a key")
    precondition(traits.count == itemCount, "each item has traits")
    precondition(templates.isEmpty || templates.count == itemCount, "each item has a template")
    precondition(arrangement.sections.count == sections.count, "each section has a key")
    precondition(starts.count == sections.count + 1, "each section has a start")
    precondition(starts.first == 0 && Int(starts.last!) == itemCount, "sections contain all items")
    precondition(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }, "sections are in order")
    for payload in sections.map(\.own) + payloads + (parts?.payloads ?? []) {
      precondition(
        Int(payload.start) + Int(payload.length) <= buffers[Int(payload.buffer)].count,
        "a text is in its buffer")
    }
    guard let parts else { return }
    precondition(parts.items.starts.count == itemCount + 1, "each item has a range of rows")
    precondition(
      rowStarts == starts.map { parts.items.starts[Int($0)] }, "sections have their rows")
    precondition(Int(rowStarts.last!) == rowCount, "sections contain all rows")
    precondition(
      (0..<rowCount).allSatisfy { rows(ofItem: item(ofRow: $0)).contains($0) },
      "a row is one of its item's rows")
  }
}

extension Array {
  /// The approximate memory that the elements take, in bytes. Depends only on their number.
  var footprint: Int { isEmpty ? 0 : count * MemoryLayout<Element>.stride + 48 }
}
