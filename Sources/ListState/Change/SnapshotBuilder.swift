import ByteBuffers
import ListDiff
import ListStages

/// Builds a snapshot section by section and item by item, and finds duplicate identifiers.
package struct SnapshotBuilder {
  package private(set) var snapshot: Snapshot

  /// Whether an explicit identifier of an item, or the identifier of a section, is a duplicate.
  package var hasDuplicates: Bool { snapshot.hasDuplicates }

  /// Begins a snapshot without buffers, which has no memory yet.
  package init() { snapshot = Snapshot() }

  package init(buffers: [SharedBytes]) {
    snapshot = Snapshot(Snapshot.Columns(arrangement: Arrangement(starts: []), buffers: buffers))
  }

  /// Releases the parts of buffers that contain no text of the snapshot.
  mutating func tidyBuffers() { snapshot.tidyBuffers() }

  /// Copies the texts into a new buffer.
  mutating func copyTexts() { snapshot.copyTexts() }

  /// Releases the buffers without texts.
  mutating func dropUnusedBuffers() { snapshot.dropUnusedBuffers() }

  /// Begins a section. Items are added to the last section.
  package mutating func beginSection(_ key: UInt32, _ traits: SectionTraits) {
    snapshot.beginSection(key, traits, at: snapshot.arrangement.rows.count)
  }

  /// Begins the first section, whose traits are an array that many snapshots share.
  package mutating func beginFirstSection(_ key: UInt32, _ traits: [SectionTraits]) {
    snapshot.arrangement.sections = [key]
    snapshot.sections = traits
    snapshot.arrangement.starts.append(0)
  }

  /// Begins a section at an item that was added already.
  mutating func beginSection(_ key: UInt32, _ traits: SectionTraits, at item: Int) {
    snapshot.beginSection(key, traits, at: item)
  }

  /// Replaces the traits of the last section, whose own members may follow its items in a message.
  package mutating func describeSection(_ key: UInt32, _ traits: SectionTraits) {
    snapshot.arrangement.sections[snapshot.sections.count - 1] = key
    snapshot.sections[snapshot.sections.count - 1] = traits
  }

  /// Appends a buffer. Its number is its index.
  package mutating func addBuffer(_ buffer: SharedBytes) { snapshot.buffers.append(buffer) }

  /// Removes the items of the last section.
  package mutating func removeItemsOfSection() {
    let start = Int(snapshot.arrangement.starts[snapshot.sections.count - 1])
    snapshot.arrangement.rows.removeSubrange(start...)
    snapshot.payloads.removeSubrange(start...)
    snapshot.traits.removeSubrange(start...)
    if !snapshot.templates.isEmpty { snapshot.templates.removeSubrange(start...) }
    snapshot.parts?.removeItems(from: start)
  }

  /// Adds an item to the last section. `template` is the key plus one, 0 for the default template.
  ///
  /// - Returns: The number of items before it.
  @discardableResult
  package mutating func addItem(
    _ key: UInt32, _ payload: Payload, _ traits: ItemTraits, template: UInt32
  ) -> Int {
    let item = snapshot.itemCount
    snapshot.append(key, payload, traits, template: template)
    return item
  }

  /// Adds items with explicit identifiers, whose keys are set later, to the last section. `texts`
  /// are ranges of the first buffer.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(_ texts: [Range<Int>]) {
    snapshot.arrangement.rows.append(contentsOf: repeatElement(0, count: texts.count))
    snapshot.traits.append(contentsOf: repeatElement(.hasExplicitID, count: texts.count))
    snapshot.payloads.append(texts.span) {
      Payload(start: $0.lowerBound, length: $0.count, buffer: 0)
    }
    if snapshot.templates.isEmpty { return }
    snapshot.templates.append(contentsOf: repeatElement(0, count: texts.count))
  }

  /// Adds items of another snapshot. `buffers` maps the numbers of its buffers to those of this
  /// one. `keys`, if not `nil`, replace the items' keys. The first items share the memory of the
  /// other snapshot's columns if these are all of its items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(
    of source: Snapshot, _ range: Range<Int>, keys: [UInt32]? = nil, buffers: [Int]
  ) {
    let start = snapshot.payloads.count
    snapshot.arrangement.rows.append(sharing: keys ?? source.arrangement.rows, range)
    if buffers.elementsEqual(source.buffers.indices) {
      snapshot.payloads.append(sharing: source.payloads, range)
    } else {
      snapshot.payloads.append(
        contentsOf: source.payloads[range].lazy.map { $0.moved(to: buffers) })
    }
    snapshot.traits.append(sharing: source.traits, range)
    if !source.templates.isEmpty, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: start)
    }
    if !source.templates.isEmpty || !snapshot.templates.isEmpty {
      snapshot.templates.append(contentsOf: range.lazy.map(source.template(ofItem:)))
    }
    guard let parts = source.parts else { return }
    for (index, item) in range.enumerated() {
      let rows = source.rows(ofItem: item)
      guard rows.count != 1 || source.isPart(rows.lowerBound) else { continue }
      addParts(
        parts.parts(at: rows).map { part in
          var part = part
          part.payload = part.payload.moved(to: buffers)
          return part
        }, ofItem: start + index)
    }
  }

  /// Adds items of another snapshot, by their indices there. The first buffers are those of
  /// `source`. Unless `withTexts`, no items of the snapshot may have texts, and it is only made into a tree.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func addItems(_ items: ArraySlice<Int32>, of source: Snapshot, withTexts: Bool) {
    let start = snapshot.arrangement.rows.count
    let indices = items.lazy.map { Int($0) }
    snapshot.arrangement.rows.append(source.arrangement.rows, at: items)
    if withTexts { snapshot.payloads.append(source.payloads, at: items) }
    snapshot.traits.append(source.traits, at: items)
    addTemplates(of: indices, of: source)
    if let parts = source.parts {
      for (index, item) in indices.enumerated() {
        let rows = source.rows(ofItem: item)
        guard rows.count != 1 || source.isPart(rows.lowerBound) else { continue }
        addParts(parts.parts(at: rows), ofItem: start + index)
      }
    }
  }

  /// Sets the rows of the last item: one for each part, none if there are no parts.
  package mutating func addParts(_ parts: [Part]) {
    addParts(parts, ofItem: snapshot.payloads.count - 1)
  }

  private mutating func addParts(_ parts: [Part], ofItem item: Int) {
    snapshot.setParts(parts, ofItem: item)
  }

  /// The key of the last item.
  package var lastKey: UInt32 { snapshot.arrangement.rows[snapshot.itemCount - 1] }

  /// Interns the identifiers of a batch, which are ranges of `text`, and gives the items their keys.
  /// Empties the batch.
  package mutating func setKeys(
    _ batch: inout IDBatch, in text: UnsafeRawBufferPointer, _ ids: inout IDTable
  ) {
    ids.intern(&batch, in: text, into: &snapshot.arrangement.rows)
  }

  /// Records that parts of an item have the same identifier.
  package mutating func recordDuplicateParts() { snapshot.hasDuplicates = true }

  /// Records the number of containers that are open around the next items.
  package mutating func recordDepth(_ depth: Int) {
    snapshot.depth = snapshot.depth == 0 ? depth : min(snapshot.depth, depth)
  }

  /// Reserves memory for about `count` items in total.
  ///
  /// The capacity is rounded up generously, so that the columns fit the memory of those of a
  /// slightly smaller snapshot. Memory that is not written is not used.
  package mutating func reserve(about count: Int) {
    let more = min(count, 1 << 24) * 17 / 16
    let step = 1 << max(0, Int.bitWidth - more.leadingZeroBitCount - 4)
    let room = (more + step) & ~(step - 1)
    snapshot.reserve(room)
  }

  /// Adds items of an earlier snapshot. Their texts are in the first buffer, `shift` bytes after their
  /// offsets in the earlier snapshot's.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(_ items: Range<Int>, of earlier: Snapshot, shift: Int) {
    snapshot.arrangement.rows.append(copying: earlier.arrangement.rows, items)
    snapshot.traits.append(copying: earlier.traits, items)
    let shift = UInt32(truncatingIfNeeded: shift)
    snapshot.payloads.append(earlier.payloads.span.extracting(items)) { payload in
      var payload = payload
      payload.start &+= shift
      payload.buffer = 0
      return payload
    }
    addTemplates(of: items, of: earlier)
    if let parts = earlier.parts { snapshot.appendRows(of: items, of: parts, shift: shift) }
  }

  /// Adds items of an earlier snapshot. Their texts start at `starts` in the first buffer.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func addItems(
    _ items: ArraySlice<Int32>, of earlier: Snapshot, at starts: ArraySlice<Int>
  ) {
    snapshot.arrangement.rows.append(earlier.arrangement.rows, at: items)
    snapshot.traits.append(earlier.traits, at: items)
    let payloads = earlier.payloads
    snapshot.payloads.append(addingCapacity: items.count) { added in
      for (item, start) in zip(items, starts) {
        var payload = payloads[Int(item)]
        payload.start = UInt32(truncatingIfNeeded: start)
        added.append(payload)
      }
    }
    addTemplates(of: items.lazy.map { Int($0) }, of: earlier)
    addParts(of: items.lazy.map { Int($0) }, of: earlier)
  }

  /// Adds the parts of the last items, which are items of an earlier snapshot. Their texts are in the first
  /// buffer, at the same distance from the start of the item's.
  private mutating func addParts(of items: some Collection<Int>, of earlier: Snapshot) {
    guard let parts = earlier.parts else { return }
    let start = snapshot.payloads.count - items.count
    for (index, item) in items.enumerated() {
      let rows = earlier.rows(ofItem: item)
      guard rows.count != 1 || earlier.isPart(rows.lowerBound) else { continue }
      let shift = snapshot.payloads[start + index].start &- earlier.payloads[item].start
      addParts(
        parts.parts(at: rows).map { part in
          var part = part
          part.payload.start &+= shift
          part.payload.buffer = 0
          return part
        }, ofItem: start + index)
    }
  }

  /// Adds the templates of the last items, if any item has a template.
  private mutating func addTemplates(of items: some Collection<Int>, of earlier: Snapshot) {
    if earlier.templates.isEmpty, snapshot.templates.isEmpty { return }
    while snapshot.templates.count < snapshot.arrangement.rows.count - items.count {
      snapshot.templates.append(0)
    }
    for item in items { snapshot.templates.append(earlier.template(ofItem: item)) }
  }

  /// Records that the texts of the items are in the first buffer, in order.
  package mutating func recordAscendingTexts() { snapshot.textsAscend = true }

  /// Finishes the snapshot without a search for duplicates. The caller knows that there are none.
  package mutating func finishDistinct() {
    snapshot.arrangement.starts.append(Int32(snapshot.arrangement.rows.count))
    snapshot.finishParts()
  }

  /// Finds out whether items repeat, of which none has a duplicate identifier.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func findRepeats() {
    var seen = Set<UInt32>()
    let isDistinct = snapshot.arrangement.rows.allSatisfy { seen.insert($0).inserted }
    snapshot.arrangement.hasRepeats = !isDistinct
  }

  /// Finds duplicate keys among the last sections and items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of these sections and items.
  /// - Returns: Whether an explicit identifier of an item, or the identifier of a section, is a
  ///   duplicate.
  package mutating func findRepeats(
    fromSection section: Int, item: Int, using keyIndices: inout LastKeyIndices,
    isStopped: () -> Bool = { false }
  ) -> Bool {
    var hasDuplicates = hasRepeatedSections(from: section, &keyIndices)
    if snapshot.itemCount - item < 2 { return hasDuplicates }
    let traits = snapshot.traits
    var hasRepeats = false
    keyIndices.record(snapshot.arrangement.rows, from: item, isStopped: isStopped) { first, again in
      hasRepeats = true
      if traits[first].union(traits[again]).contains(.hasExplicitID) { hasDuplicates = true }
    }
    if hasRepeats { snapshot.arrangement.hasRepeats = true }
    return hasDuplicates
  }

  /// Reports whether sections from an index on have the same identifier.
  private func hasRepeatedSections(from section: Int, _ keyIndices: inout LastKeyIndices) -> Bool {
    guard snapshot.arrangement.sections.count - section > 1 else { return false }
    var hasRepeats = false
    keyIndices.record(snapshot.arrangement.sections, from: section) { _, _ in hasRepeats = true }
    return hasRepeats
  }

  /// Finishes the snapshot and finds duplicate keys, of which some may be missing if it `isStopped`,
  /// among sections and, unless no item `mayRepeat`, among items.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections and items.
  package mutating func finish(
    using keyIndices: inout LastKeyIndices, mayRepeat: Bool = true,
    isStopped: () -> Bool = { false }
  ) {
    finishDistinct()
    guard mayRepeat, snapshot.itemCount > 1 else {
      snapshot.hasDuplicates = hasRepeatedSections(from: 0, &keyIndices)
      return
    }
    if findRepeats(fromSection: 0, item: 0, using: &keyIndices, isStopped: isStopped) {
      snapshot.hasDuplicates = true
    }
    snapshot.column = keyIndices.columnCount
  }
}

extension Array {
  /// Appends a range of other elements. An empty array shares the memory of the others if the range
  /// has all of them.
  fileprivate mutating func append(sharing others: [Element], _ range: Range<Int>) {
    if isEmpty, range == others.indices { self = others } else { append(contentsOf: others[range]) }
  }

  /// Appends others' elements, by their indices.
  fileprivate mutating func append(_ others: [Element], at indices: ArraySlice<Int32>) {
    let (others, indices) = (others.span, indices.span)
    append(addingCapacity: indices.count) { added in
      for index in 0..<indices.count { added.append(others[Int(indices[index])]) }
    }
  }

  /// Appends a range of other elements.
  @inline(__always)
  fileprivate mutating func append(copying others: [Element], _ range: Range<Int>) {
    // Spans, because slices are reference counted, often for few items.
    guard range.count > 32 else { return append(others.span.extracting(range)) { $0 } }
    others.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Appends the result of a function for each element.
  @inline(__always)
  fileprivate mutating func append<Other>(
    _ elements: Span<Other>, _ made: (Other) -> Element
  ) {
    append(addingCapacity: elements.count) { added in
      for index in 0..<elements.count { added.append(made(elements[index])) }
    }
  }
}
