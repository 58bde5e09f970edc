import ByteBuffers
import ListDiff

/// A warning that items of an outline are their own ancestors.
package struct CycleWarning: Sendable {
  package let list: [UInt8]

  /// The keys of the items in the ordinary lists that they come from.
  package let items: [UInt32]
}

extension ListStore {
  /// Reads the parents that the items of a view's sources name, unless they are known. Returns
  /// false if it `isStopped`.
  ///
  /// An item's parent comes from the same ordinary list through the same composites. If several
  /// items have the identifier, the first one is the parent.
  ///
  /// - Complexity: O(*b* + *w*), where *b* is the number of bytes of the items and *w* that of
  ///   lists between them and the view.
  mutating func link(
    _ items: inout ViewItems, _ rules: any ViewRules, isStopped: () -> Bool
  ) -> Bool {
    guard let outline = rules.outline else {
      items.links = nil
      return true
    }
    guard items.links?.member != outline.parent else { return true }
    keyIndices.record(items.snapshot.arrangement.rows, isStopped: isStopped) { _, _ in }
    items.links = links(of: items.snapshot, outline.parent, rules, isStopped: isStopped)
    return items.links != nil
  }

  /// Returns the parents that items name by a member, or `nil` if it `isStopped`. The keys of the items are
  /// those that were recorded last.
  private func links(
    of snapshot: Snapshot, _ member: [UInt8], _ rules: any ViewRules, isStopped: () -> Bool
  ) -> ParentLinks? {
    let keys = snapshot.arrangement.rows
    var links = ParentLinks(member: member)
    links.parents.reserveCapacity(keys.count)
    links.areLazy.reserveCapacity(keys.count)
    var path: [UInt32] = []
    let isRead = rules.forEachLink(of: snapshot, isStopped: isStopped) { item, parent, isLazy in
      links.areLazy.append(isLazy)
      var found: Int?
      if let parent, var key = ids.find(parent.kind, parent.id) {
        path.removeAll(keepingCapacity: true)
        var inner = keys[item]
        while let source = ids.source(of: inner) {
          path.append(source.list)
          inner = source.key
        }
        var isKnown = true
        while let list = path.popLast() {
          guard let next = ids.findSourced(key, from: list) else {
            isKnown = false
            break
          }
          key = next
        }
        if isKnown { found = keyIndices.index(of: key, in: keys) }
      }
      if parent != nil, found == nil {
        links.withMissingParents.append(Int32(truncatingIfNeeded: item))
      }
      links.parents.append(Int32(truncatingIfNeeded: found ?? -1))
    }
    return isRead ? links : nil
  }

  /// Records a warning if items of an outline have become their own ancestors.
  mutating func warn(ofCycles items: [UInt32], in list: [UInt8]) {
    guard !items.isEmpty else { return }
    cycleWarnings.append(CycleWarning(list: list, items: items.map(ids.original)))
  }

  /// Returns the items of an outline that are shown, with the members that describe their positions
  /// in the tree. If `isStopped`, returns any snapshot.
  ///
  /// - Complexity: O(*b* + *s*), where *b* is the number of bytes of these items and *s* that of sections.
  mutating func shownItems(
    of view: EvaluatedView, _ outline: Outline, isStopped: () -> Bool
  ) -> Snapshot {
    let source = view.items.snapshot
    let arrangement = view.arrangement
    var rows = OutlineTexts(rules: view.rules, source: source)
    var next = view.range.lowerBound
    for (index, section) in arrangement.sections.enumerated() {
      let end = Int(arrangement.starts[index + 1])
      let first = next
      while next < view.range.upperBound, outline.shown[next] < end { next += 1 }
      if first == next, view.rules.hidesEmptySections { continue }
      begin(section, of: arrangement, source, &rows.builder)
      for position in outline.shown[first..<next] {
        if rows.builder.snapshot.itemCount & 0x1FF == 0, isStopped() { return source }
        rows.add(Int(arrangement.order[Int(position)]), outline.row(Int(position)))
      }
    }
    return rows.finish(own: arrangement.texts, using: &keyIndices, isStopped: isStopped)
  }

  /// Returns the warnings that have yet to be sent, and clears them.
  package mutating func takeCycleWarnings() -> [CycleWarning] {
    defer { cycleWarnings = [] }
    return cycleWarnings
  }

  /// Records a warning for the items of an outline that have become their own ancestors.
  mutating func warnOfCycles(in list: NamedList, _ view: EvaluatedView?, after before: NamedList) {
    guard let view, let items = view.arrangement.outline?.cyclic, !items.isEmpty else { return }
    let cyclic = items.map { view.items.snapshot.arrangement.rows[Int($0)] }
    let known = Set((before.live?.outline?.cyclicKeys ?? []).map(ids.base))
    warn(ofCycles: cyclic.filter { !known.contains($0) }, in: list.name)
  }
}

extension IDTable {
  /// Returns the key of the parent with an identifier, which comes from the same list as the item.
  mutating func internParent(
    _ kind: IDKind, _ id: UnsafeRawBufferPointer, of key: UInt32
  ) -> UInt32 {
    var path: [UInt32] = []
    var inner = key
    while let source = source(of: inner) {
      path.append(source.list)
      inner = source.key
    }
    var parent = intern(kind, id)
    while let list = path.popLast() { parent = internSourced(parent, from: list) }
    return parent
  }
}

/// Builds a snapshot of items with the members that describe their positions in an outline.
private struct OutlineTexts {
  private let rules: any ViewRules
  private let source: Snapshot
  var builder: SnapshotBuilder
  private var text: [UInt8] = []
  private var buffers: [SharedBytes] = []

  /// The size in bytes at which another buffer is begun.
  private static let bufferSize = 1 << 30

  init(rules: any ViewRules, source: Snapshot) {
    self.rules = rules
    self.source = source
    // After these buffers come the texts of the view's own sections, and then those of the items.
    builder = SnapshotBuilder(buffers: source.buffers)
  }

  /// Adds an item of the sources.
  mutating func add(_ item: Int, _ row: OutlineRow) {
    if text.count >= Self.bufferSize { endBuffer() }
    let start = text.count
    let payload = source.payloads[item]
    rules.append(source.bytes(of: payload), row, to: &text)
    let buffer = source.buffers.count + 1 + buffers.count
    builder.addItem(
      source.arrangement.rows[item],
      Payload(start: start, length: text.count - start, buffer: buffer), source.traits[item],
      template: source.template(ofItem: item))
    let rows = source.rows(ofItem: item)
    guard let parts = source.parts, rows.count != 1 || source.isPart(rows.lowerBound) else {
      return
    }
    // The parts are at the same offsets as in the text of the item.
    builder.addParts(
      parts.parts(at: rows).map { part in
        var part = part
        let offset = Int(part.payload.start) - Int(payload.start)
        part.payload = Payload(
          start: start + offset, length: Int(part.payload.length), buffer: buffer)
        return part
      })
  }

  /// Returns the snapshot of all added items; `own` has the texts of the view's own sections.
  consuming func finish(
    own: [UInt8], using keyIndices: inout LastKeyIndices, isStopped: () -> Bool
  ) -> Snapshot {
    endBuffer()
    builder.addBuffer(own.withUnsafeBytes { SharedBytes(copying: $0) })
    for buffer in buffers { builder.addBuffer(buffer) }
    builder.finish(using: &keyIndices, isStopped: isStopped)
    if !isStopped() { builder.tidyBuffers() }
    return builder.snapshot
  }

  private mutating func endBuffer() {
    buffers.append(text.withUnsafeBytes { SharedBytes(copying: $0) })
    text = []
  }
}
