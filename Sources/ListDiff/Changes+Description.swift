extension Changes: CustomStringConvertible {
  /// A short description of the operations; each stage is in parentheses.
  ///
  /// ```swift
  /// let text = Changes(from: ["a", "b", "c"], to: ["c", "a", "d"]).description
  /// // ([0, 1] deleted, [0, 2] inserted, [0, 2] → [0, 0])
  /// ```
  public var description: String {
    isEmpty ? "nothing" : stages.map { "(\($0))" }.joined(separator: " ")
  }
}

extension Changes.Stage: CustomStringConvertible {
  /// A short description of the operations.
  public var description: String { ops.map(\.description).joined(separator: ", ") }
}

extension Changes.Op: CustomStringConvertible {
  /// A short description of the operation, with the number of rows or sections unless it is 1.
  public var description: String {
    let parts = parts
    func words(_ path: ListPath) -> String { parts.isOfRows ? "\(path)" : "\(path.row)" }
    let what =
      switch parts.verb {
      case .delete: " deleted"
      case .insert: " inserted"
      case .move: " → \(words(parts.to))"
      case .reload: " reloaded"
      case .reconfigure: " changed"
      }
    return (parts.isOfRows ? "" : "section ") + words(parts.at)
      + (parts.count == 1 ? "" : " ×\(parts.count)") + what
  }
}

extension Changes.Counts: CustomStringConvertible {
  /// The numbers that are not zero.
  public var description: String {
    let parts = [
      (deletes, "deleted"), (inserts, "inserted"), (moves, "moved"), (updates, "changed"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return words.isEmpty ? "none" : words
  }
}
