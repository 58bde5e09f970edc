import ByteBuffers
import JSONBytes
import ListState

extension ViewDefinition {
  /// Returns the items of the view, in its order and its sections; `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*b* + *k* log *k*), where *b* is the number of bytes of all items and *k* the
  ///   number of items of the view; O(*b*) if the view does not sort them.
  package func arrange(
    _ items: ViewItems, _ memory: inout (any ViewMemory)?, before: EarlierViewItems?,
    isStopped: () -> Bool
  ) -> ViewArrangement? {
    let source = items.snapshot
    var arrangement = ViewArrangement()
    arrangement.selectionMode = ownSelectionMode
    arrangement.allowsEmptySelection = ownAllowsEmptySelection
    guard let texts = texts(of: source, memory, before, isStopped: isStopped) else { return nil }
    var prepared = texts
    // Texts of the same items are kept for the next query, and cannot follow changes.
    defer { if prepared != nil || before != nil { memory = prepared } }
    let ranked = countOfFirst(in: source).flatMap { count in
      RankedOrder(self).map { (count: count, order: $0) }
    }
    if let ranked, prepared?.isPrepared(ranked.order, of: members) ?? true {
      return arrangeFirst(
        ranked.count, of: source, &prepared, by: ranked.order, isStopped: isStopped)
    }
    var ranks = ItemRanks()
    if let match {
      let found = prepared!.ranks(
        of: match.query, withLengths: sortsByScore || usesLength, isStopped: isStopped)
      guard let found else { return nil }
      ranks = found
    }
    guard let order = select(source, ranks.scores, isStopped: isStopped) else { return nil }
    arrangement.order = order
    if outline != nil {
      let isMade = makeOutline(&arrangement, items, ranks, isStopped: isStopped)
      return isMade && !isStopped() ? arrangement : nil
    }
    if let ranked, order.count >= source.itemCount / Self.fewestSorted {
      guard
        prepared!.prepare(ranked.order, of: self, items, isStopped: isStopped),
        let sorted = prepared!.sort(order, by: ranked.order, ranks, isStopped: isStopped)
      else { return nil }
      arrangement.order = sorted
    } else {
      guard sort(&arrangement.order, items, ranks, isStopped: isStopped) else { return nil }
    }
    switch sections {
    case .keep: arrangement.keepSections(of: source)
    case .merge:
      arrangement.mergeSections(
        isHidden: hidesEmptySections && order.isEmpty, members: mergedMembers)
    case .by(let member):
      var groups = Groups(members, member, ownMembers: ownMembers)
      guard groups.divide(&arrangement, source, isStopped: isStopped) else { return nil }
      groups.describe(
        &arrangement, source, firsts: groups.firsts, counts: groups.counts, isStopped: isStopped)
    }
    return isStopped() ? nil : arrangement
  }

  /// The number of items up to the end of the window and somewhat more, if a view needs only these because
  /// all items are in one section; `nil` if it needs all. The view follows many deletions with these.
  private func countOfFirst(in source: Snapshot) -> Int? {
    guard condition == nil, distinct == nil, outline == nil, let window, !window.isAnchored
    else { return nil }
    let (count, overflow) = window.start.addingReportingOverflow(window.count)
    guard !overflow, count <= Self.mostFirst else { return nil }
    let more = count + count / 4 + 8
    switch sections {
    case .merge: return more
    case .keep: return source.sections.count == 1 ? more : nil
    case .by: return nil
    }
  }

  /// The maximum number of best items for which finding these is faster than sorting all.
  private static let mostFirst = 1024

  /// All items are sorted by the keys before and after score and length if at least this part of them
  /// matches.
  private static let fewestSorted = 8

  /// Arranges the first items of a view in an order. The others are sorted on first use.
  private func arrangeFirst(
    _ count: Int, of source: Snapshot, _ texts: inout MatchTexts?, by order: RankedOrder,
    isStopped: () -> Bool
  ) -> ViewArrangement? {
    var arrangement: ViewArrangement
    if let query = match?.query, !query.isEmpty {
      guard let best = texts!.best(count, of: query, by: order, isStopped: isStopped) else {
        return nil
      }
      let prepared = texts!
      arrangement = ViewArrangement(first: best.items, of: best.count) {
        prepared.order(of: query, by: order, isStopped: $0)
      }
    } else {
      let items = 0..<Int32(truncatingIfNeeded: source.itemCount)
      arrangement = ViewArrangement(first: Array(items.prefix(count)), of: items.count) { _ in
        Array(items)
      }
    }
    arrangement.selectionMode = ownSelectionMode
    arrangement.allowsEmptySelection = ownAllowsEmptySelection
    if case .keep = sections {
      arrangement.keepSections(of: source)
    } else {
      arrangement.mergeSections(
        isHidden: hidesEmptySections && arrangement.count == 0, members: mergedMembers)
    }
    return arrangement
  }

  /// Returns the prepared texts of items, without any if nothing is to be matched; `nil` if it
  /// `isStopped`.
  private func texts(
    of items: Snapshot, _ memory: (any ViewMemory)?, _ before: EarlierViewItems?,
    isStopped: () -> Bool
  ) -> MatchTexts?? {
    guard let match else { return .some(nil) }
    if var texts = memory as? MatchTexts, texts.isMade(of: match.members) {
      guard let before else { return texts }
      return texts.follow(from: before.snapshot, to: items, before.toNew, isStopped: isStopped)
        ? texts : nil
    }
    var texts = MatchTexts(match.members)
    return texts.prepare(items, isStopped: isStopped) ? texts : nil
  }

  /// Returns the items that satisfy the condition and match, and of these the first item of each
  /// distinct value, in the order of the sources; `nil` if it `isStopped`.
  private func select(
    _ source: Snapshot, _ scores: [Int32], isStopped: () -> Bool
  ) -> [Int32]? {
    let all = 0..<Int32(truncatingIfNeeded: source.itemCount)
    if condition == nil, distinct == nil {
      return scores.isEmpty ? Array(all) : all.filter { scores[Int($0)] != MatchTexts.noMatch }
    }
    var values = MemberValues(members)
    var scratch = ValueScratch()
    var known = IDTable()
    var order: [Int32] = []
    let texts = ItemTexts(source)
    for item in 0..<source.itemCount {
      if item & 0xFFF == 0xFFF, isStopped() { return nil }
      if !scores.isEmpty, scores[item] == MatchTexts.noMatch { continue }
      values.read(texts[item])
      if let condition, !condition.isSatisfied(by: values, &scratch) { continue }
      if let distinct, let value = values[distinct], value[0] != 0x6E {
        let count = known.count
        scratch.encoder.withIdentifier(value) { _ = known.intern($0, $1) }
        if known.count == count { continue }
      }
      order.append(Int32(truncatingIfNeeded: item))
    }
    return order
  }

  /// Sorts items, which are in the order of the sources. Returns false if it `isStopped`.
  func sort(
    _ order: inout [Int32], _ items: ViewItems, _ ranks: ItemRanks, isStopped: () -> Bool
  ) -> Bool {
    if let ranked = RankedOrder(self), ranked.isRankAlone {
      guard let sorted = ScoreSorting.sort(order, ranks, isStopped: isStopped) else {
        return false
      }
      order = sorted
      return !isStopped()
    }
    guard !sort.isEmpty else { return true }
    guard var sorting = sorting(order, by: sort, items, ranks, isStopped: isStopped) else {
      return false
    }
    return sorting.sort(&order, isStopped: isStopped) && !isStopped()
  }

  /// Returns the keys of items, which are in the order of the sources; `nil` if it `isStopped`.
  func sorting(
    _ order: [Int32], by keys: [SortKey], _ items: ViewItems, _ ranks: ItemRanks,
    isStopped: () -> Bool
  ) -> Sorting? {
    var values = MemberValues(members)
    var scratch = ValueScratch()
    var sorting = Sorting()
    var sourceIndex = 0
    let texts = ItemTexts(items.snapshot)
    for (index, item) in order.enumerated() {
      if index & 0xFFF == 0xFFF, isStopped() { return nil }
      while sourceIndex + 1 < items.sourceStarts.count,
        items.sourceStarts[sourceIndex + 1] <= Int(item)
      {
        sourceIndex += 1
      }
      values.read(texts[Int(item)])
      scratch.key.removeAll()
      let rank = ItemRank(
        score: ranks.scores.isEmpty ? 0 : ranks.scores[Int(item)], length: ranks.length(of: item))
      append(keys, of: values, source: sourceIndex, rank, &scratch)
      sorting.append(scratch.key)
    }
    return sorting
  }

  var ownSelectionMode: SelectionMode { selectionMode ?? .single }
  var ownAllowsEmptySelection: Bool { allowsEmptySelection ?? (ownSelectionMode != .single) }

  /// Whether items are sorted by how well they match.
  var usesRanks: Bool {
    sortsByScore || usesLength
      || sort.contains { if case .score = $0.subject { true } else { false } }
  }

  var usesLength: Bool {
    sort.contains { if case .length = $0.subject { true } else { false } }
  }

  /// Writes keys to the scratch memory. They compare as the view sorts items, except for the order
  /// of the sources.
  func append(
    _ keys: [SortKey], of values: borrowing MemberValues, source: Int,
    _ rank: ItemRank, _ scratch: inout ValueScratch
  ) {
    for key in keys {
      let start = scratch.key.count
      switch key.subject {
      case .member(let member):
        scratch.encoder.append(
          sortable: values[member], isNatural: key.isNatural, to: &scratch.key)
      case .source: scratch.key.append(bigEndian: UInt64(source))
      case .score: scratch.key.append(bigEndian: UInt64(Int64(rank.score) - Int64(Int32.min)))
      case .length: scratch.key.append(bigEndian: UInt64(rank.length))
      }
      if key.isDescending { scratch.key.complement(from: start) }
    }
  }

  /// The members of the view's own sections, each with a comma before it.
  var ownMembers: [UInt8] {
    var members = ByteBuffer()
    if let selectionMode {
      members.append(",\"selectionMode\":")
      members.append(string: "\(selectionMode)")
    }
    if let allowsEmptySelection {
      members.append(",\"allowsEmptySelection\":")
      if allowsEmptySelection { members.append("true") } else { members.append("false") }
    }
    return members.withUnsafeBytes { Array($0) }
  }

  var mergedMembers: [UInt8] { Array("{\"id\":\"main\"".utf8) + ownMembers + [0x7D] }
}

extension ViewArrangement {
  /// Divides sorted items into the sections of the sources. The sort is stable within each.
  mutating func keepSections(of source: Snapshot) {
    let count = source.sections.count
    sections = (0..<count).map { .source($0) }
    starts = [Int32](repeating: 0, count: count + 1)
    guard count > 1 else {
      starts[count] = Int32(truncatingIfNeeded: self.count)
      return
    }
    var sectionOfItem = [Int32](repeating: 0, count: source.itemCount)
    for section in 0..<count {
      for item in source.arrangement.range(ofSection: section) {
        sectionOfItem[item] = Int32(truncatingIfNeeded: section)
      }
    }
    for item in order { starts[Int(sectionOfItem[Int(item)]) + 1] += 1 }
    for section in 0..<count { starts[section + 1] += starts[section] }
    var next = starts
    let sorted = order
    for item in sorted {
      let section = Int(sectionOfItem[Int(item)])
      order[Int(next[section])] = item
      next[section] += 1
    }
  }

  /// Puts all items into one section with some members.
  mutating func mergeSections(isHidden: Bool, members: [UInt8]) {
    guard !isHidden else { return }
    texts = Array("main".utf8) + members
    starts = [0, Int32(truncatingIfNeeded: count)]
    sections = [.own(.string, id: 0..<4, members: 4..<texts.count)]
  }
}

/// How well items match.
struct ItemRanks {
  /// The score of each item of the sources, `MatchTexts.noMatch` if it does not match; empty if all
  /// match with the score 0.
  var scores: [Int32] = []

  /// The length of each item of the sources, undefined if it does not match; empty if all are 0.
  var lengths: [Int32] = []

  /// Returns the length of an item.
  func length(of item: Int32) -> Int32 { lengths.isEmpty ? 0 : lengths[Int(item)] }
}

/// The texts of a snapshot's items, without reference counting of their buffers at each access.
struct ItemTexts {
  private let payloads: [Payload]
  private let buffers: [UnsafeRawBufferPointer]
  private let owner: Snapshot

  init(_ snapshot: Snapshot) {
    payloads = snapshot.payloads
    buffers = snapshot.buffers.map(\.bytes)
    owner = snapshot
  }

  /// Returns the bytes of an item, valid during the lifetime of this value.
  subscript(item: Int) -> UnsafeRawBufferPointer {
    let payload = payloads[item]
    let start = Int(payload.start)
    return UnsafeRawBufferPointer(
      rebasing: buffers[Int(payload.buffer)][start..<start + Int(payload.length)])
  }
}
