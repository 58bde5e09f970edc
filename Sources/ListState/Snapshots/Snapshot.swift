import ByteBuffers
import ListDiff

/// A range of one of a snapshot's buffers that contains a text.
package struct Payload: Hashable, BitwiseCopyable, Sendable {
  package var start: UInt32
  package var length: UInt32
  package var buffer: UInt32

  package init(start: Int, length: Int, buffer: Int) {
    self.start = UInt32(start)
    self.length = UInt32(length)
    self.buffer = UInt32(buffer)
  }

  /// Returns the same text if the buffers are renumbered.
  func moved(to buffers: [Int]) -> Payload {
    var moved = self
    moved.buffer = UInt32(buffers[Int(buffer)])
    return moved
  }
}

/// The properties of an item beside its content.
package struct ItemTraits: OptionSet, BitwiseCopyable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Adds traits. The generic operations of `OptionSet` take longer than reading an item.
  package mutating func add(_ other: ItemTraits) {
    self = ItemTraits(rawValue: rawValue | other.rawValue)
  }

  /// The item has an explicit identifier. No other item of the list has the same.
  package static let hasExplicitID = ItemTraits(rawValue: 1)
  package static let notSelectable = ItemTraits(rawValue: 2)

  /// The item is selected. Used only in lists that are kept as trees.
  static let selected = ItemTraits(rawValue: 4)

  /// The item is collapsed, among all items of an outline that are kept as a tree.
  static let hidden = ItemTraits(rawValue: 8)
}

/// How many items of a section may be selected.
package enum SelectionMode: UInt8, Sendable, CaseIterable {
  case none
  case single
  case multiple
}

/// The properties of a section beside its items.
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
/// Texts stay in the buffers of the messages in which they arrived.
package struct Snapshot: Sendable {
  /// The identities of sections and items.
  package var arrangement = Arrangement()
  package var sections: [SectionTraits] = []
  package var payloads: [Payload] = []
  package var traits: [ItemTraits] = []

  /// The key of each item's template plus one, 0 for the default template. Empty if all items have
  /// the default template.
  package var templates: [UInt32] = []

  /// The rows, if some items are shown as several rows or none; `nil` if each item is a row.
  package var parts: Parts?

  package var buffers: [SharedBytes] = []

  /// Items and sections to report as updated even if their content is unchanged (from `reload*` and
  /// `reconfigure*` edits).
  package var forcedUpdates = ForcedUpdates()

  /// Whether an explicit identifier is a duplicate. The snapshot of a list has no duplicates.
  package var hasDuplicates = false

  /// The minimum number of containers that were open around an item when it was read, 0 if unknown.
  package var depth = 0

  /// The number of the column of the items' keys in ``ListStore/keyIndices``, 0 if it was not recorded.
  package internal(set) var column = 0

  package init() {}

  /// The number of items.
  package var itemCount: Int { payloads.count }

  /// Returns the key of an item's template plus one, 0 for the default template.
  package func template(ofItem item: Int) -> UInt32 { templates.isEmpty ? 0 : templates[item] }

  /// The memory that the snapshot keeps alive, in bytes.
  package var footprint: Int {
    buffers.reduce(buffers.footprint) { $0 + $1.footprint } + sections.footprint
      + arrangement.sections.footprint + arrangement.starts.footprint
      + arrangement.rows.footprint + payloads.footprint + traits.footprint
      + templates.footprint + (parts?.footprint ?? 0)
  }

  /// Returns the bytes of a text, valid during the lifetime of the snapshot.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let bytes = buffers[Int(payload.buffer)].bytes
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(payload.length)])
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
