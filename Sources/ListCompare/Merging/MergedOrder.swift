/// The order of what two sides have made of a sequence with keys.
enum MergedOrder {
  typealias Key = [UInt8]

  /// Returns the keys of both sides. Their order is that of the side that changed the order of what
  /// the base has, and of the first if both did. Keys that only the other side has follow the key
  /// that they follow there.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of keys.
  static func of(_ base: [Key], _ ours: [Key], _ theirs: [Key]) -> [Key] {
    let isOurs = !isReordered(theirs, base) || isReordered(ours, base)
    let (winner, other) = isOurs ? (ours, theirs) : (theirs, ours)
    let positions = Dictionary(uniqueKeysWithValues: winner.enumerated().map { ($1, $0) })
    let known = Set(base).union(other)
    // For each key of the winner, the keys of the other side that follow it; first those at the start.
    var followers = [[Key]](repeating: [], count: winner.count + 1)
    var position = 0
    for key in other {
      if let found = positions[key] {
        position = found + 1
      } else {
        // What the winner has inserted there comes first.
        while position < winner.count, !known.contains(winner[position]) { position += 1 }
        followers[position].append(key)
      }
    }
    var result = followers[0]
    for (index, key) in winner.enumerated() {
      result.append(key)
      result += followers[index + 1]
    }
    return result
  }

  /// Whether keys that are in both sequences are in another order.
  private static func isReordered(_ side: [Key], _ base: [Key]) -> Bool {
    let positions = Dictionary(uniqueKeysWithValues: base.enumerated().map { ($1, $0) })
    let common = side.compactMap { positions[$0] }
    return !zip(common, common.dropFirst()).allSatisfy { $0 < $1 }
  }
}
