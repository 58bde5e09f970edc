extension Changes: CustomStringConvertible {
  /// A short description of the operations; each stage is in parentheses.
  ///
  /// ```swift
  /// let text = Changes(from: ["a", "b", "c"], to: ["c", "a", "d"]).description
  /// // ([0, 1] deleted, [0, 2] inserted, [0, 2] → [0, 0])
  /// ```
  public var description: String {
    isEmpty ? "nothing" : join(stages.map { "(" + $0.description + ")" }, " ")
  }
}

extension Changes.Stage: CustomStringConvertible {
  /// A short description of the operations.
  public var description: String { join(ops.map { $0.description }, ", ") }
}

extension Changes.Op: CustomStringConvertible {
  /// A short description of the operation, with the number of rows or sections unless it is 1.
  public var description: String {
    let parts = parts
    func words(_ path: ListPath) -> String {
      parts.isOfRows ? path.description : path.row.description
    }
    let what =
      switch parts.verb {
      case .delete: " deleted"
      case .insert: " inserted"
      case .move: " → " + words(parts.to)
      case .reload: " reloaded"
      case .reconfigure: " changed"
      }
    return (parts.isOfRows ? "" : "section ") + words(parts.at)
      + (parts.count == 1 ? "" : " ×" + parts.count.description) + what
  }
}

extension Changes.Counts: CustomStringConvertible {
  /// The numbers that are not zero.
  public var description: String {
    var words: [String] = []
    add(deletes, "deleted", to: &words)
    add(inserts, "inserted", to: &words)
    add(moves, "moved", to: &words)
    add(updates, "changed", to: &words)
    return words.isEmpty ? "none" : join(words, ", ")
  }
}

/// Appends what a number counts, unless it is zero.
@inline(never)
private func add(_ count: Int, _ name: String, to words: inout [String]) {
  if count > 0 { words.append(count.description + " " + name) }
}

/// Returns texts as one. The standard library's function would be generated here, and is larger.
@inline(never)
private func join(_ texts: [String], _ separator: String) -> String {
  var result = ""
  for text in texts { result += result.isEmpty ? text : separator + text }
  return result
}
