/// The items of sections, in chunks of at most 256, so that an edit and a look-up touch few of them.
struct ItemChunks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  private static var limit: Int { 256 }

  /// By number a chunk: its items, and the section that it is part of.
  private var items: [[ItemID]] = []
  private var sections: [SectionID?] = []
  private var free: [Int] = []

  /// The numbers of each section's chunks, in order.
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

  /// The index of an item in its section.
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

  /// Puts items, none of which is here, into a section that is here.
  mutating func insert(_ added: [ItemID], in section: SectionID, at row: Int) {
    if added.isEmpty { return }
    let chunks = chunksOf[section] ?? []
    var offset = row
    var place = 0
    while place < chunks.count - 1, offset > items[chunks[place]].count {
      offset -= items[chunks[place]].count
      place += 1
    }
    guard place < chunks.count else {
      chunksOf[section] = makeChunks(added[...], section)
      return
    }
    let chunk = chunks[place]
    items[chunk].insert(contentsOf: added, at: offset)
    for item in added { chunkOf[item] = chunk }
    if items[chunk].count > Self.limit {
      let rest = items[chunk][(Self.limit / 2)...]
      items[chunk].removeSubrange((Self.limit / 2)...)
      let more = makeChunks(rest, section)
      chunksOf[section]?.insert(contentsOf: more, at: place + 1)
    }
  }

  /// New chunks of items, half full so that there is room.
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
