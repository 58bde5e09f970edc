import ListDiff

import class JSONBytes.SharedBytes

/// Makes a snapshot section by section and item by item, and finds identifiers given twice.
package struct SnapshotBuilder {
  package private(set) var snapshot = Snapshot()

  /// Whether an identifier that is a promise was given twice, or a section's.
  package var hasDuplicates: Bool { snapshot.hasDuplicates }

  package init(buffers: [SharedBytes]) {
    snapshot.buffers = buffers
    snapshot.arrangement.starts = []
  }

  /// Lets go of what the buffers hold beside that which was added.
  mutating func tidyBuffers() { snapshot.tidyBuffers() }

  /// Copies what was added into a buffer of its own.
  mutating func copyTexts() { snapshot.copyTexts() }

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
  ///
  /// - Returns: The number of items before it.
  @discardableResult
  package mutating func addItem(
    _ key: UInt32, _ payload: Payload, _ traits: ItemTraits, template: UInt32
  ) -> Int {
    let item = snapshot.payloads.count
    snapshot.arrangement.rows.append(key)
    snapshot.payloads.append(payload)
    snapshot.traits.append(traits)
    if template != 0, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: snapshot.payloads.count - 1)
    }
    if template != 0 || !snapshot.templates.isEmpty { snapshot.templates.append(template) }
    return item
  }

  /// Adds items of another snapshot, whose buffers have the numbers `buffers` here, with other keys
  /// where these are given.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(
    of source: Snapshot, _ range: Range<Int>, keys: [UInt32]? = nil, buffers: [Int]
  ) {
    let start = snapshot.payloads.count
    snapshot.arrangement.rows.append(contentsOf: (keys ?? source.arrangement.rows)[range])
    snapshot.payloads.append(contentsOf: source.payloads[range].lazy.map { $0.moved(to: buffers) })
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
        parts.parts(at: rows).map { part in
          var part = part
          part.payload = part.payload.moved(to: buffers)
          return part
        }, ofItem: start + place)
    }
  }

  /// Adds items of another snapshot, whose buffers are the first ones here, by their indices there.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func addItems(_ items: ArraySlice<Int32>, of source: Snapshot) {
    let start = snapshot.payloads.count
    let indices = items.lazy.map { Int($0) }
    snapshot.arrangement.rows.append(contentsOf: indices.map { source.arrangement.rows[$0] })
    snapshot.payloads.append(contentsOf: indices.map { source.payloads[$0] })
    snapshot.traits.append(contentsOf: indices.map { source.traits[$0] })
    addTemplates(of: indices, of: source)
    if let parts = source.parts {
      for (place, item) in indices.enumerated() {
        let rows = source.rows(ofItem: item)
        guard rows.count != 1 || source.isPart(rows.lowerBound) else { continue }
        addParts(parts.parts(at: rows), ofItem: start + place)
      }
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

  /// The key of the item added last.
  package var lastKey: UInt32 { snapshot.arrangement.rows[snapshot.itemCount - 1] }

  /// Gives an item the key that was not known when it was added.
  package mutating func setKey(_ key: UInt32, ofItem item: Int) {
    snapshot.arrangement.rows[item] = key
  }

  /// Notes that parts of an item have the same identifier.
  package mutating func noteDuplicateParts() { snapshot.hasDuplicates = true }

  /// Notes how many containers are open around the items that come.
  package mutating func noteDepth(_ depth: Int) {
    snapshot.depth = snapshot.depth == 0 ? depth : min(snapshot.depth, depth)
  }

  /// Makes room for about `count` items in all.
  ///
  /// It is rounded up a good deal, so that the columns of a snapshot fit where those of one a little
  /// smaller were before; what is not written takes no memory.
  package mutating func reserve(about count: Int) {
    let more = min(count, 1 << 24) * 17 / 16
    let step = 1 << max(0, Int.bitWidth - more.leadingZeroBitCount - 4)
    let room = (more + step) & ~(step - 1)
    snapshot.arrangement.rows.reserveCapacity(room)
    snapshot.payloads.reserveCapacity(room)
    snapshot.traits.reserveCapacity(room)
  }

  /// Adds items of an earlier snapshot without parts, whose texts stand in the first buffer `shift`
  /// bytes after where they stood in the earlier one's.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(_ items: Range<Int>, of earlier: Snapshot, shift: Int) {
    // As spans: who asks for slices counts owners, often for few items.
    snapshot.arrangement.rows.append(earlier.arrangement.rows.span.extracting(items)) { $0 }
    snapshot.traits.append(earlier.traits.span.extracting(items)) { $0 }
    let shift = UInt32(truncatingIfNeeded: shift)
    snapshot.payloads.append(earlier.payloads.span.extracting(items)) { payload in
      var payload = payload
      payload.start &+= shift
      payload.buffer = 0
      return payload
    }
    addTemplates(of: items, of: earlier)
  }

  /// Adds single items of an earlier snapshot without parts, whose texts stand in the first buffer at
  /// `starts`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(
    _ items: ArraySlice<Int32>, of earlier: Snapshot, at starts: ArraySlice<Int>
  ) {
    let rows = earlier.arrangement.rows
    snapshot.arrangement.rows.append(addingCapacity: items.count) { added in
      for item in items { added.append(rows[Int(item)]) }
    }
    let traits = earlier.traits
    snapshot.traits.append(addingCapacity: items.count) { added in
      for item in items { added.append(traits[Int(item)]) }
    }
    let payloads = earlier.payloads
    snapshot.payloads.append(addingCapacity: items.count) { added in
      for (item, start) in zip(items, starts) {
        var payload = payloads[Int(item)]
        payload.start = UInt32(truncatingIfNeeded: start)
        added.append(payload)
      }
    }
    addTemplates(of: items.lazy.map { Int($0) }, of: earlier)
  }

  /// Adds the templates of items added last, where any item has one.
  private mutating func addTemplates(of items: some Collection<Int>, of earlier: Snapshot) {
    if earlier.templates.isEmpty, snapshot.templates.isEmpty { return }
    while snapshot.templates.count < snapshot.payloads.count - items.count {
      snapshot.templates.append(0)
    }
    for item in items { snapshot.templates.append(earlier.template(ofItem: item)) }
  }

  /// Ends the snapshot, where it is known that no key occurs twice.
  package mutating func finishDistinct() {
    snapshot.arrangement.starts.append(Int32(snapshot.payloads.count))
    snapshot.parts?.catchUp(to: snapshot.payloads.count, snapshot.templates, snapshot.payloads)
    snapshot.parts?.endSections(snapshot.arrangement.starts)
  }

  /// Looks for keys that occur twice among the sections and items added last.
  ///
  /// - Complexity: O(*n*), where *n* is the number of these sections and items.
  /// - Returns: Whether an identifier that is a promise is among them.
  package mutating func findRepeats(
    fromSection section: Int, item: Int, using places: inout KeyPlaces
  ) -> Bool {
    var hasDuplicates = false
    places.note(snapshot.arrangement.sections, from: section) { _, _ in hasDuplicates = true }
    let traits = snapshot.traits
    var hasRepeats = false
    places.note(snapshot.arrangement.rows, from: item) { first, again in
      hasRepeats = true
      if traits[first].union(traits[again]).contains(.promised) { hasDuplicates = true }
    }
    if hasRepeats { snapshot.arrangement.hasRepeats = true }
    return hasDuplicates
  }

  /// Ends the snapshot and looks for keys that occur twice.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections and items.
  package mutating func finish(using places: inout KeyPlaces) {
    finishDistinct()
    if findRepeats(fromSection: 0, item: 0, using: &places) { snapshot.hasDuplicates = true }
    snapshot.column = places.columns
  }
}

extension Array {
  /// Appends what is made of each element.
  @inline(__always)
  fileprivate mutating func append(
    _ elements: Span<Element>, _ made: (Element) -> Element
  ) {
    append(addingCapacity: elements.count) { added in
      for index in 0..<elements.count { added.append(made(elements[index])) }
    }
  }
}
