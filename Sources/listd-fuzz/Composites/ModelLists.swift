/// Ordinary and composite lists as arrays. Composites are recomputed for each question.
struct ModelLists {
  /// An item of a list: its identifier, and the lists through which it was included.
  struct Item {
    var id: Int
    var sources: [String] = []
  }

  struct Section {
    /// The identifier as JSON.
    var id: String
    var header: Int
    var items: [Item] = []

    var text: String {
      let items = items.map { "\($0.id)" }.joined(separator: ",")
      return "{\"id\":\(id),\"header\":\(header),\"items\":[\(items)]}"
    }
  }

  private enum Content {
    case ordinary([Section])
    case composite([String])
  }

  private var contents: [String: Content] = [:]

  /// The names of all lists.
  var names: [String] { contents.keys.sorted() }

  func contains(_ name: String) -> Bool { contents[name] != nil }

  /// The sources of a composite; `nil` for other lists.
  func sources(of name: String) -> [String]? {
    if case .composite(let sources) = contents[name] { sources } else { nil }
  }

  mutating func apply(_ sections: [Section], to name: String) {
    contents[name] = .ordinary(sections)
  }

  mutating func compose(_ name: String, of sources: [String]) {
    contents[name] = .composite(sources)
  }

  mutating func remove(_ name: String) { contents[name] = nil }

  /// The sections of a list; nil if there are more than a thousand.
  func sections(of name: String) -> [Section]? {
    switch contents[name] {
    case nil: return []
    case .ordinary(let sections): return sections
    case .composite(let sources):
      var result: [Section] = []
      for source in sources {
        guard let inner = sections(of: source), result.count + inner.count <= 1000 else {
          return nil
        }
        for var section in inner {
          section.id = "\"\(source)/\(section.id.filter { $0 != "\"" })\""
          for item in section.items.indices { section.items[item].sources.insert(source, at: 0) }
          result.append(section)
        }
      }
      return result
    }
  }

  /// Whether a list is among some sources or, recursively, among theirs.
  func leads(from sources: [String], to name: String) -> Bool {
    sources.contains { source in
      source == name || leads(from: self.sources(of: source) ?? [], to: name)
    }
  }
}
