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
    var builder = SnapshotBuilder(buffers: [])
    for name in sources {
      guard let snapshot = try? list(name).snapshot else { continue }
      let base = builder.snapshot.buffers.count
      for buffer in snapshot.buffers { builder.addBuffer(buffer) }
      let nameKey = name.withUnsafeBytes { ids.intern(.string, $0) }
      var keys: [UInt32] = []
      keys.reserveCapacity(snapshot.itemCount)
      for key in snapshot.arrangement.rows {
        if keys.count & 0xFFF == 0xFFF, isStopped() { return snapshot }
        keys.append(ids.sourced(key, from: nameKey))
      }
      var own: [UInt8] = []
      for (section, var traits) in snapshot.sections.enumerated() {
        let id = rules.sectionName(name, ids, snapshot.arrangement.sections[section])
        let text = rules.renamed(snapshot.bytes(of: traits.own), id)
        traits.own = Payload(
          start: own.count, length: text.count, buffer: base + snapshot.buffers.count)
        own += text
        builder.beginSection(id.withUnsafeBytes { ids.intern(.string, $0) }, traits)
        builder.addItems(
          of: snapshot, snapshot.arrangement.range(ofSection: section), keys: keys,
          buffersFrom: base)
      }
      builder.addBuffer(own.withUnsafeBytes { SharedBytes(copying: $0) })
    }
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
    for (section, traits) in snapshot.sections.enumerated() {
      builder.beginSection(snapshot.arrangement.sections[section], traits)
      builder.addItems(
        of: snapshot, snapshot.arrangement.range(ofSection: section), keys: keys, buffersFrom: 0)
    }
    builder.finish(using: &places)
    return (builder.snapshot, builder.hasDuplicates)
  }

  /// The keys that an identifier may have in a list, by all ways from it to ordinary lists that
  /// pass the list `source`, where one is named.
  func keys(of id: UInt32, in list: NamedList, source: [UInt8]?) -> [UInt32] {
    let source = source == list.name ? nil : source
    guard let sources = list.sources else { return source == nil ? [id] : [] }
    return sources.flatMap { name -> [UInt32] in
      guard let inner = try? self.list(name),
        let nameKey = name.withUnsafeBytes({ ids.find(.string, $0) })
      else { return [] }
      return keys(of: id, in: inner, source: source).compactMap {
        ids.findSourced($0, from: nameKey)
      }
    }
  }
}
