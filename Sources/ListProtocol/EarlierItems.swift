import JSONBytes
import ListDiff
import ListState

/// The items of a list's present snapshot, while those of the next one are read.
///
/// Most items of a new snapshot stand in the old one, most of them one after the other. Where the
/// bytes that come next are those of an old item, they need no other look: they are one item, its key
/// and traits are known and its content is the same.
struct EarlierItems {
  private let snapshot: Snapshot
  private let text: SharedBytes

  /// The old item that is expected next, and another that may be.
  private var next = 0
  private var other = 0

  /// How many items are compared at once; more with every success.
  private var stride = 1

  /// The items found so far, in the order of the new ones.
  private(set) var found: [MatchedRun] = []

  /// How many items in a row, nearly, were not where they were expected.
  private var misses = 0

  /// The items of the section in which the last one was found.
  private var section = 0..<0

  /// Which column of keys these items' are, as `KeyPlaces` counts them.
  private var column: Int

  /// Objects that come next, and which of the old items they may be.
  private var objects = GuessedObjects()
  private var guesses = GuessedItems()

  /// How many of those that came since they were guessed were old items, and how many were not.
  private var right = 0
  private var wrong = 0

  /// How many more items are read before others are guessed, and how many next time where too few were
  /// right.
  private var pause = 0
  private var nextPause = shortestPause

  private static let shortestPause = 64
  private static let longestPause = 1 << 14
  private static let longestStride = 4096

  /// From how many items side by side on more are expected.
  private static let sideBySide = 8

  /// Nothing to compare with where the old items' texts are not in one buffer in order, or were read
  /// with fewer containers open, for what was no deeper than allowed there may be here.
  init?(_ snapshot: Snapshot, depth: Int) {
    guard snapshot.parts == nil, snapshot.itemCount > 0, snapshot.depth >= depth,
      let text = snapshot.buffers.first
    else { return nil }
    self.snapshot = snapshot
    self.text = text
    column = snapshot.column
  }

  /// How many items of the same size on average stand in so many bytes.
  func likelyCount(in length: Int) -> Int { length / max(1, text.count / snapshot.itemCount) }

  /// Whether so many guesses were wrong that nearly none are taken.
  var isScattered: Bool { misses > 8 && misses & (misses > 1024 ? 511 : 63) != 0 }

  /// Whether the item that comes next is to be looked for among the old ones.
  mutating func takesGuess() -> Bool {
    misses += 1
    return !isScattered
  }

  /// Passes the items that come next as far as they are old ones side by side; returns how many.
  mutating func pass(
    _ reader: inout JSONReader, _ builder: inout SnapshotBuilder
  ) -> Int {
    if let passed = pass(from: next, &reader, &builder) { return passed }
    // One that has gone or moved away takes no look-up.
    if let passed = pass(from: next + 1, &reader, &builder) { return passed }
    guard other != next, other != next + 1 else { return 0 }
    return pass(from: other, &reader, &builder) ?? 0
  }

  /// As `pass`, from the old item with a key on.
  mutating func pass(
    _ key: UInt32, _ places: inout KeyPlaces, _ reader: inout JSONReader,
    _ builder: inout SnapshotBuilder
  ) -> Int {
    guard let place = place(of: key, &places), place != next else { return 0 }
    return pass(from: place, &reader, &builder) ?? 0
  }

  /// Passes the items that come next as far as they are old ones, wherever those are; returns how many.
  mutating func passScattered(
    _ reader: inout JSONReader, _ builder: inout SnapshotBuilder, _ message: SharedBytes,
    _ store: inout ListStore
  ) -> Int {
    if pause > 0 {
      pause -= 1
      return 0
    }
    if objects.areOver(at: reader) {
      let isPoor = wrong > right * 4
      nextPause = isPoor ? min(nextPause * 2, Self.longestPause) : Self.shortestPause
      right = 0
      wrong = 0
      if isPoor {
        pause = nextPause
        return 0
      }
      guess(reader, message, &store)
    }
    let passed = objects.pass(&reader, as: guesses.texts, in: text)
    guard !passed.isEmpty else {
      wrong += 1
      return 0
    }
    right += passed.count
    let first = builder.snapshot.itemCount
    let items = guesses.items[passed]
    builder.addItems(items, of: snapshot, at: objects.starts[passed])
    for (place, item) in items.enumerated() {
      append(MatchedRun(old: Int(item), new: first + place, count: 1))
    }
    // Where they are side by side again, the next ones need not be looked up.
    if let run = found.last, run.count >= Self.sideBySide {
      misses = 0
      next = Int(run.old + run.count)
    }
    return passed.count
  }

  /// Looks many items up together by what they begin with.
  private mutating func guess(
    _ reader: JSONReader, _ message: SharedBytes, _ store: inout ListStore
  ) {
    noteKeys(&store.places)
    objects.find("id", reader)
    guesses.find(objects.strings, in: message.bytes, of: snapshot, store.ids, store.places)
    objects.fetch(guesses.texts, in: text)
  }

  /// Notes which item was read that is no old one as it stands.
  mutating func note(_ key: UInt32, _ places: inout KeyPlaces) {
    stride = 1
    guard let place = place(of: key, &places) else { return }
    if place != next { other = next }
    next = place + 1
  }

  /// Where the old item with a key is.
  private mutating func place(of key: UInt32, _ places: inout KeyPlaces) -> Int? {
    let rows = snapshot.arrangement.rows
    if let place = places.place(of: key, in: rows) { return place }
    guard noteKeys(&places) else { return nil }
    return places.place(of: key, in: rows)
  }

  /// Notes the keys once more where another list has had their places since; whether that was so.
  @discardableResult
  private mutating func noteKeys(_ places: inout KeyPlaces) -> Bool {
    guard column != places.columns else { return false }
    places.note(snapshot.arrangement.rows) { _, _ in }
    column = places.columns
    return true
  }

  private mutating func pass(
    from first: Int, _ reader: inout JSONReader, _ builder: inout SnapshotBuilder
  ) -> Int? {
    guard first < snapshot.itemCount else { return nil }
    let end = covered(from: first, reader)
    guard end > first else { return nil }
    let start = Int(snapshot.payloads[first].start)
    let last = snapshot.payloads[end - 1]
    let new = builder.snapshot.itemCount
    builder.addItems(first..<end, of: snapshot, shift: reader.offset - start)
    reader.pass(Int(last.start) + Int(last.length) - start)
    append(MatchedRun(old: first, new: new, count: end - first))
    if first != next { other = next }
    next = end
    if end - first > 1 { misses = 0 }
    stride = end - first == stride ? min(stride * 2, Self.longestStride) : 1
    return end - first
  }

  /// The end of the old items from `first` on whose texts come next, with what separates them.
  private mutating func covered(from first: Int, _ reader: JSONReader) -> Int {
    var end = min(first + stride, sectionEnd(of: first))
    let payloads = snapshot.payloads.span
    let start = Int(payloads[first].start)
    guard payloads[first].buffer == 0 else { return first }
    let own = start..<start + Int(payloads[first].length)
    if reader.common(with: text, at: own) < own.count { return first }
    // Texts out of order or from elsewhere are compared one by one.
    if end > first + 1, !isInOrder(first..<end) { end = first + 1 }
    let last = payloads[end - 1]
    let length = Int(last.start) + Int(last.length) - start
    let same = reader.common(with: text, at: start..<start + length)
    if same < length {
      // The first item whose end is beyond what is the same.
      var low = first
      var high = end
      while low < high {
        let middle = (low + high) / 2
        let payload = payloads[middle]
        if Int(payload.start) + Int(payload.length) - start <= same {
          low = middle + 1
        } else {
          high = middle
        }
      }
      end = low
    }
    // A number or a word could go on.
    while end > first {
      let payload = payloads[end - 1]
      switch reader.lastByte(ofNext: Int(payload.start) + Int(payload.length) - start) {
      case 0x22, 0x5D, 0x7D: return end
      default: end -= 1
      }
    }
    return end
  }

  private func isInOrder(_ items: Range<Int>) -> Bool {
    let payloads = snapshot.payloads.span.extracting(items)
    for index in 1..<payloads.count
    where payloads[index].buffer != 0
      || payloads[index].start < payloads[index - 1].start &+ payloads[index - 1].length
    {
      return false
    }
    return true
  }

  private mutating func sectionEnd(of item: Int) -> Int {
    if !section.contains(item) {
      section = snapshot.arrangement.range(ofSection: snapshot.section(ofItem: item))
    }
    return section.upperBound
  }

  private mutating func append(_ run: MatchedRun) {
    if let last = found.last, last.old + last.count == run.old, last.new + last.count == run.new {
      found[found.count - 1].count += run.count
    } else {
      found.append(run)
    }
  }
}
