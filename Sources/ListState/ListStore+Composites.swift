import ListDiff

import class JSONBytes.SharedBytes

extension ListStore {
  /// The sections of lists in order, with identities that tell the lists apart; anything where it
  /// `isStopped`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items and sections.
  mutating func composed(
    of sources: [[UInt8]], isStopped: () -> Bool = { false }
  ) -> Snapshot {
    var buffers = BufferNumbers()
    let found = sources.compactMap { name -> (name: [UInt8], Snapshot, buffers: [Int])? in
      guard let snapshot = try? list(name).snapshot else { return nil }
      return (name, snapshot, buffers.add(of: snapshot))
    }
    var builder = SnapshotBuilder(buffers: buffers.buffers)
    var own: [UInt8] = []
    for (name, snapshot, numbers) in found {
      let nameKey = name.withUnsafeBytes { ids.intern(.string, $0) }
      var keys: [UInt32] = []
      keys.reserveCapacity(snapshot.itemCount)
      for key in snapshot.arrangement.rows {
        if keys.count & 0xFFF == 0xFFF, isStopped() { return snapshot }
        keys.append(ids.sourced(key, from: nameKey))
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
    builder.finish(using: &places)
    return builder.snapshot
  }

  /// A composite's snapshot as an ordinary list would have it: items by the identifiers that they
  /// have in their sources. Says whether one that is a promise is there twice now.
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
    builder.finish(using: &places)
    return (builder.snapshot, builder.hasDuplicates)
  }

  /// The keys that an identifier may have in a list, by all ways from it to ordinary lists that
  /// pass the list `source`, where one is named.
  ///
  /// - Complexity: O(*s* + *k*), where *s* is the number of sources of all lists on these ways and *k*
  ///   that of keys in all of them.
  func keys(of id: UInt32, in list: NamedList, source: [UInt8]?) -> [UInt32] {
    let source = source == list.name ? nil : source
    guard let sources = list.sources else { return source == nil ? [id] : [] }
    // By list all its keys, and those that pass the source.
    var known: [[UInt8]: (all: [UInt32], passing: [UInt32])] = [:]
    var way = [(name: list.name, sources: sources, next: 0)]
    while let last = way.last {
      if last.next < last.sources.count {
        way[way.count - 1].next += 1
        let name = last.sources[last.next]
        guard known[name] == nil, let inner = peek(name) else { continue }
        if let sources = inner.sources {
          way.append((name, sources, 0))
        } else {
          known[name] = ([id], [])
        }
        continue
      }
      way.removeLast()
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

  /// Makes sure that the composites that a list is part of have room for a change of it.
  ///
  /// - Throws: `compositeTooLarge`.
  func checkComposites(
    of name: [UInt8], from old: Snapshot, to new: Snapshot
  ) throws(ListFailure) {
    guard composition.count > 0 else { return }
    try checkComposites(of: name, growth: SnapshotSize(new) - SnapshotSize(old))
  }

  /// Makes sure that there is room for a composite of some sources, and for those that it is part of
  /// unless it is a view, which may show less.
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

  /// Makes sure that the composites that a list is part of have room if it grows.
  ///
  /// - Complexity: O(1) for a list that does not grow; else O(*c* + *s*), where *c* is the number of the
  ///   composites and *s* that of their sections.
  /// - Throws: `compositeTooLarge`.
  func checkComposites(of name: [UInt8], growth: SnapshotSize) throws(ListFailure) {
    // What does not grow makes no composite larger.
    guard !growth.isWithin(SnapshotSize()) else { return }
    var growths = [name: growth]
    for composite in dependents(of: name) {
      guard let list = peek(composite), let sources = list.sources else { continue }
      let more = sources.reduce(into: SnapshotSize()) { more, source in
        if let own = growths[source] { more = more + own.inComposite(of: source) }
      }
      let size = list.view == nil ? list.size : list.sourceSize
      try checkRoom(for: size + more, in: composite)
      growths[composite] = list.view.map { more.shown(by: $0.rules) } ?? more
    }
  }

  private func checkRoom(for size: SnapshotSize, in composite: [UInt8]) throws(ListFailure) {
    guard !size.isWithin(compositeLimit) else { return }
    throw .compositeTooLarge(composite, size: size, limit: compositeLimit)
  }
}

/// The buffers of several snapshots in which the texts of items are, each once.
private struct BufferNumbers {
  private(set) var buffers: [SharedBytes] = []
  private var known: [ObjectIdentifier: Int] = [:]

  /// Adds those of a snapshot; returns the numbers of all its buffers, 0 for those without items.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of items and *b* that of buffers.
  mutating func add(of snapshot: Snapshot) -> [Int] {
    var isUsed = [Bool](repeating: false, count: snapshot.buffers.count)
    for payload in snapshot.payloads { isUsed[Int(payload.buffer)] = true }
    return snapshot.buffers.indices.map { index in
      guard isUsed[index] else { return 0 }
      let buffer = snapshot.buffers[index]
      if let number = known[ObjectIdentifier(buffer)] { return number }
      known[ObjectIdentifier(buffer)] = buffers.count
      buffers.append(buffer)
      return buffers.count - 1
    }
  }
}
