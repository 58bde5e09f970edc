import ListDiff

extension ChangeInvariants {
  /// Checks that no more rows are deleted, inserted and moved than if the first occurrence of each
  /// identity were paired with the first, the second with the second, and so on.
  func checkRepeats(_ old: ReferenceList, _ new: ReferenceList) throws(InvariantViolation) {
    let actual = operations(old, new, matching.rowsToOld.map { Int($0) })
    let simple = operations(old, new, pairedInOrder(old, new))
    guard actual <= simple else {
      throw InvariantViolation("\(actual) operations instead of \(simple)")
    }
  }

  /// For each new row, the old row if occurrences of each identity are paired in order.
  private func pairedInOrder(_ old: ReferenceList, _ new: ReferenceList) -> [Int] {
    var waiting: [Int: [Int]] = [:]
    for (row, item) in old.rows.enumerated().reversed() {
      waiting[item.id, default: []].append(row)
    }
    return new.rows.map { waiting[$0.id]?.popLast() ?? -1 }
  }

  /// The number of deletes, inserts and moves of rows that a pairing requires.
  private func operations(_ old: ReferenceList, _ new: ReferenceList, _ toOld: [Int]) -> Int {
    let oldPaths = old.paths
    let newPaths = new.paths
    let oldIDs = Set(old.sections.map(\.id))
    let newIDs = Set(new.sections.map(\.id))
    let kept = Set(toOld)
    var count = oldPaths.indices.filter {
      !kept.contains($0) && newIDs.contains(old.sections[oldPaths[$0].section].id)
    }.count
    var home: [Int: [Int]] = [:]
    for (row, partner) in toOld.enumerated() {
      let to = new.sections[newPaths[row].section].id
      if partner < 0 {
        count += oldIDs.contains(to) ? 1 : 0
      } else if old.sections[oldPaths[partner].section].id == to {
        home[to, default: []].append(partner)
      } else {
        count += 1
      }
    }
    return count + home.values.reduce(0) { $0 + $1.count - longestIncreasing($1) }
  }
}
