import ByteBuffers
import ListDiff

extension ListStore {
  /// Returns the sections of a composite's sources in order, with identities that include the source. The
  /// items of the first source share memory with it if they have the same keys. If `isStopped`, returns any
  /// snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  mutating func composed(_ list: NamedList, isStopped: () -> Bool = { false }) -> Snapshot {
    var buffers = BufferNumbers()
    var found: [(name: [UInt8], Snapshot, buffers: [Int])] = []
    for name in list.sources ?? [] {
      guard let (items, isUsed) = gatheredItems(of: name, isStopped: isStopped) else { continue }
      found.append((name, items, buffers.numbers(of: items, isUsed)))
    }
    var builder = SnapshotBuilder(buffers: buffers.buffers)
    var own: [UInt8] = []
    for (name, snapshot, numbers) in found {
      let nameKey = name.withUnsafeBytes { ids.intern(.string, $0) }
      let keepsKeys = name == list.keySource
      var keys = snapshot.arrangement.rows
      // Only items of composites have sourced keys.
      if !keepsKeys || lists[name]!.sources != nil {
        for index in keys.indices {
          if index & 0xFFF == 0xFFF, isStopped() { return snapshot }
          let key = ids.internSourced(keys[index], from: nameKey, keepsKeys: keepsKeys)
          if key != keys[index] { keys[index] = key }
        }
      }
      let first = builder.snapshot.itemCount
      builder.addItems(of: snapshot, keys.indices, keys: keys, buffers: numbers)
      for (section, var traits) in snapshot.sections.enumerated() {
        let id = rules.sectionName(name, ids, snapshot.arrangement.sections[section])
        let text = rules.renamed(snapshot.bytes(of: traits.own), id)
        traits.own = Payload(
          start: own.count, length: text.count, buffer: buffers.buffers.count)
        own += text
        builder.beginSection(
          id.withUnsafeBytes { ids.intern(.string, $0) }, traits,
          at: first + Int(snapshot.arrangement.starts[section]))
      }
    }
    if !own.isEmpty { builder.addBuffer(own.withUnsafeBytes { SharedBytes(copying: $0) }) }
    // Items of different sources have different keys.
    builder.finish(
      using: &keyIndices, mayRepeat: found.contains { $0.1.arrangement.hasRepeats })
    return builder.snapshot
  }

  /// Returns the items that a list shows as a snapshot, and for each of its buffers whether it has the text of
  /// an item; `nil` if there is no list, and any snapshot if it `isStopped`.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is the number of items; else O(*b* + *s*) for a tree, where
  ///   *b* is the number of buffers and *s* that of sections, and for other lists O(*n*) at most.
  private mutating func gatheredItems(
    of name: [UInt8], isStopped: () -> Bool
  ) -> (items: Snapshot, isUsed: [Bool])? {
    guard let index = lists.index(of: name) else { return nil }
    gatherItems(of: name, isStopped: isStopped)
    let items = lists[at: index].shownItems(isStopped: isStopped)
    if lists[at: index].tree?.whole != nil, lists[at: index].tree!.repeats.isEmpty {
      return (items, lists[at: index].tree!.buffersOfItems)
    }
    return (items, items.buffersOfItems)
  }

  /// Lets the tree of a list, and the trees of composites that have only its items, share the columns of one
  /// snapshot.
  ///
  /// - Complexity: O(*n*) after edits, where *n* is the number of items; else O(1).
  mutating func gatherItems(of name: [UInt8], isStopped: () -> Bool) {
    guard let index = lists.index(of: name),
      let items = lists[at: index].tree?.gather(isStopped: isStopped)
    else { return }
    freedMemory += items.columnBytes
    for composite in composition.composites(of: name) {
      guard let list = lists[composite], list.keySource == name, list.sources == [name],
        (list.live?.sources ?? list.tree)?.canShare == true
      else { continue }
      let source = lists[at: index].tree!
      let shown = composed(list)
      let texts = TextBuffers(
        shown, items: source.texts, without: items.sections.map { $0.own })
      if list.isView {
        lists[composite]!.live!.sources.share(shown, texts)
      } else {
        lists[composite]!.tree!.share(shown, texts)
      }
    }
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

  /// Returns the keys that an identifier may have in a list, by all paths to ordinary lists.
  ///
  /// - Complexity: O(*s* + *k*), where *s* is the number of sources of all lists on these paths and
  ///   *k* the number of keys in all of them.
  func keys(of id: UInt32, in list: NamedList) -> [UInt32] {
    guard let sources = list.sources else { return [id] }
    /// The keys of the identifier in each list.
    var known: [[UInt8]: [UInt32]] = [:]
    var path = [(name: list.name, sources: sources, keySource: list.keySource, next: 0)]
    while let last = path.last {
      if last.next < last.sources.count {
        path[path.count - 1].next += 1
        let name = last.sources[last.next]
        guard known[name] == nil, let inner = peek(name) else { continue }
        if let sources = inner.sources {
          path.append((name, sources, inner.keySource, 0))
        } else {
          known[name] = [id]
        }
        continue
      }
      path.removeLast()
      known[last.name] = last.sources.flatMap { name in
        guard let inner = known[name], !inner.isEmpty else { return [UInt32]() }
        let nameKey = name.withUnsafeBytes { ids.find(.string, $0) }
        return inner.compactMap {
          ids.findSourced($0, from: nameKey, keepsKeys: name == last.keySource)
        }
      }
    }
    return known[list.name] ?? []
  }

  /// Returns the source that an item of a composite comes from, and the key that it has there; `nil` if the
  /// composite does not have that source.
  func sourceItem(of key: UInt32, in list: NamedList) -> (source: [UInt8], key: UInt32)? {
    guard let sources = list.sources else { return nil }
    guard ids.isSourced(key) else {
      return list.keySource.flatMap { sources.contains($0) ? ($0, key) : nil }
    }
    guard let (source, item) = ids.sourceItem(of: key) else { return nil }
    let name = ids.bytes(of: source)
    return sources.first { $0.elementsEqual(name) }.map { ($0, item) }
  }

  /// Returns the names of the lists by way of which an item comes to a composite, the last of which is the
  /// ordinary list that has it.
  func path(ofItem key: UInt32, in list: NamedList) -> [[UInt8]] {
    var path: [[UInt8]] = []
    var (key, list) = (key, list)
    while let (source, item) = sourceItem(of: key, in: list), let next = lists[source] {
      path.append(source)
      (key, list) = (item, next)
    }
    return path
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
    of name: [UInt8], from old: SnapshotSize, toOneOf sources: [[UInt8]], isView: Bool
  ) throws(ListFailure) {
    let size = sources.reduce(into: SnapshotSize()) { size, source in
      guard let list = peek(source) else { return }
      size = size + list.size.inComposite(of: source)
    }
    try checkRoom(for: size, in: name)
    if !isView { try checkComposites(of: name, growth: size - old) }
  }

  /// Checks that the composites of a list, which are determined unless they are known, stay within the size limit
  /// if it grows.
  ///
  /// - Complexity: O(1) if the list does not grow; else O(*c* + *s*), where *c* is the number of
  ///   its composites and *s* the number of their sections.
  /// - Throws: `compositeTooLarge`.
  func checkComposites(
    of name: [UInt8], _ composites: [[UInt8]]? = nil, growth: SnapshotSize
  ) throws(ListFailure) {
    // A list that does not grow does not enlarge a composite.
    guard !growth.isWithin(SnapshotSize()) else { return }
    var growths: [[UInt8]: SnapshotSize] = [:]
    for composite in composites ?? dependents(of: name) {
      guard let list = peek(composite), let sources = list.sources else { continue }
      let more = sources.reduce(into: SnapshotSize()) { more, source in
        let own = source == name ? growth : growths[source]
        if let own { more = more + own.inComposite(of: source) }
      }
      let size = !list.isView ? list.size : list.sourceSize
      try checkRoom(for: size + more, in: composite)
      if composition.composites(of: composite).isEmpty { continue }
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

  /// Returns the numbers of the buffers of a snapshot. The buffers without items are not added, because a
  /// composite of composites would get the buffers of all of their sections; but those of the first snapshot
  /// keep their numbers, so that it can be shared.
  mutating func numbers(of snapshot: Snapshot, _ isUsed: [Bool]) -> [Int] {
    guard buffers.isEmpty else {
      return snapshot.buffers.enumerated().map { isUsed[$0] ? number(of: $1) : $0 }
    }
    let end = isUsed.prefix(snapshot.buffers.count).lastIndex(of: true).map { $0 + 1 } ?? 0
    for (number, buffer) in snapshot.buffers.prefix(end).enumerated() {
      buffers.append(isUsed[number] ? buffer : .empty)
      if isUsed[number] { known[ObjectIdentifier(buffer)] = number }
    }
    return Array(snapshot.buffers.indices)
  }

  /// Returns the number of a buffer, and adds it if it is new.
  private mutating func number(of buffer: SharedBytes) -> Int {
    let next = buffers.count
    let number = known[ObjectIdentifier(buffer), default: next]
    if number == next {
      known[ObjectIdentifier(buffer)] = next
      buffers.append(buffer)
    }
    return number
  }
}
