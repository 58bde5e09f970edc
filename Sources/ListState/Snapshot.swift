import ListDiff

import class JSONBytes.SharedBytes

/// Where a text is: a range of one of a snapshot's buffers.
package struct Payload: Hashable, Sendable {
  package var start: UInt32
  package var length: UInt32
  package var buffer: UInt32

  package init(start: Int, length: Int, buffer: Int) {
    self.start = UInt32(start)
    self.length = UInt32(length)
    self.buffer = UInt32(buffer)
  }

  /// The same text where the buffers have other numbers.
  func moved(to buffers: [Int]) -> Payload {
    var moved = self
    moved.buffer = UInt32(buffers[Int(buffer)])
    return moved
  }
}

/// What an item is beside its content.
package struct ItemTraits: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Adds traits, without the generic ways of `OptionSet`, which take longer than to read an item.
  package mutating func add(_ other: ItemTraits) {
    self = ItemTraits(rawValue: rawValue | other.rawValue)
  }

  /// The identifier is a promise: no other item of the list has the same.
  package static let promised = ItemTraits(rawValue: 1)
  package static let notSelectable = ItemTraits(rawValue: 2)

  /// The item is selected, in a list that is kept as a tree.
  static let selected = ItemTraits(rawValue: 4)
}

/// How many items of a section may be selected.
package enum SelectionMode: UInt8, Sendable, CaseIterable {
  case none
  case single
  case multiple
}

/// What a section is beside its items.
package struct SectionTraits: Hashable, Sendable {
  /// The section's own members as one JSON object.
  package var own: Payload
  package var selectionMode: SelectionMode
  package var allowsEmptySelection: Bool
  /// Keys of the templates of header and footer plus one, 0 for the default ones.
  package var headerTemplate: UInt32 = 0
  package var footerTemplate: UInt32 = 0

  package init(own: Payload) {
    self.own = own
    selectionMode = .single
    allowsEmptySelection = false
  }
}

/// Sections of items at one moment: columns of keys, traits and places of texts.
///
/// The texts stay in the buffers in which they came.
package struct Snapshot: Sendable {
  /// The identities of sections and items.
  package var arrangement = Arrangement()
  package var sections: [SectionTraits] = []
  package var payloads: [Payload] = []
  package var traits: [ItemTraits] = []

  /// By item the key of its template plus one, 0 for the default; empty where all have that.
  package var templates: [UInt32] = []

  /// The rows, where an item shows as several or none; `nil` where each item is a row.
  package var parts: Parts?

  package var buffers: [SharedBytes] = []

  /// What the edits that made the snapshot want told even where it is the same.
  package var touched = TouchedContents()

  /// Whether an identifier that is a promise is given twice; no list comes to have such a snapshot.
  package var hasDuplicates = false

  /// The fewest containers that were open around an item where it was read, 0 where that is not
  /// known.
  package var depth = 0

  /// How many columns of keys had been noted when the items' were; 0 where they never were.
  package internal(set) var column = 0

  package init() {}

  /// The number of items.
  package var itemCount: Int { payloads.count }

  /// The key of an item's template plus one, 0 for the default.
  package func template(ofItem item: Int) -> UInt32 { templates.isEmpty ? 0 : templates[item] }

  /// The memory that the snapshot keeps alive, in bytes.
  package var footprint: Int {
    buffers.reduce(buffers.footprint) { $0 + $1.footprint } + sections.footprint
      + arrangement.sections.footprint + arrangement.starts.footprint
      + arrangement.rows.footprint + payloads.footprint + traits.footprint
      + templates.footprint + (parts?.footprint ?? 0)
  }

  /// The bytes of a text, valid as long as the snapshot lives.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer {
    let bytes = buffers[Int(payload.buffer)].bytes
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(payload.length)])
  }
}

extension Array {
  /// About the memory that the elements take, in bytes, the same wherever they are the same.
  var footprint: Int { isEmpty ? 0 : count * MemoryLayout<Element>.stride + 48 }
}
