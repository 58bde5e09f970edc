import ByteBuffers
import JSONBytes
import ListDiff
import ListState

/// Reads sections and items from a message into a snapshot that keeps the message's bytes.
///
/// Identifiers are interned while reading; items are ranges of the message, and the own members of
/// each section are copied into a second buffer.
struct SnapshotReader: ~Copyable {
  var reader: JSONReader

  /// Has no buffers until something is read.
  var builder = SnapshotBuilder()
  var own = ByteBuffer()

  /// Copies of items and parts, without members with a meaning in the protocol that are `null`.
  var rewritten = ByteBuffer()
  var scratch = ByteBuffer()
  var canonical: JSONCanonical?
  var found = MemberRanges()
  let message: SharedBytes
  var position = Position()
  private var scanner: UnchangedItemScanner?

  /// A guess about the next items, and the items that were read by it.
  var shape = ObjectShape()
  private var run: ObjectRun?
  var duplicateParts: [Duplicate] = []
  private let isCancelled: () -> Bool

  /// The members that identify items without `id`, if the request names any.
  var itemKey: ItemKey?

  /// Whether items may have their identities before them, as in a journal, and that of the next one.
  var takesKeyedItems = false
  var givenKey: UInt32?

  /// Whether items may have members of rows of outlines, as those that a daemon sent do.
  var takesOutlineRows = false

  /// The identifier of the item that was last looked up in the earlier snapshot, and its key.
  var lookedUp: (id: Range<Int>, key: UInt32) = (0..<0, 0)

  /// Receives the rest of the message, and the offset from which on it must be waited for.
  let arrival: PartialMessage?
  var waitsFrom = Int.max

  /// The number of steps so far. A step reads one item or skips several.
  private var steps = 0

  /// The number of steps after which memory is reserved.
  private var reservesAfter = 1

  /// The position of the reader, for the pointers of failures.
  struct Position {
    /// The value with the sections or items; `nil` while a message is read ahead of its check.
    var list: Value?
    var section: Int?
    var item = 0

    var listPointer: String { list?.pointer ?? "" }
    var sectionPointer: String { section.map { "\(listPointer)/\($0)" } ?? "" }
    var itemsPointer: String { section == nil ? listPointer : sectionPointer + "/items" }
    var pointer: String { "\(itemsPointer)/\(item)" }
  }

  /// The buffers of a snapshot: the message, the sections' own members, and rewritten items.
  static let messageBuffer = 0
  static let ownBuffer = 1
  static let rewrittenBuffer = 2

  /// The own members of the section of items that are not in sections.
  static let main = SharedBytes(copying: "{\"id\":\"main\"}".utf8)
  private static let mainTraits = [
    SectionTraits(own: Payload(start: 0, length: main.count, buffer: ownBuffer))
  ]

  /// Whether the snapshot has that section only.
  private var hasMain = false
  private static let sectionMembers: [StaticString] = [
    "header", "footer", "headerTemplate", "footerTemplate", "selectionMode", "allowsEmptySelection",
  ]
  static let itemMembers = MemberKeys("id", "template", "selectable", "parts")

  /// The members of an item with a meaning in the protocol, in the order of `itemMembers`.
  enum ItemMember: Int { case id, template, selectable, parts }

  static let emptyObject: [UInt8] = [0x7B, 0x7D]

  /// The number of items of a section whose identifiers are looked up one by one.
  static let fewItems = 4

  /// Whether sections have items.
  enum ItemsRule {
    case haveItems
    case mayHaveItems
    case haveNoItems
  }

  var itemsRule = ItemsRule.haveItems

  /// An upper bound of the offset at which the value ends.
  private var end: Int

  /// The number of sections and items before the value that is being read.
  var before = (sections: 0, items: 0)

  /// Creates a reader of values of a message that has been checked, or of the next value, at which `reader` is, of
  /// one that has not been, which is that of `sections` or of `items`. Most of it may be unchanged from
  /// the content `earlier`.
  init(
    _ message: SharedBytes, at reader: JSONReader? = nil, itemKey: ItemKey? = nil,
    earlier: EarlierContent? = nil, arrival: PartialMessage? = nil,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    let reader = reader ?? JSONReader(message.bytes)
    self.message = message
    self.isCancelled = isCancelled
    self.arrival = arrival
    if arrival != nil { waitsFrom = reader.offset }
    self.reader = reader
    self.itemKey = itemKey
    end = message.count
    if let earlier { scanner = UnchangedItemScanner(earlier, depth: reader.depth + 1) }
  }

  /// Reads `{sections}`, or the value of `items`, which becomes one section with the id `main`.
  ///
  /// - Throws: -32602 if it is not a snapshot, -31004 for duplicate identifiers.
  consuming func read(
    sections: Value?, items: Value?, _ store: inout ListStore
  ) throws(Failure) -> Snapshot {
    var duplicates: [Duplicate] = []
    let snapshot = try read(sections: sections, items: items, &store, &duplicates)
    guard duplicates.isEmpty else { throw .duplicates(duplicates, store.ids) }
    return snapshot
  }

  /// Reads like `read(sections:items:_:)`, but appends duplicates to `duplicates`.
  ///
  /// - Throws: -32602 if it is not a snapshot.
  consuming func read(
    sections: Value?, items: Value?, _ store: inout ListStore, _ duplicates: inout [Duplicate]
  ) throws(Failure) -> Snapshot {
    guard let value = sections ?? items else { preconditionFailure("one of the two is read") }
    begin(value, JSONReader(message.bytes, from: value.range.lowerBound))
    try read(isSections: sections != nil, value, &store)
    try checkOverflow(store.ids)
    if builder.hasDuplicates {
      duplicates +=
        builder.snapshot.duplicates(sections: sections?.pointer, items: items?.pointer)
        + duplicateParts
    }
    return builder.snapshot
  }

  mutating func begin(_ value: Value, _ reader: JSONReader) {
    self.reader = reader
    end = value.range.upperBound
    steps = 0
    reservesAfter = 1
  }

  /// Reads the next value of a message that has not been checked, and moves `reader` to its end.
  ///
  /// - Throws: -32700 for invalid JSON, otherwise like `read(sections:items:_:)`, but without the
  ///   data about duplicates.
  mutating func readAhead(
    isSections: Bool, _ reader: inout JSONReader, _ store: inout ListStore
  ) throws(Failure) -> ReadSnapshot {
    try read(isSections: isSections, nil, &store)
    try checkOverflow(store.ids)
    if builder.hasDuplicates { throw .duplicates([], store.ids) }
    reader = self.reader
    return ReadSnapshot(snapshot: builder.snapshot, same: scanner?.found ?? [])
  }

  private mutating func read(
    isSections: Bool, _ value: Value?, _ store: inout ListStore
  ) throws(Failure) {
    if isSections {
      // Those of the sections follow.
      var buffers: [SharedBytes] = []
      buffers.reserveCapacity(2)
      buffers.append(message)
      builder = SnapshotBuilder(buffers: buffers)
    } else {
      builder = SnapshotBuilder(buffers: [message, Self.main])
      builder.beginFirstSection(Self.mainSection(&store.ids).key, Self.mainTraits)
      hasMain = true
    }
    if let count = scanner?.estimatedCount(in: message.count - reader.offset) {
      builder.reserve(about: count)
    }
    try readList(isSections: isSections, value, &store)
    finish(&store)
  }

  mutating func readList(
    isSections: Bool, _ value: Value?, _ store: inout ListStore
  ) throws(Failure) {
    position.list = value
    store.idBatch.removeAll()
    if isSections {
      try readSections(&store)
    } else {
      position.section = nil
      try readItems(&store)
    }
  }

  private mutating func finish(_ store: inout ListStore) {
    let isDistinct = scanner?.provesDistinct(builder.snapshot) == true
    builder.finish(using: &store.keyIndices, mayRepeat: !isDistinct)
    if rewritten.isEmpty { builder.recordAscendingTexts() }
    if !duplicateParts.isEmpty { builder.recordDuplicateParts() }
    addBuffers()
  }

  mutating func addBuffers() {
    if !hasMain, !own.isEmpty || !rewritten.isEmpty { builder.addBuffer(Self.take(&own)) }
    if !rewritten.isEmpty { builder.addBuffer(Self.take(&rewritten)) }
  }

  private static func take(_ buffer: inout ByteBuffer) -> SharedBytes {
    var rest = ByteBuffer()
    swap(&rest, &buffer)
    return rest.shared()
  }

  private mutating func readSections(_ store: inout ListStore) throws(Failure) {
    guard try enterArray(\.listPointer) else { return }
    var index = 0
    while try nextElement() {
      position.section = index
      try readSection(&store)
      index += 1
    }
  }

  private mutating func readSection(_ store: inout ListStore) throws(Failure) {
    switch try peek() {
    case .object: break
    case .array where try skipEmptyArray():
      throw .missing(position.sectionPointer + "/id", expected: "a string or an integer")
    default: throw .invalidParams(position.sectionPointer, expected: "a section")
    }
    let start = own.count
    let duplicatesBefore = duplicateParts.count
    var header = SectionHeader()
    var hasItems = false
    var nulls: [StaticString] = []
    own.append(0x7B)
    builder.beginSection(0, SectionTraits(own: .empty))
    try openObject()
    while let name = try nextMember() {
      if reader.matches(name, "items") {
        if hasItems {
          builder.removeItemsOfSection()
          duplicateParts.removeSubrange(duplicatesBefore...)
        }
        hasItems = try peek() != .null
        if hasItems, itemsRule == .haveNoItems {
          throw .invalidParams(position.itemsPointer, expected: "a section without items")
        }
        if hasItems { try readItems(&store) } else { _ = try skip() }
        continue
      }
      let range = try skip()
      if own.count > start + 1 { own.append(0x2C) }
      own.append(0x22)
      own.append(reader.bytes(name.range))
      own.append("\":")
      own.append(reader.bytes(range))
      let value = value(range)
      try header.record(name, value, reader, &store.ids)
      if let known = Self.sectionMembers.first(where: { reader.matches(name, $0) }) {
        nulls.removeAll { $0 == known }
        if value.kind == .null { nulls.append(known) }
      }
    }
    own.append(0x7D)
    if !nulls.isEmpty { own.removeMembers(nulls, from: start) }
    guard let id = header.id else {
      throw .missing(position.sectionPointer + "/id", expected: "a string or an integer")
    }
    guard hasItems || itemsRule != .haveItems else {
      throw .missing(position.itemsPointer, expected: "an array")
    }
    builder.describeSection(
      id,
      header.traits(
        own: Payload(start: start, length: own.count - start, buffer: Self.ownBuffer)))
  }

  private mutating func readItems(_ store: inout ListStore) throws(Failure) {
    guard try enterArray(\.itemsPointer) else { return }
    position.item = 0
    let start = reader.offset
    var hasNext = try nextElement()
    while hasNext {
      let skipped = scanner == nil ? 0 : try skipUnchanged(&store)
      if skipped > 0 {
        position.item += skipped
        try countSteps(1)
        hasNext = try nextElement()
        continue
      }
      let count = readSimilar(&store)
      if count == 0 {
        try readItem(&store)
        if !defersKeys { scanner?.record(builder.lastKey, &store.keyIndices) }
        hasNext = try nextElement()
      }
      position.item += max(1, count)
      try countSteps(max(1, count))
      if hasNext, steps >= reservesAfter, scanner == nil || steps == 1 {
        reserve(start, &store.ids)
      }
    }
    internBatch(&store)
  }

  /// Counts steps. Throws if the request was cancelled, which is checked now and then.
  private mutating func countSteps(_ count: Int) throws(Failure) {
    let before = steps
    steps += count
    if (before ^ steps) >= 0x1000, isCancelled() { throw .cancelled }
  }

  /// Reads the next items together if they look like the last ones and nothing is known about them.
  /// Returns how many; the reader is then at another item.
  private mutating func readSimilar(_ store: inout ListStore) -> Int {
    guard scanner == nil, shape.isSteady else { return 0 }
    var run = self.run.take() ?? ObjectRun()
    run.read(&shape, &reader, member: ItemMember.id.rawValue, before: waitsFrom)
    let count = run.objects.count
    if count > 0 {
      let first = builder.snapshot.itemCount
      builder.addItems(run.objects)
      if store.idBatch.append(run.strings, firstItem: first) { internBatch(&store) }
      waitIfNeeded()
    }
    self.run = run
    return count
  }

  /// Whether keys are not needed immediately.
  var defersKeys: Bool {
    switch scanner {
    case .some(let scanner): scanner.isScattered
    case nil: true
    }
  }

  mutating func internBatch(_ store: inout ListStore) {
    builder.setKeys(&store.idBatch, in: message.bytes, &store.ids)
  }

  /// Skips items that are unchanged from the earlier snapshot. Returns how many.
  private mutating func skipUnchanged(_ store: inout ListStore) throws(Failure) -> Int {
    _ = try peek()
    guard scanner?.shouldCompare() == true else {
      return scanner?.skipScattered(&reader, &builder, message, &store) ?? 0
    }
    if let skipped = scanner?.skip(&reader, &builder), skipped > 0 { return skipped }
    guard let id = reader.speculativeFirstString("id") else { return 0 }
    let key = store.ids.intern(.string, reader.bytes(id))
    lookedUp = (id, key)
    return scanner?.skip(key, &store.keyIndices, &reader, &builder) ?? 0
  }

  /// The number of items whose mean length is assumed of all others.
  private static let sample = 1024

  /// Reserves memory for the rest of the message, assuming that all items are as long as those of
  /// the array at `start` that have been read. After the first item of a list without an earlier
  /// snapshot, reserves no more than a sample needs.
  private mutating func reserve(_ start: Int, _ ids: inout IDTable) {
    let isSample = scanner == nil && reservesAfter == 1
    reservesAfter = isSample ? Self.sample : .max
    let rest = end - reader.offset
    // The reader is after the comma that follows these items.
    let length = max(1, (reader.offset - start) / position.item)
    let most = isSample ? Self.sample : rest
    let count = builder.snapshot.itemCount - before.items + min(rest / length, most)
    // Reserving a little for each value would grow the memory a little at a time.
    if scanner == nil, before.items == 0 { builder.reserve(about: count) }
    ids.makeRoom(
      forAbout: min(count * 17 / 16, 1 << 24) + 1, of: found[ItemMember.id]?.count ?? 0,
      within: rest)
  }
}
