import Testing

@testable import ListState

/// Without the seed, nobody can choose identifiers that are far from their first slots.
///
/// Promise: Identifiers that are chosen to collide cost the same as others, because the seed is
///   random.
@Suite struct SeededHashTests {
  private static let count = 100_000

  /// Identifiers that have the same hash with seed 0: their last eight bytes make a factor zero,
  /// whatever the first eight are.
  private static let colliding: [[UInt8]] = {
    let last = SeededHash(seed: 0).start ^ (16 << 3 | UInt64(IDKind.string.rawValue))
    return (0..<count).map { number in
      [UInt64(number), last].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
      }
    }
  }()

  private static let benign = (0..<count).map { Array("item-\($0)".utf8) }

  /// Interns identifiers. Their keys are dense and in order with any seed.
  private func fill(_ table: inout IDTable, with ids: [[UInt8]]) {
    for (number, id) in ids.enumerated() {
      let key = id.withUnsafeBytes { table.intern(.string, $0) }
      guard Int(key) != number else { continue }
      Issue.record("the key of \(number) is \(key)")
      return
    }
  }

  @Test func identifiersCollideWithTheirSeed() {
    let hash = SeededHash(seed: 0)
    let hashes = Self.colliding.map { id in id.withUnsafeBytes { hash(.string, $0) } }
    #expect(Set(hashes).count == 1)
  }

  @Test(arguments: [1, 2, 0xA076_1D64_78BD_642F, .max] as [UInt64])
  func collidingIdentifiersAreHarmlessWithAnotherSeed(_ seed: UInt64) {
    for ids in [Self.colliding, Self.benign] {
      var table = IDTable(hash: SeededHash(seed: seed))
      fill(&table, with: ids)
      #expect(table.probes <= 8 * ids.count && table.reseeds == 0)
    }
  }

  @Test func crowdedTableChangesItsSeed() {
    var table = IDTable(hash: SeededHash(seed: 0))
    fill(&table, with: Self.colliding)
    #expect(table.reseeds == 1 && table.probes <= 8 * Self.count)
    fill(&table, with: Self.colliding)
    #expect(table.count == Self.count && table.reseeds == 1)
    #expect(
      Self.colliding.indices.allSatisfy { number in
        Self.colliding[number].withUnsafeBytes { table.find(.string, $0) } == UInt32(number)
      })
  }

  /// A batch is hashed before it is interned, and may itself crowd the table.
  @Test func crowdedTableChangesItsSeedBetweenBatches() {
    var table = IDTable(hash: SeededHash(seed: 0))
    let text = Self.colliding.prefix(10_000).flatMap(\.self)
    var batch = IDBatch()
    for _ in 0..<2 {
      var keys = [UInt32](repeating: .max, count: 10_000)
      text.withUnsafeBytes { text in
        for number in 0..<10_000 where batch.append(number * 16..<number * 16 + 16, item: number) {
          table.intern(&batch, in: text, into: &keys)
        }
        table.intern(&batch, in: text, into: &keys)
      }
      #expect(keys == (0..<10_000).map { UInt32($0) })
    }
    #expect(table.reseeds == 1 && table.probes <= 8 * 20_000)
  }

  /// Lengths, kinds and every byte influence the hash, in the bits for the slot and in the others.
  @Test func hashesOfDifferentIdentifiersDiffer() {
    let hash = SeededHash(seed: 7)
    var hashes: [UInt64] = []
    for length in 0...40 {
      for index in 0...length {
        for kind in [IDKind.string, .integer] {
          var bytes = [UInt8](repeating: 0, count: length)
          if index < length { bytes[index] = 1 }
          hashes.append(bytes.withUnsafeBytes { hash(kind, $0) })
        }
      }
    }
    for first in 0..<40 as Range<UInt32> {
      for second in 0..<40 as Range<UInt32> { hashes.append(hash(.sourced, first, second)) }
    }
    #expect(Set(hashes).count == hashes.count)
    #expect(Set(hashes.map { $0 >> 32 }).count == hashes.count)
    #expect(Set(hashes.map { $0 & 0xFFFF_FFFF }).count == hashes.count)
  }
}
