import Testing

@testable import ListState

/// Promise: Identifiers are never confused, also after others were released.
@Suite struct IDTableTests {
  private func intern(_ text: String, _ kind: IDKind = .string, in table: inout IDTable) -> UInt32 {
    Array(text.utf8).withUnsafeBytes { table.intern(kind, $0) }
  }

  private func find(_ text: String, _ kind: IDKind = .string, in table: IDTable) -> UInt32? {
    Array(text.utf8).withUnsafeBytes { table.find(kind, $0) }
  }

  @Test func equalBytesOfOneKindHaveTheSameKey() {
    var table = IDTable()
    let one = intern("1", in: &table)
    let number = intern("1", .integer, in: &table)
    let empty = intern("", in: &table)
    #expect(Set([one, number, empty]) == [0, 1, 2])
    #expect(intern("1", in: &table) == one && find("1", .integer, in: table) == number)
    #expect(find("", .value, in: table) == nil && find("2", in: table) == nil)
    #expect(table.count == 3 && table.universe == 3)
    #expect(table.kind(of: number) == .integer && Array(table.bytes(of: one)) == [0x31])
    #expect(table.bytes(of: empty).isEmpty)
  }

  /// Both numbers of a pair, their order and the kind distinguish it.
  @Test func equalPairsOfOneKindHaveTheSameKey() {
    var table = IDTable()
    let numbers: [UInt32] = [0, 1, 2, 63, 64, 65, 1 << 20, 1 << 28]
    var keys: [UInt32] = []
    for first in numbers {
      for second in numbers {
        #expect(table.find(.occurrence, first, second) == nil)
        keys.append(table.intern(.occurrence, first, second))
        #expect(table.find(.occurrence, first, second) == keys.last)
        #expect(table.intern(.occurrence, first, second) == keys.last)
        #expect(
          table.kind(of: keys.last!) == .occurrence && table.pair(of: keys.last!) == (first, second)
        )
      }
    }
    #expect(keys == keys.indices.map { UInt32($0) })
    table.checkInvariants()
  }

  /// Compares the keys of items of composites, also of composites of composites, with a dictionary. Sweeps
  /// of either kind release some of them.
  @Test func randomSourcedKeysMatchADictionary() {
    struct Pair: Hashable {
      var list: UInt32
      var key: UInt32
    }
    var random = SeededGenerator(seed: 11)
    var table = IDTable()
    var model: [Pair: UInt32] = [:]
    for round in 0..<40 {
      let lists = (0..<4).map { intern("list-\($0)", in: &table) }
      for _ in 0..<300 {
        var key = intern("\(Int.random(in: 0..<2_000, using: &random))", in: &table)
        for _ in 0..<Int.random(in: 1..<4, using: &random) {
          let pair = Pair(list: lists.randomElement(using: &random)!, key: key)
          #expect(table.findSourced(pair.key, from: pair.list) == model[pair])
          key = table.internSourced(pair.key, from: pair.list)
          #expect(model[pair] == nil || model[pair] == key)
          model[pair] = key
          #expect(table.sourceItem(of: key)! == (pair.list, pair.key))
        }
      }
      table.checkInvariants()
      #expect(Set(model.values).count == model.count)
      let live = model.filter { _ in Int.random(in: 0..<(round % 5 + 1), using: &random) == 0 }
      var kept = Set<UInt32>()
      var rest = Array(live.values)
      while let key = rest.popLast() {
        if kept.insert(key).inserted { rest += table.inner(of: key) }
      }
      if round % 2 == 0 {
        table.beginSweep()
        for key in live.values { table.mark(key) }
        while table.isSwept { table.releaseUnmarked(amongNext: 100) }
      } else {
        table.sweep(isLive: kept.contains)
      }
      table.checkInvariants()
      for (pair, key) in model where kept.contains(pair.list) && kept.contains(pair.key) {
        let known = kept.contains(key) ? key : nil
        #expect(table.findSourced(pair.key, from: pair.list) == known)
      }
      model = model.filter { kept.contains($0.value) }
      #expect(live.allSatisfy { model[$0.key] == $0.value })
    }
  }

  /// Composed and decomposed letters look alike, but are different identifiers.
  @Test func identifiersAreNotNormalized() {
    var table = IDTable()
    #expect(intern("\u{E9}", in: &table) != intern("e\u{301}", in: &table))
  }

  @Test func growthKeepsKeys() {
    var table = IDTable()
    for number in 0..<5_000 {
      #expect(intern("row-\(number)", in: &table) == UInt32(number))
    }
    for number in 0..<5_000 {
      let key = find("row-\(number)", in: table)
      #expect(key == UInt32(number))
      #expect(Array(table.bytes(of: UInt32(number))) == Array("row-\(number)".utf8))
    }
    #expect(table.count == 5_000)
  }

  /// A table of many identifiers grows while each new one moves a few slots. Until all are moved,
  /// identifiers are found in both parts, a sweep keeps those in use, and none is added twice.
  @Test func slotsAreMovedAFewAtATime() {
    var table = IDTable()
    var known = 0
    while !table.isMovingSlots {
      #expect(intern("row-\(known)", in: &table) == UInt32(known))
      known += 1
    }
    #expect(known > 4_000)
    let grown = known
    while table.isMovingSlots {
      table.checkInvariants()
      for old in stride(from: known % 97, to: known, by: 97) {
        #expect(intern("row-\(old)", in: &table) == UInt32(old))
      }
      #expect(find("row-\(known)", in: table) == nil)
      #expect(intern("row-\(known)", in: &table) == UInt32(known))
      known += 1
      // Half the slots were taken, and not all are moved at once.
      #expect(known - grown <= grown / 4)
    }
    #expect(known > grown + 2)
    table.checkInvariants()
    #expect((0..<known).allSatisfy { find("row-\($0)", in: table) == UInt32($0) })
  }

  @Test func tableIsSweptWhileSlotsAreMoved() {
    var table = IDTable()
    var known = 0
    while !table.isMovingSlots {
      _ = intern("row-\(known)", in: &table)
      known += 1
    }
    table.sweep { $0 % 2 == 1 }
    table.checkInvariants()
    #expect(!table.isMovingSlots && table.count == known / 2)
    for number in 0..<known {
      #expect(find("row-\(number)", in: table) == (number % 2 == 1 ? UInt32(number) : nil))
    }
  }

  /// Covers every length, because the hash reads eight bytes at a time.
  @Test func everyByteDistinguishesIdentifiers() {
    var table = IDTable()
    var keys = Set<UInt32>()
    for length in 1...40 {
      for index in 0..<length {
        var bytes = [UInt8](repeating: 0, count: length)
        bytes[index] = 1
        keys.insert(bytes.withUnsafeBytes { table.intern(.value, $0) })
      }
      let zeros = [UInt8](repeating: 0, count: length)
      keys.insert(zeros.withUnsafeBytes { table.intern(.value, $0) })
    }
    #expect(keys.count == (1...40).reduce(0) { $0 + $1 + 1 })
  }

  /// Compares random words with a dictionary. Sweeps keep some of them.
  @Test func randomOperationsMatchADictionary() {
    var random = SeededGenerator(seed: 3)
    var table = IDTable()
    var model: [String: UInt32] = [:]
    for round in 0..<12 {
      for _ in 0..<400 {
        let word = String(Int.random(in: 0..<900, using: &random), radix: 36)
        let key = intern(word, in: &table)
        #expect(model[word] == nil || model[word] == key)
        model[word] = key
      }
      table.checkInvariants()
      #expect(Set(model.values).count == model.count && table.count == model.count)
      #expect(model.values.allSatisfy { $0 < table.universe })
      guard round % 3 == 2 else { continue }
      let before = table.universe
      let live = Set(model.values.sorted().filter { _ in Bool.random(using: &random) })
      table.sweep { live.contains($0) }
      for (word, key) in model {
        let isLive = live.contains(key)
        #expect(find(word, in: table) == (isLive ? key : nil))
        if isLive { #expect(Array(table.bytes(of: key)) == Array(word.utf8)) }
      }
      table.checkInvariants()
      model = model.filter { live.contains($0.value) }
      #expect(table.count == live.count && table.universe == before)
    }
  }

  /// Interns and looks up random words while the table is swept a few identifiers at a time.
  @Test func sweepsAFewAtATimeMatchADictionary() {
    var random = SeededGenerator(seed: 5)
    var table = IDTable()
    var model: [String: UInt32] = [:]
    for round in 0..<16 {
      let live = model.filter { _ in Bool.random(using: &random) }
      let before = Set(model.keys)
      table.beginSweep()
      var kept = Set(live.keys)
      var unmarked = live.values.sorted()
      while table.isSwept {
        for _ in 0..<Int.random(in: 0..<(round % 4 * 60 + 2), using: &random) {
          let word = String(Int.random(in: 0..<(round * 97 + 50), using: &random), radix: 36)
          let key = intern(word, in: &table)
          #expect(!kept.contains(word) || model[word] == key)
          model[word] = key
          kept.insert(word)
        }
        if let key = unmarked.popLast() {
          table.mark(key)
        } else {
          table.releaseUnmarked(amongNext: Int.random(in: 1..<50, using: &random))
        }
        if Int.random(in: 0..<16, using: &random) == 0 { table.checkInvariants() }
      }
      table.checkInvariants()
      for word in before.subtracting(kept) { #expect(find(word, in: table) == nil) }
      model = model.filter { kept.contains($0.key) }
      #expect(Set(model.values).count == model.count && table.count == model.count)
      for (word, key) in model {
        #expect(find(word, in: table) == key)
        #expect(Array(table.bytes(of: key)) == Array(word.utf8))
      }
    }
  }

  /// What identifiers contain is kept with them.
  @Test func sweepsKeepTheKeysInsideOfIdentifiers() {
    var table = IDTable()
    let name = intern("list", in: &table)
    let item = intern("item", in: &table)
    let other = intern("other", in: &table)
    let pair = table.internSourced(item, from: name)
    let second = table.internOccurrence(1, of: pair)!
    table.beginSweep()
    table.mark(second)
    table.releaseUnmarked(amongNext: .max)
    #expect(!table.isSwept && table.count == 4 && find("other", in: table) == nil)
    #expect(find("item", in: table) == item && table.original(second) == item)
    #expect(intern("again", in: &table) == other)
  }

  /// New identifiers take the place of removed ones of the same length.
  @Test func bytesOfRemovedIdentifiersAreReused() {
    var table = limited { $0.bytes = 100_000 }
    for round in 0..<200 {
      for number in 0..<100 { _ = intern("\(round * 100 + number + 1_000_000)", in: &table) }
      table.beginSweep()
      table.releaseUnmarked(amongNext: .max)
      #expect(table.count == 0 && table.universe == 100)
    }
    #expect(table.overflow == nil)
  }

  /// The keys of removed identifiers are reused before new ones are assigned.
  @Test func keysAreReused() {
    var table = IDTable()
    for number in 0..<100 { _ = intern("old \(number)", in: &table) }
    table.sweep { $0 % 2 == 0 }
    for number in 0..<50 {
      let key = intern("new \(number)", in: &table)
      #expect(key < 100 && key % 2 == 1)
    }
    #expect(intern("one more", in: &table) == 100)
    #expect(find("old 2", in: table) == 2 && find("old 3", in: table) == nil)
  }

  private func limited(_ set: (inout IDLimits) -> Void) -> IDTable {
    var table = IDTable()
    set(&table.limits)
    return table
  }

  @Test func totalSizeIsLimited() {
    var table = limited { $0.bytes = 6 }
    let keys = ["abc", "def"].map { intern($0, in: &table) }
    #expect(table.overflow == nil && Set(keys).count == 2)
    let none = intern("g", in: &table)
    #expect(table.overflow == .bytes(limit: 6) && !keys.contains(none))
    #expect(table.bytes(of: none).isEmpty && intern("h", in: &table) == none)
    #expect(intern("abc", in: &table) == keys[0] && find("g", in: table) == nil)
  }

  @Test func lengthOfAnIdentifierIsLimited() {
    var table = limited { $0.length = 3 }
    #expect(intern("abc", in: &table) == 0 && table.overflow == nil)
    #expect(intern("abcd", in: &table) != 0 && table.overflow == .length(limit: 3))
  }

  @Test func numberOfKeysIsLimited() {
    var table = limited { $0.keys = 2 }
    #expect([intern("a", in: &table), intern("b", in: &table)] == [0, 1])
    #expect(table.overflow == nil)
    #expect(intern("c", in: &table) == 2 && intern("d", in: &table) == 2)
    #expect(table.overflow == .keys(limit: 2) && table.universe == 3)
  }

  @Test func sweepingResetsOverflow() {
    var table = limited { $0.bytes = 6 }
    for id in ["abc", "def", "ghi"] { _ = intern(id, in: &table) }
    table.sweep { $0 == 1 }
    #expect(table.overflow == nil && table.count == 1)
    #expect(find("def", in: table) == 1 && find("abc", in: table) == nil)
    #expect(intern("ghi", in: &table) != 1 && table.overflow == nil)
    #expect(intern("jkl", in: &table) != 1 && table.overflow != nil)
  }
}
