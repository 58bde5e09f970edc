import ByteBuffers
import ListDiff

extension ListStore {
  /// Returns the sections of lists in order, with identities that include the list. If `isStopped`,
  /// returns any snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  mutating func composed(
    of sources: [[UInt8]], isStopped: () -> Bool = { false }
  ) -> Snapshot {
    var buffers = BufferNumbers()
    let found = sources.compactMap { name -> (name: [UInt8], Snapshot, buffers: [Int])? in
      guard let snapshot = lists[name]?.shownItems(isStopped: isStopped) else { return nil }
      // A composite of composites would get the buffers of all of their sections.
      let isUsed = snapshot.buffersOfItems
      return (
        name, snapshot,
        snapshot.buffers.enumerated().map { isUsed[$0] ? buffers.number(of: $1) : $0 }
      )
    }
    var builder = SnapshotBuilder(buffers: buffers.buffers)
    var own: [UInt8] = []
    for (name, snapshot, numbers) in found {
      let nameKey = name.withUnsafeBytes { ids.intern(.string, $0) }
      var keys: [UInt32] = []
      keys.reserveCapacity(snapshot.itemCount)
      for key in snapshot.arrangement.rows {
        if keys.count & 0xFFF == 0xFFF, isStopped() { return snapshot }
        keys.append(ids.internSourced(key, from: nameKey))
      }
      for (section, var traits) in snapshot.sections.enumerated() {
        let id = rules.sectionName(name, ids, snapshot.arrangement.sections[section])
        let text = rules.renamed(snapshot.bytes(of: traits.own), id)
        traits.own = Payload(
          start: own.count, length: text.count, buffer: buffers.buffers.count)
        own += text
        builder.beginSection(id.withUnsafeBytes { ids.intern(.string, $0) }, traits)
        builder.addItems(
          of: snapshot, snapshot.arrangement.range(ofSection: section), keys: keys,
          buffers: numbers)
      }
    }
    if !own.isEmpty { builder.addBuffer(own.withUnsafeBytes { SharedBytes(copying: $0) }) }
    // Items of different sources have different keys.
    builder.finish(
      using: &keyIndices, mayRepeat: found.contains { $0.1.arrangement.hasRepeats })
    return builder.snapshot
  }

  /// Returns a composite's snapshot with the identifiers that its items have in their sources, as
  /// an ordinary list would have them. `hasDuplicates` reports whether an explicit identifier
  /// occurs twice.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  package mutating func ordinary(_ snapshot: Snapshot) -> (snapshot: Snapshot, hasDuplicates: Bool)
  {
    var builder = SnapshotBuilder(buffers: snapshot.buffers)
    let keys = snapshot.arrangement.rows.map(ids.original)
    let buffers = Array(snapshot.buffers.indices)
    for (section, traits) in snapshot.sections.enumerated() {
      builder.beginSection(snapshot.arrangement.sections[section], traits)
      builder.addItems(
        of: snapshot, snapshot.arrangement.range(ofSection: section), keys: keys,
        buffers: buffers)
    }
    builder.finish(using: &keyIndices)
    return (builder.snapshot, builder.hasDuplicates)
  }

  /// Returns the keys that an identifier may have in a list, by all paths to ordinary lists. If
  /// `source` is not `nil`, only paths through that list count.
  ///
  /// - Complexity: O(*s* + *k*), where *s* is the number of sources of all lists on these paths and
  ///   *k* the number of keys in all of them.
  func keys(of id: UInt32, in list: NamedList, source: [UInt8]?) -> [UInt32] {
    let source = source == list.name ? nil : source
    guard let sources = list.sources else { return source == nil ? [id] : [] }
    // For each list, all keys of the identifier, and the keys whose paths include the source.
    var known: [[UInt8]: (all: [UInt32], passing: [UInt32])] = [:]
    var path = [(name: list.name, sources: sources, next: 0)]
    while let last = path.last {
      if last.next < last.sources.count {
        path[path.count - 1].next += 1
        let name = last.sources[last.next]
        guard known[name] == nil, let inner = peek(name) else { continue }
        if let sources = inner.sources {
          path.append((name, sources, 0))
        } else {
          known[name] = ([id], [])
        }
        continue
      }
      path.removeLast()
      var found: (all: [UInt32], passing: [UInt32]) = ([], [])
      for name in last.sources {
        guard let inner = known[name], !inner.all.isEmpty,
          let nameKey = name.withUnsafeBytes({ ids.find(.string, $0) })
        else { continue }
        let all = inner.all.compactMap { ids.findSourced($0, from: nameKey) }
        found.all += all
        found.passing +=
          name == source ? all : inner.passing.compactMap { ids.findSourced($0, from: nameKey) }
      }
      known[last.name] = found
    }
    let found = known[list.name]
    return (source == nil ? found?.all : found?.passing) ?? []
  }

  // MARK: Sizes

  /// Checks that the composites of a list stay within the size limit if its snapshot is replaced.
  ///
  /// - Throws: `compositeTooLarge`.
  func checkComposites(
    of name: [UInt8], from old: Snapshot, to new: Snapshot
  ) throws(ListFailure) {
    guard composition.count > 0 else { return }
    try checkComposites(of: name, growth: SnapshotSize(new) - SnapshotSize(old))
  }

  /// Checks that a composite of some sources is within the size limit, and so are the composites
  /// that it is part of. The latter is not checked for a view, which may show less.
  ///
  /// - Throws: `compositeTooLarge`.
  func checkComposites(
    of name: [UInt8], from old: Snapshot, toOneOf sources: [[UInt8]], isView: Bool
  ) throws(ListFailure) {
    let size = sources.reduce(into: SnapshotSize()) { size, source in
      guard let list = peek(source) else { return }
      size = size + list.size.inComposite(of: source)
    }
    try checkRoom(for: size, in: name)
    if !isView { try checkComposites(of: name, growth: size - SnapshotSize(old)) }
  }

  /// Checks that the composites of a list stay within the size limit if it grows.
  ///
  /// - Complexity: O(1) if the list does not grow; else O(*c* + *s*), where *c* is the number of
  ///   its composites and *s* the number of their sections.
  /// - Throws: `compositeTooLarge`.
  func checkComposites(of name: [UInt8], growth: SnapshotSize) throws(ListFailure) {
    // A list that does not grow does not enlarge a composite.
    guard !growth.isWithin(SnapshotSize()) else { return }
    var growths = [name: growth]
    for composite in dependents(of: name) {
      guard let list = peek(composite), let sources = list.sources else { continue }
      let more = sources.reduce(into: SnapshotSize()) { more, source in
        if let own = growths[source] { more = more + own.inComposite(of: source) }
      }
      let size = !list.isView ? list.size : list.sourceSize
      try checkRoom(for: size + more, in: composite)
      growths[composite] = list.viewRules.map { more.shown(by: $0) } ?? more
    }
  }

  private func checkRoom(for size: SnapshotSize, in composite: [UInt8]) throws(ListFailure) {
    guard !size.isWithin(compositeLimit) else { return }
    throw .compositeTooLarge(composite, size: size, limit: compositeLimit)
  }
}

/// Numbers the buffers of several snapshots, each buffer once.
private struct BufferNumbers {
  private(set) var buffers: [SharedBytes] = []
  private var known: [ObjectIdentifier: Int] = [:]

  /// Returns the number of a buffer, and adds it if it is new.
  mutating func number(of buffer: SharedBytes) -> Int {
    let next = buffers.count
    let number = known[ObjectIdentifier(buffer), default: next]
    if number == next {
      known[ObjectIdentifier(buffer)] = next
      buffers.append(buffer)
    }
    return number
  }
}
