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
    switch self {
    case .deleteSections(let at, let count): Self.words("section \(at)", count, " deleted")
    case .insertSections(let at, let count): Self.words("section \(at)", count, " inserted")
    case .moveSections(let from, let to, let count):
      Self.words("section \(from)", count, " → \(to)")
    case .reloadSections(let at, let count): Self.words("section \(at)", count, " reloaded")
    case .reconfigureSections(let at, let count): Self.words("section \(at)", count, " changed")
    case .deleteItems(let at, let count): Self.words("\(at)", count, " deleted")
    case .insertItems(let at, let count): Self.words("\(at)", count, " inserted")
    case .moveItems(let from, let to, let count): Self.words("\(from)", count, " → \(to)")
    case .reloadItems(let at, let count): Self.words("\(at)", count, " reloaded")
    case .reconfigureItems(let at, let count): Self.words("\(at)", count, " changed")
    }
  }

  private static func words(_ position: String, _ count: Int, _ what: String) -> String {
    position + (count == 1 ? "" : " ×\(count)") + what
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
