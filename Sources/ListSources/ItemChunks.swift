/// The items of sections, in chunks of at most 256 items, so that an edit or a look-up visits few
/// items.
struct ItemChunks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private static var limit: Int { 256 }

  /// By index of a chunk, its items and its section.
  private var items: [[ItemID]] = []
  private var sections: [SectionID?] = []
  private var free: [Int] = []

  /// The chunks of each section, in order.
  private var chunksOf: [SectionID: [Int]] = [:]
  private var chunkOf: [ItemID: Int] = [:]

  var count: Int { chunkOf.count }

  func hasSection(_ section: SectionID) -> Bool { chunksOf[section] != nil }

  mutating func addSection(_ section: SectionID) { chunksOf[section] = [] }

  /// Removes a section and returns its items.
  mutating func removeSection(_ section: SectionID) -> [ItemID] {
    let result = items(in: section)
    for item in result { chunkOf[item] = nil }
    for chunk in chunksOf.removeValue(forKey: section) ?? [] { release(chunk) }
    return result
  }

  func items(in section: SectionID) -> [ItemID] {
    (chunksOf[section] ?? []).flatMap { items[$0] }
  }

  func count(in section: SectionID) -> Int {
    (chunksOf[section] ?? []).reduce(0) { $0 + items[$1].count }
  }

  func section(of item: ItemID) -> SectionID? { chunkOf[item].flatMap { sections[$0] } }

  /// Returns the index of an item in its section.
  func row(of item: ItemID) -> Int? {
    guard let chunk = chunkOf[item], let section = sections[chunk],
      let index = items[chunk].firstIndex(of: item)
    else { return nil }
    var row = index
    for other in chunksOf[section] ?? [] {
      if other == chunk { break }
      row += items[other].count
    }
    return row
  }

  mutating func remove(_ item: ItemID) {
    guard let chunk = chunkOf.removeValue(forKey: item), let section = sections[chunk],
      let index = items[chunk].firstIndex(of: item)
    else { return }
    items[chunk].remove(at: index)
    if items[chunk].isEmpty {
      chunksOf[section]?.removeAll { $0 == chunk }
      release(chunk)
    }
  }

  /// Inserts new items into an existing section.
  mutating func insert(_ added: [ItemID], in section: SectionID, at row: Int) {
    if added.isEmpty { return }
    let chunks = chunksOf[section] ?? []
    var offset = row
    var index = 0
    while index < chunks.count - 1, offset > items[chunks[index]].count {
      offset -= items[chunks[index]].count
      index += 1
    }
    guard index < chunks.count else {
      chunksOf[section] = makeChunks(added[...], section)
      return
    }
    let chunk = chunks[index]
    items[chunk].insert(contentsOf: added, at: offset)
    for item in added { chunkOf[item] = chunk }
    if items[chunk].count > Self.limit {
      let rest = items[chunk][(Self.limit / 2)...]
      items[chunk].removeSubrange((Self.limit / 2)...)
      let more = makeChunks(rest, section)
      chunksOf[section]?.insert(contentsOf: more, at: index + 1)
    }
  }

  /// Creates half-full chunks of items.
  private mutating func makeChunks(_ rest: ArraySlice<ItemID>, _ section: SectionID) -> [Int] {
    stride(from: rest.startIndex, to: rest.endIndex, by: Self.limit / 2).map { start in
      let part = Array(rest[start..<min(start + Self.limit / 2, rest.endIndex)])
      let chunk = free.popLast() ?? items.count
      if chunk == items.count {
        items.append(part)
        sections.append(section)
      } else {
        items[chunk] = part
        sections[chunk] = section
      }
      for item in part { chunkOf[item] = chunk }
      return chunk
    }
  }

  private mutating func release(_ chunk: Int) {
    items[chunk] = []
    sections[chunk] = nil
    free.append(chunk)
  }
}
