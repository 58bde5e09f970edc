import JSONBytes
import ListDiff
import ListState

/// Reads sections and items from a message into a snapshot that keeps the message's bytes.
///
/// Identifiers become keys as they are passed, items stay where they are, and each section's own
/// members are gathered in a buffer beside the message.
struct SnapshotReader: ~Copyable {
  var reader: JSONReader
  var builder: SnapshotBuilder
  var own = ByteBuffer()

  /// Items and parts without members that are `null` and mean something to the protocol.
  var rewritten = ByteBuffer()
  var scratch = ByteBuffer()
  var canonical = JSONCanonical()
  var found = FoundMembers()
  let message: SharedBytes
  var place = ItemPlace()
  private var earlier: EarlierItems?
  var batch = IDBatch()
  var duplicateParts: [Duplicate] = []
  private let isCancelled: () -> Bool

  /// Whether items may have what rows of outlines have, as those that a daemon has sent do.
  var takesOutlineRows = false

  /// How more of the message comes, and from where on it is to be waited for.
  let arrival: Arrival?
  var waitsFrom = Int.max

  /// How many steps were made, each an item or several.
  private var steps = 0

  /// Where the reader is, for the pointers of failures.
  struct ItemPlace {
    var list: String?
    var section: Int?
    var item = 0

    var sectionPointer: String { section.map { "\(list ?? "")/\($0)" } ?? "" }
    var itemsPointer: String { section == nil ? list ?? "" : sectionPointer + "/items" }
    var pointer: String { "\(itemsPointer)/\(item)" }
  }

  /// The buffers of a snapshot: the message, the sections' own members, and rewritten items.
  static let messageBuffer = 0
  static let ownBuffer = 1
  static let rewrittenBuffer = 2
  private static let sectionMembers: [StaticString] = [
    "header", "footer", "headerTemplate", "footerTemplate", "selectionMode", "allowsEmptySelection",
  ]
  static let itemMembers = SoughtMembers("id", "template", "selectable", "parts")

  static let emptyObject: [UInt8] = [0x7B, 0x7D]

  /// Whether sections come with items.
  enum ItemsRule {
    case haveItems
    case mayHaveItems
    case haveNoItems
  }

  var itemsRule: ItemsRule

  /// The offset that the end of the value does not exceed.
  private var end: Int

  /// How many sections and items were there before the value that is read.
  var before = (sections: 0, items: 0)

  /// Where the members of a section that stands for bare items are.
  private var main: Payload?

  /// A reader of a message that has been checked.
  init(_ message: SharedBytes, itemsRule: ItemsRule = .haveItems) {
    self.init(message, at: JSONReader(message.bytes), earlier: nil, itemsRule: itemsRule)
  }

  /// A reader of what comes next in a message that has not been checked: the value of `sections`
  /// or of `items`. `earlier` is a snapshot that much of it may be taken from.
  init(
    _ message: SharedBytes, at reader: JSONReader, earlier: Snapshot?,
    itemsRule: ItemsRule = .haveItems, arrival: Arrival? = nil,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.message = message
    self.isCancelled = isCancelled
    self.arrival = arrival
    if arrival != nil { waitsFrom = reader.offset }
    self.reader = reader
    self.itemsRule = itemsRule
    end = message.count
    builder = SnapshotBuilder(buffers: [message])
    if let earlier, let known = EarlierItems(earlier, depth: reader.depth + 1) {
      builder.reserve(about: known.likelyCount(in: message.count - reader.offset))
      self.earlier = known
    }
  }

  /// Reads `{sections}` or the value of `items`, which is one section with the id `main`.
  ///
  /// - Throws: -32602 for what is no snapshot, -31004 for identifiers that are given twice.
  consuming func read(
    sections: Value?, items: Value?, _ store: inout ListStore
  ) throws(Failure) -> Snapshot {
    var duplicates: [Duplicate] = []
    let snapshot = try read(sections: sections, items: items, &store, &duplicates)
    guard duplicates.isEmpty else { throw .duplicates(duplicates, store.ids) }
    return snapshot
  }

  /// Reads the same, and adds to `duplicates` all that is given twice.
  ///
  /// - Throws: -32602 for what is no snapshot.
  consuming func read(
    sections: Value?, items: Value?, _ store: inout ListStore, _ duplicates: inout [Duplicate]
  ) throws(Failure) -> Snapshot {
    if let value = sections ?? items {
      begin(value)
      try read(isSections: sections != nil, value.pointer, &store)
    } else {
      finish(&store)
    }
    try checkRoom(store.ids)
    if builder.hasDuplicates {
      duplicates +=
        builder.snapshot.duplicates(sections: sections?.pointer, items: items?.pointer)
        + duplicateParts
    }
    return builder.snapshot
  }

  mutating func begin(_ value: Value) {
    reader = JSONReader(message.bytes, from: value.range.lowerBound)
    end = value.range.upperBound
    steps = 0
  }

  /// Reads the value that comes next in a message that has not been checked, and moves `reader`
  /// after it.
  ///
  /// - Throws: -32700 for what is no JSON, else as `read(sections:items:_:)`, but without the data
  ///   where identifiers are given twice.
  consuming func readAhead(
    isSections: Bool, _ pointer: String, _ reader: inout JSONReader, _ store: inout ListStore
  ) throws(Failure) -> ReadSnapshot {
    try read(isSections: isSections, pointer, &store)
    try checkRoom(store.ids)
    if builder.hasDuplicates { throw .duplicates([], store.ids) }
    reader = self.reader
    return ReadSnapshot(snapshot: builder.snapshot, same: earlier?.found ?? [])
  }

  private mutating func read(
    isSections: Bool, _ pointer: String, _ store: inout ListStore
  ) throws(Failure) {
    try readList(isSections: isSections, pointer, &store)
    finish(&store)
  }

  mutating func readList(
    isSections: Bool, _ pointer: String, _ store: inout ListStore
  ) throws(Failure) {
    place.list = pointer
    if isSections {
      try readSections(pointer, &store)
    } else {
      place.section = nil
      let name = Array("main".utf8)
      let key = name.withUnsafeBytes { store.ids.intern(.string, $0) }
      builder.beginSection(key, SectionTraits(own: mainMembers()))
      try readItems(&store)
    }
  }

  private mutating func mainMembers() -> Payload {
    if let main { return main }
    let start = own.count
    own.append("{\"id\":\"main\"}")
    let payload = Payload(start: start, length: own.count - start, buffer: Self.ownBuffer)
    main = payload
    return payload
  }

  private mutating func finish(_ store: inout ListStore) {
    builder.finish(using: &store.places)
    if !duplicateParts.isEmpty { builder.noteDuplicateParts() }
    addBuffers()
  }

  mutating func addBuffers() {
    builder.addBuffer(Self.take(&own))
    if !rewritten.isEmpty { builder.addBuffer(Self.take(&rewritten)) }
  }

  private static func take(_ buffer: inout ByteBuffer) -> SharedBytes {
    var rest = ByteBuffer()
    swap(&rest, &buffer)
    return rest.shared()
  }

  /// Makes sure that every identifier has a key of its own.
  func checkRoom(_ ids: borrowing IDTable) throws(Failure) {
    if let overflow = ids.overflow { throw .overflow(overflow, place.list ?? "") }
  }

  private mutating func readSections(
    _ pointer: String, _ store: inout ListStore
  ) throws(Failure) {
    guard try enterArray(pointer) else { return }
    var index = 0
    while try nextElement() {
      place.section = index
      try readSection(&store)
      index += 1
    }
  }

  private mutating func readSection(_ store: inout ListStore) throws(Failure) {
    let pointer = place.sectionPointer
    switch try peek() {
    case .object: break
    case .array where try skipEmptyArray():
      throw .missing(pointer + "/id", expected: "a string or an integer")
    default: throw .invalidParams(pointer, expected: "a section")
    }
    let start = own.count
    let duplicatesBefore = duplicateParts.count
    var header = SectionHeader()
    var hasItems = false
    var nulls: [StaticString] = []
    own.append(0x7B)
    builder.beginSection(0, SectionTraits(own: Payload(start: 0, length: 0, buffer: 0)))
    try openObject()
    while let name = try nextMember() {
      if reader.matches(name, "items") {
        if itemsRule == .haveNoItems {
          throw .invalidParams(pointer + "/items", expected: "a section without items")
        }
        if hasItems {
          builder.removeItemsOfSection()
          duplicateParts.removeSubrange(duplicatesBefore...)
        }
        hasItems = true
        try readItems(&store)
        continue
      }
      let range = try skip()
      if own.count > start + 1 { own.append(0x2C) }
      own.append(0x22)
      own.append(reader.bytes(name.range))
      own.append("\":")
      own.append(reader.bytes(range))
      let value = Value(
        message: message, range: range, pointer: pointer.appending(member: reader.text(name)))
      try header.note(name, value, reader, &store.ids)
      if let known = Self.sectionMembers.first(where: { reader.matches(name, $0) }) {
        nulls.removeAll { $0 == known }
        if value.kind == .null { nulls.append(known) }
      }
    }
    own.append(0x7D)
    if !nulls.isEmpty { own.removeMembers(nulls, from: start) }
    guard let id = header.id else {
      throw .missing(pointer + "/id", expected: "a string or an integer")
    }
    guard hasItems || itemsRule != .haveItems else {
      throw .missing(pointer + "/items", expected: "an array")
    }
    builder.describeSection(
      id,
      header.traits(
        own: Payload(start: start, length: own.count - start, buffer: Self.ownBuffer)))
  }

  private mutating func readItems(_ store: inout ListStore) throws(Failure) {
    guard try enterArray(place.itemsPointer) else { return }
    place.item = 0
    while try nextElement() {
      steps += 1
      if steps & 0xFFF == 0, isCancelled() { throw .cancelled }
      let passed = try passEarlier(&store)
      if passed > 0 {
        place.item += passed
        continue
      }
      try readItem(&store.ids)
      if !defersKeys { earlier?.note(builder.lastKey, &store.places) }
      place.item += 1
      if steps == 1 { makeRoom(&store.ids) }
    }
    internBatch(&store.ids)
  }

  /// Whether keys need not be known at once.
  var defersKeys: Bool { earlier?.isScattered ?? true }

  mutating func internBatch(_ ids: inout IDTable) {
    ids.intern(&batch, in: message.bytes) { builder.setKey($1, ofItem: $0) }
  }

  /// Passes items as they stand in the earlier snapshot; returns how many.
  private mutating func passEarlier(_ store: inout ListStore) throws(Failure) -> Int {
    guard earlier != nil else { return 0 }
    _ = try peek()
    guard earlier?.takesGuess() == true else {
      return earlier?.passScattered(&reader, &builder, message, &store) ?? 0
    }
    if let passed = earlier?.pass(&reader, &builder), passed > 0 { return passed }
    guard let id = reader.guessedFirstString("id") else { return 0 }
    let key = store.ids.intern(.string, reader.bytes(id))
    return earlier?.pass(key, &store.places, &reader, &builder) ?? 0
  }

  /// Makes room for as many items as the rest of the message holds of the first one's size.
  private mutating func makeRoom(_ ids: inout IDTable) {
    let first = builder.snapshot.payloads[before.items]
    let rest = end - Int(first.start)
    let likely = rest / (Int(first.length) + 1)
    // Room for a little more each time would be made a little at a time.
    if earlier == nil, before.items == 0 { builder.reserve(about: likely) }
    ids.makeRoom(
      forAbout: min(likely * 17 / 16, 1 << 24) + 1, of: found[0]?.count ?? 0, within: rest)
  }
}

/// A snapshot that was read, and the items in it that stand in the list's present one, byte by byte.
struct ReadSnapshot {
  var snapshot: Snapshot
  var same: [MatchedRun] = []
}
