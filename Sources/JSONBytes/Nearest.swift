extension String {
  /// Returns the most similar word, if any is similar enough.
  package func nearest(among words: [String]) -> String? {
    let lowered = lowercased()
    let rated = words.map { (word: $0, distance: lowered.editDistance(to: $0.lowercased())) }
    guard let best = rated.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= Swift.max(1, Swift.min(count, best.word.count) / 2) ? best.word : nil
  }

  /// Returns the number of characters to insert, delete, replace, or swap with the next one, to get
  /// the other word (Damerau, "A technique for computer detection and correction of spelling
  /// errors", 1964).
  ///
  /// Only the first 64 characters are compared.
  private func editDistance(to other: String) -> Int {
    let a = Array(unicodeScalars.prefix(64))
    let b = Array(other.unicodeScalars.prefix(64))
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = Swift.min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = Swift.min(cost, rows[i - 1][j - 1] + 1)
        }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
