/// A list that changes step by step. Each step is also recorded as an edit.
struct ModelList {
  private(set) var sections: [ModelSection] = []

  /// The edits since the last call of `takeEdits`.
  private(set) var edits: [String] = []

  /// The index of the section that steps change.
  private var current = 0

  /// The list as the JSON value of `sections`.
  var text: String { "[\(sections.map(\.text).joined(separator: ","))]" }

  /// Removes and returns the edits.
  mutating func takeEdits() -> String {
    defer { edits = [] }
    return "[\(edits.joined(separator: ","))]"
  }

  /// Performs the step that a byte encodes.
  mutating func step(_ byte: UInt8) {
    let low = Int(byte & 31)
    switch byte >> 5 {
    case 1: choose(low & 7, header: low >> 3)
    case _ where sections.isEmpty: break
    case 2: store(.bare(low & 7), mode: low >> 3)
    case 3: store(.nameless(low & 3, parts: low & 4 > 0 ? low >> 3 : nil), mode: 3)
    case 4: store(.composed(low & 3, content: low >> 2), mode: 3)
    case 5: store(.single(low, content: 0, isSpecial: false), mode: 1)
    case 6: store(.single(low, content: low & 1, isSpecial: true), mode: 3)
    case 7: edit(low)
    default: if low == 31 { removeAll() }
    }
  }

  private mutating func removeAll() {
    sections = []
    current = 0
    edits.append(#"{"edit":"deleteAllItems"}"#)
  }

  /// Makes a section the current one, inserting it if necessary.
  private mutating func choose(_ id: Int, header: Int) {
    if let index = sections.firstIndex(where: { $0.id == id }) {
      current = index
      if header > 0 {
        sections[index].header = header
        edits.append("{\"edit\":\"updateSections\",\"sections\":[{\(sections[index].own)}]}")
      }
      return
    }
    let section = ModelSection(id: id, header: header)
    if header & 1 > 0, let first = sections.first {
      edits.append(
        "{\"edit\":\"insertSections\",\"sections\":[\(section.text)],\"before\":\(first.id)}")
      sections.insert(section, at: 0)
      current = 0
    } else {
      edits.append("{\"edit\":\"appendSections\",\"sections\":[\(section.text)]}")
      sections.append(section)
      current = sections.count - 1
    }
  }

  /// Inserts an item into the current section: before the first item with an `id` if `mode` is 1,
  /// else at the end. An item that exists is moved, or gets new content if `mode` is 3.
  private mutating func store(_ item: ModelItem, mode: Int) {
    let section = sections[current].id
    if let reference = item.reference, let (from, index) = find(item.identity) {
      if mode == 3 {
        edits.append("{\"edit\":\"updateItems\",\"items\":[\(item.text)]}")
        sections[from].items[index] = item
      } else {
        let item = sections[from].items.remove(at: index)
        sections[current].items.append(item)
        edits.append(
          "{\"edit\":\"moveItems\",\"items\":[\(reference)],\"section\":\(section)}")
      }
      return
    }
    let index = sections[current].items.firstIndex { $0.reference != nil }
    if mode == 1, let index, let target = sections[current].items[index].reference {
      edits.append("{\"edit\":\"insertItems\",\"items\":[\(item.text)],\"before\":\(target)}")
      sections[current].items.insert(item, at: index)
    } else {
      edits.append("{\"edit\":\"appendItems\",\"items\":[\(item.text)],\"section\":\(section)}")
      sections[current].items.append(item)
    }
  }

  private func find(_ identity: String) -> (section: Int, index: Int)? {
    for (section, content) in sections.enumerated() {
      if let index = content.items.firstIndex(where: { $0.identity == identity }) {
        return (section, index)
      }
    }
    return nil
  }

  /// A reference to an item: its `id`, or its path; `nil` if it has no `id` and no rows.
  private func reference(to index: Int) -> String? {
    let items = sections[current].items
    if let reference = items[index].reference { return reference }
    guard !items[index].rows.isEmpty else { return nil }
    let row = items[..<index].reduce(0) { $0 + $1.rows.count }
    return "{\"path\":[\(current),\(row)]}"
  }

  private mutating func edit(_ low: Int) {
    let other = (low >> 3) % sections.count
    let count = sections[current].items.count
    switch low & 7 {
    case 0, 1:
      let index = low & 1 == 0 ? 0 : count - 1
      guard count > 0, let reference = reference(to: index) else { return }
      sections[current].items.remove(at: index)
      edits.append("{\"edit\":\"deleteItems\",\"items\":[\(reference)]}")
    case 2, 3:
      // Moves the first item to the end of another section, or the last item before the first.
      guard count > 1, let reference = reference(to: low & 1 == 0 ? 0 : count - 1) else { return }
      if low & 1 == 0 {
        let item = sections[current].items.removeFirst()
        sections[other].items.append(item)
        edits.append(
          "{\"edit\":\"moveItems\",\"items\":[\(reference)],\"section\":\(sections[other].id)}")
      } else if let first = self.reference(to: 0) {
        let item = sections[current].items.removeLast()
        sections[current].items.insert(item, at: 0)
        edits.append(
          "{\"edit\":\"moveItems\",\"items\":[\(reference)],\"before\":\(first)}")
      }
    case 4, 5:
      guard other != current else { return }
      let isBefore = low & 1 == 0
      let anchor = sections[other].id
      let moved = sections.remove(at: current)
      edits.append(
        "{\"edit\":\"moveSection\",\"section\":\(moved.id),"
          + "\"\(isBefore ? "before" : "after")\":\(anchor)}")
      let index = sections.firstIndex { $0.id == anchor } ?? 0
      current = isBefore ? index : index + 1
      sections.insert(moved, at: current)
    case 6:
      edits.append("{\"edit\":\"deleteSections\",\"sections\":[\(sections[current].id)]}")
      sections.remove(at: current)
      current = max(0, sections.count - 1)
    default:
      sections[current].items.reverse()
      // No edit reverses a section, so the whole list is sent.
      edits.append("whole")
    }
  }
}
