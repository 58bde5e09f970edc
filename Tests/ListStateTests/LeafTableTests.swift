import Testing

@testable import ListState

/// Compares a table of keys with a dictionary.
@Suite struct LeafTableTests {
  /// The table of a list that grows from nothing, as that of a view does, and shrinks. Its later leaves
  /// have numbers that do not fit in two bytes.
  @Test(arguments: [1, 2, 40]) func itIsADictionary(_ step: UInt32) {
    var table = LeafTable(count: 0, universe: 0)
    var leaves: [UInt32: Int] = [:]
    for chunk in 0..<20 as Range<UInt32> {
      let count = leaves.count
      // The items are counted after they have been added.
      for number in 0..<1_000 as Range<UInt32> {
        let key = (2_000 * chunk + 1_000 + number) * step
        let leaf = Int(number % 7) * (chunk < 10 ? 1 : 0x5555)
        table.set(leaf, for: key, of: count)
        leaves[key] = leaf
      }
      for key in leaves.keys.filter({ $0 % 5 == chunk % 5 }) {
        table.remove(key)
        leaves[key] = nil
      }
      table.checkInvariants(count: leaves.count, leafCount: 7 * 0x5555)
      for key in stride(from: 0, to: 42_000 * step, by: 17) { #expect(table[key] == leaves[key]) }
    }
  }
}
