import ByteBuffers
import ListDiff
import ListStages

extension Snapshot {
  /// The identities of sections and items.
  package var arrangement: Arrangement {
    _read { yield storage.columns.arrangement }
    _modify {
      makeUnique()
      yield &storage.columns.arrangement
    }
  }

  package var sections: [SectionTraits] {
    _read { yield storage.columns.sections }
    _modify {
      makeUnique()
      yield &storage.columns.sections
    }
  }

  /// The text of each item.
  package var payloads: [Payload] {
    _read { yield storage.columns.payloads }
    _modify {
      makeUnique()
      storage.columns.textsAscend = false
      yield &storage.columns.payloads
    }
  }

  package var traits: [ItemTraits] {
    _read { yield storage.columns.traits }
    _modify {
      makeUnique()
      yield &storage.columns.traits
    }
  }

  /// The key of each item's template plus one, 0 for the default template. Empty if all items have
  /// the default template.
  package var templates: [UInt32] {
    _read { yield storage.columns.templates }
    _modify {
      makeUnique()
      yield &storage.columns.templates
    }
  }

  /// The rows, if some items are shown as several rows or none; `nil` if each item is a row.
  package var parts: Parts? {
    _read { yield storage.columns.parts }
    _modify {
      makeUnique()
      yield &storage.columns.parts
    }
  }

  /// Whether some items are shown as several rows or none.
  package var hasParts: Bool { storage.columns.parts != nil }

  package var buffers: [SharedBytes] {
    _read { yield storage.columns.buffers }
    _modify {
      makeUnique()
      yield &storage.columns.buffers
    }
  }

  /// Whether an explicit identifier is a duplicate. The snapshot of a list has no duplicates.
  package var hasDuplicates: Bool {
    _read { yield storage.columns.hasDuplicates }
    _modify {
      makeUnique()
      yield &storage.columns.hasDuplicates
    }
  }

  /// The minimum number of containers that were open around an item when it was read, 0 if unknown.
  package var depth: Int {
    _read { yield storage.columns.depth }
    _modify {
      makeUnique()
      yield &storage.columns.depth
    }
  }

  /// Whether the texts of the items are known to be in the first buffer, in order. A change of any of them
  /// makes it false.
  package internal(set) var textsAscend: Bool {
    get { storage.columns.textsAscend }
    set {
      makeUnique()
      storage.columns.textsAscend = newValue
    }
  }

  /// The number of the column of the items' keys in ``ListStore/keyIndices``, 0 if it was not recorded.
  package internal(set) var column: Int {
    _read { yield storage.columns.column }
    _modify {
      makeUnique()
      yield &storage.columns.column
    }
  }
}
