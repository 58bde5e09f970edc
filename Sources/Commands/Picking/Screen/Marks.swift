/// Marked lines in the order in which they were marked.
struct Marks {
  private(set) var lines: [Int] = []
  private var members: Set<Int> = []

  var count: Int { members.count }

  func contains(_ line: Int) -> Bool { members.contains(line) }

  mutating func insert(_ line: Int) {
    if members.insert(line).inserted { lines.append(line) }
  }

  mutating func remove(_ line: Int) {
    if members.remove(line) != nil { lines.removeAll { $0 == line } }
  }

  mutating func removeAll() { (lines, members) = ([], []) }

  /// Removes lines of a set.
  mutating func subtract(_ other: Set<Int>) {
    members.subtract(other)
    lines.removeAll { other.contains($0) }
  }

  /// Replaces each line by another one, or removes it.
  mutating func replace(_ successor: (Int) -> Int?) {
    lines = lines.compactMap { successor($0) }
    members = Set(lines)
    var seen: Set<Int> = []
    lines = lines.filter { seen.insert($0).inserted }
  }
}
