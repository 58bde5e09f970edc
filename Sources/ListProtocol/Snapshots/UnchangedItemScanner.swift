import ByteBuffers
import JSONBytes
import ListDiff
import ListState

/// Finds the items of a list's present snapshot in the next one while that is being read.
///
/// Most items of a new snapshot are in the old one, and most of those in the same order. If the
/// next bytes are those of an old item, the item need not be parsed: its key and traits are known,
/// and its content is unchanged.
struct UnchangedItemScanner: ~Copyable {
  private let earlier: EarlierContent
  private let snapshot: Snapshot
  private let text: SharedBytes

  /// The old item that is expected next, and an alternative.
  private var next = 0
  private var other = 0

  /// The number of items that are compared at once. It grows with every success.
  private var stride = 1

  /// The runs of unchanged items found so far, in the new order.
  private(set) var found: [MatchedRun] = []

  /// The approximate number of consecutive items that were not the expected ones.
  private var misses = 0

  /// The items of the section of the last item found.
  private var section = 0..<0

  /// The generation of `LastKeyIndices` in which the keys of these items were stored.
  private var column: Int

  /// The next objects of the message, and the old items that they may be.
  private var objects = SpeculativeObjects()
  private var guesses = SpeculativeItems()

  /// How many of the objects that were guessed turned out to be old items, and how many did not.
  private var right = 0
  private var wrong = 0

  /// The number of items to read before the next guess, and the number after a guess that finds too
  /// few.
  private var pause = 0
  private var nextPause = shortestPause

  private static let shortestPause = 64
  private static let longestPause = 1 << 14
  private static let longestStride = 4096

  /// The number of consecutive unchanged items from which on more are expected.
  private static let runLength = 8

  /// Fails if there is nothing to compare with: the texts of the old items are not in one buffer,
  /// or they were read at a smaller nesting depth, so that they may be nested too deeply here.
  init?(_ earlier: EarlierContent, depth: Int) {
    let snapshot = earlier.snapshot
    guard snapshot.itemCount > 0, snapshot.depth >= depth,
      let text = snapshot.buffers.first
    else { return nil }
    self.earlier = earlier
    self.snapshot = snapshot
    self.text = text
    column = snapshot.column
  }

  /// Estimates how many items are in `length` bytes, by the average size of the old ones.
  func estimatedCount(in length: Int) -> Int { length / max(1, text.count / snapshot.itemCount) }

  /// Whether so many guesses were wrong that only a few are still tried.
  var isScattered: Bool { misses > 8 && misses & (misses > 1024 ? 511 : 63) != 0 }

  /// Reports whether to look for the next item among the old ones.
  mutating func shouldCompare() -> Bool {
    misses += 1
    return !isScattered
  }

  /// Skips the next items as long as they are consecutive old ones. Returns how many.
  mutating func skip(
    _ reader: inout JSONReader, _ builder: inout SnapshotBuilder
  ) -> Int {
    if let skipped = skip(from: next, &reader, &builder) { return skipped }
    // A single item that was deleted or moved away needs no lookup.
    if let skipped = skip(from: next + 1, &reader, &builder) { return skipped }
    guard other != next, other != next + 1 else { return 0 }
    return skip(from: other, &reader, &builder) ?? 0
  }

  /// Skips like `skip(_:_:)`, beginning with the old item that has `key`.
  mutating func skip(
    _ key: UInt32, _ places: inout LastKeyIndices, _ reader: inout JSONReader,
    _ builder: inout SnapshotBuilder
  ) -> Int {
    guard let index = index(of: key, &places), index != next else { return 0 }
    return skip(from: index, &reader, &builder) ?? 0
  }

  /// Skips the next items as long as they are old ones in any order. Returns how many.
  mutating func skipScattered(
    _ reader: inout JSONReader, _ builder: inout SnapshotBuilder, _ message: SharedBytes,
    _ store: inout ListStore
  ) -> Int {
    if pause > 0 {
      pause -= 1
      return 0
    }
    if objects.isExhausted(at: reader) {
      let isPoor = wrong > right * 4
      nextPause = isPoor ? min(nextPause * 2, Self.longestPause) : Self.shortestPause
      right = 0
      wrong = 0
      if isPoor {
        pause = nextPause
        return 0
      }
      prefetch(reader, message, &store)
    }
    let skipped = objects.pass(&reader, as: guesses.texts, in: text)
    guard !skipped.isEmpty else {
      wrong += 1
      return 0
    }
    right += skipped.count
    let first = builder.snapshot.itemCount
    let items = guesses.items[skipped]
    builder.addItems(items, of: snapshot, at: objects.starts[skipped])
    for (offset, item) in items.enumerated() {
      append(MatchedRun(old: Int(item), new: first + offset, count: 1))
    }
    // If they are consecutive again, the next ones need no lookup.
    if let run = found.last, run.count >= Self.runLength {
      misses = 0
      next = Int(run.old + run.count)
    }
    return skipped.count
  }

  /// Looks up many of the next objects together, by their identifiers.
  private mutating func prefetch(
    _ reader: JSONReader, _ message: SharedBytes, _ store: inout ListStore
  ) {
    storeKeys(&store.keyIndices)
    objects.find("id", reader)
    guesses.find(objects.strings, in: message.bytes, of: snapshot, store.ids, store.keyIndices)
    objects.fetch(guesses.texts, in: text)
  }

  /// Records an item that was read because it is not unchanged.
  mutating func record(_ key: UInt32, _ places: inout LastKeyIndices) {
    stride = 1
    guard let index = index(of: key, &places) else { return }
    if index != next { other = next }
    next = index + 1
  }

  /// Returns the index of the old item with a key.
  private mutating func index(of key: UInt32, _ places: inout LastKeyIndices) -> Int? {
    if earlier.findsKeys { return earlier.index(of: key) }
    let rows = snapshot.arrangement.rows
    if let index = places.index(of: key, in: rows) { return index }
    guard storeKeys(&places) else { return nil }
    return places.index(of: key, in: rows)
  }

  /// Stores the keys again if another list has stored its own since. Returns whether it did.
  @discardableResult
  private mutating func storeKeys(_ places: inout LastKeyIndices) -> Bool {
    guard column != places.columnCount else { return false }
    places.record(snapshot.arrangement.rows) { _, _ in }
    column = places.columnCount
    return true
  }

  private mutating func skip(
    from first: Int, _ reader: inout JSONReader, _ builder: inout SnapshotBuilder
  ) -> Int? {
    guard first < snapshot.itemCount else { return nil }
    let end = endOfRun(from: first, reader)
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

  /// Returns the end of the run of old items, from `first` on, whose texts and separators are the
  /// next bytes.
  private mutating func endOfRun(from first: Int, _ reader: JSONReader) -> Int {
    var end = min(first + stride, sectionEnd(of: first))
    let payloads = snapshot.payloads.span
    let start = Int(payloads[first].start)
    guard payloads[first].buffer == 0 else { return first }
    let own = start..<start + Int(payloads[first].length)
    if reader.common(with: text, at: own) < own.count { return first }
    // Texts that are out of order or in another buffer are compared one by one.
    if end > first + 1 {
      let (part, isKnown) = earlier.orderedPart(of: first..<end)
      end = isKnown || isInOrder(part) ? part.upperBound : first + 1
    }
    let last = payloads[end - 1]
    let length = Int(last.start) + Int(last.length) - start
    let same = reader.common(with: text, at: start..<start + length)
    if same < length {
      // Find the first item that ends after the common bytes.
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
    // A number or a word could continue.
    while end > first {
      let payload = payloads[end - 1]
      switch reader.lastByte(ofNext: Int(payload.start) + Int(payload.length) - start) {
      case 0x22, 0x5D, 0x7D: return end
      default: end -= 1
      }
    }
    return end
  }

  /// Reports whether the items of the new snapshot are known to have different keys.
  func provesDistinct(_ new: Snapshot) -> Bool { earlier.provesDistinct(new, found) }

  /// Reports whether the texts of some items follow each other in the first buffer. Edits may have deleted
  /// or moved an item whose text is between them.
  private func isInOrder(_ items: Range<Int>) -> Bool {
    let payloads = snapshot.payloads.span.extracting(items)
    return text.withBytes { text in
      for index in 1..<payloads.count {
        let end = Int(payloads[index - 1].start) + Int(payloads[index - 1].length)
        let start = Int(payloads[index].start)
        guard payloads[index].buffer == 0, start > end else { return false }
        var commas = 0
        for byte in text[end..<start] {
          if byte == 0x2C { commas += 1 } else if byte > 0x20 { return false }
        }
        if commas != 1 { return false }
      }
      return true
    }
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
