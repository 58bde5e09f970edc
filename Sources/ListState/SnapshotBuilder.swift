import ListDiff

import class JSONBytes.SharedBytes

/// Makes a snapshot section by section and item by item, and finds identifiers given twice.
package struct SnapshotBuilder {
  package private(set) var snapshot = Snapshot()

  /// Whether an identifier that is a promise was given twice, or a section's.
  package private(set) var hasDuplicates = false

  package init(buffers: [SharedBytes]) {
    snapshot.buffers = buffers
    snapshot.arrangement.starts = []
  }

  /// Begins a section; the items added next are its own.
  package mutating func beginSection(_ key: UInt32, _ traits: SectionTraits) {
    snapshot.arrangement.sections.append(key)
    snapshot.arrangement.starts.append(Int32(snapshot.payloads.count))
    snapshot.sections.append(traits)
  }

  /// Replaces the traits of the section begun last, whose members may come after its items.
  package mutating func describeSection(_ key: UInt32, _ traits: SectionTraits) {
    snapshot.arrangement.sections[snapshot.sections.count - 1] = key
    snapshot.sections[snapshot.sections.count - 1] = traits
  }

  /// Adds a buffer, known by the number of those before it.
  package mutating func addBuffer(_ buffer: SharedBytes) { snapshot.buffers.append(buffer) }

  /// Takes away the items of the section begun last, whose items are given anew.
  package mutating func removeItemsOfSection() {
    let start = Int(snapshot.arrangement.starts[snapshot.sections.count - 1])
    snapshot.arrangement.rows.removeSubrange(start...)
    snapshot.payloads.removeSubrange(start...)
    snapshot.traits.removeSubrange(start...)
    if !snapshot.templates.isEmpty { snapshot.templates.removeSubrange(start...) }
    snapshot.parts?.removeItems(from: start)
  }

  /// Adds an item to the section begun last; `template` is the key plus one, 0 for the default.
  package mutating func addItem(
    _ key: UInt32, _ payload: Payload, _ traits: ItemTraits, template: UInt32
  ) {
    snapshot.arrangement.rows.append(key)
    snapshot.payloads.append(payload)
    snapshot.traits.append(traits)
    if template != 0, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: snapshot.payloads.count - 1)
    }
    if template != 0 || !snapshot.templates.isEmpty { snapshot.templates.append(template) }
  }

  /// Adds items of another snapshot, whose buffers are those from a number on, with other keys
  /// where these are given.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(
    of source: Snapshot, _ range: Range<Int>, keys: [UInt32]? = nil, buffersFrom base: Int
  ) {
    let start = snapshot.payloads.count
    snapshot.arrangement.rows.append(contentsOf: (keys ?? source.arrangement.rows)[range])
    snapshot.payloads.append(contentsOf: source.payloads[range].lazy.map { $0.moved(by: base) })
    snapshot.traits.append(contentsOf: source.traits[range])
    if !source.templates.isEmpty, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: start)
    }
    if !source.templates.isEmpty || !snapshot.templates.isEmpty {
      snapshot.templates.append(contentsOf: range.lazy.map(source.template(ofItem:)))
    }
    guard let parts = source.parts else { return }
    for (place, item) in range.enumerated() {
      let rows = source.rows(ofItem: item)
      guard rows.count != 1 || source.isPart(rows.lowerBound) else { continue }
      addParts(
        rows.map { row in
          Part(
            key: parts.items.keys[row], payload: parts.payloads[row].moved(by: base),
            template: parts.templates[row])
        }, ofItem: start + place)
    }
  }

  /// Makes rows of the item added last: one a part, none where there are no parts.
  package mutating func addParts(_ parts: some Collection<Part>) {
    addParts(parts, ofItem: snapshot.payloads.count - 1)
  }

  private mutating func addParts(_ parts: some Collection<Part>, ofItem item: Int) {
    if snapshot.parts == nil {
      snapshot.parts = Parts(itemCount: item, snapshot.templates, snapshot.payloads)
    }
    snapshot.parts?.catchUp(to: item, snapshot.templates, snapshot.payloads)
    snapshot.parts?.append(parts)
  }

  /// Ends the snapshot and looks for keys that occur twice.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections and items.
  package mutating func finish(using tally: inout KeyTally) {
    snapshot.arrangement.starts.append(Int32(snapshot.payloads.count))
    snapshot.parts?.catchUp(to: snapshot.payloads.count, snapshot.templates, snapshot.payloads)
    snapshot.parts?.endSections(snapshot.arrangement.starts)
    tally.begin()
    for key in snapshot.arrangement.sections where tally.note(key, at: 0) != nil {
      hasDuplicates = true
    }
    tally.begin()
    for (item, key) in snapshot.arrangement.rows.enumerated() {
      guard let first = tally.note(key, at: item) else { continue }
      snapshot.arrangement.hasRepeats = true
      if snapshot.traits[item].union(snapshot.traits[first]).contains(.promised) {
        hasDuplicates = true
      }
    }
  }
}

/// Says of each key where it was first noted, without being cleared from one use to the next.
package struct KeyTally: Sendable {
  private var places: [Int32] = []
  private var uses: [UInt32] = []
  private var use: UInt32 = 0

  package init() {}

  /// Begins anew: no key is noted.
  package mutating func begin() {
    if use == .max {
      uses = Array(repeating: 0, count: uses.count)
      use = 0
    }
    use += 1
  }

  /// Notes a key at a place, or returns the place at which it was noted before.
  package mutating func note(_ key: UInt32, at place: Int) -> Int? {
    let key = Int(key)
    if key >= uses.count {
      let more = max(key + 1, uses.count * 2) - uses.count
      uses.append(contentsOf: repeatElement(0, count: more))
      places.append(contentsOf: repeatElement(0, count: more))
    }
    if uses[key] == use { return Int(places[key]) }
    uses[key] = use
    places[key] = Int32(truncatingIfNeeded: place)
    return nil
  }

  /// Where a key was noted.
  package func place(of key: UInt32) -> Int? {
    let key = Int(key)
    return key < uses.count && uses[key] == use ? Int(places[key]) : nil
  }
}
