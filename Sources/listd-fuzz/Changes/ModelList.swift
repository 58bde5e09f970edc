/// A list that a client changes a step at a time, each step also as the edit that says it.
struct ModelList {
  private(set) var sections: [ModelSection] = []

  /// The edits since they were last taken.
  private(set) var edits: [String] = []

  /// The section that steps are about.
  private var current = 0

  /// The list as the value of `sections`.
  var text: String { "[\(sections.map(\.text).joined(separator: ","))]" }

  /// Takes the edits away.
  mutating func takeEdits() -> String {
    defer { edits = [] }
    return "[\(edits.joined(separator: ","))]"
  }

  /// One step: what a byte says.
  mutating func step(_ byte: UInt8) {
    let low = Int(byte & 31)
    switch byte >> 5 {
    case 1: choose(low & 7, header: low >> 3)
    case _ where sections.isEmpty: break
    case 2: put(.bare(low & 7), at: low >> 3)
    case 3: put(.nameless(low & 3, parts: low & 4 > 0 ? low >> 3 : nil), at: 3)
    case 4: put(.composed(low & 3, content: low >> 2), at: 3)
    case 5: put(.single(low, content: 0, isSpecial: false), at: 1)
    case 6: put(.single(low, content: low & 1, isSpecial: true), at: 3)
    case 7: edit(low)
    default: if low == 31 { removeAll() }
    }
  }

  private mutating func removeAll() {
    sections = []
    current = 0
    edits.append(#"{"edit":"deleteAllItems"}"#)
  }

  /// Makes a section the current one, and makes it where it is not there.
  private mutating func choose(_ id: Int, header: Int) {
    if let place = sections.firstIndex(where: { $0.id == id }) {
      current = place
      if header > 0 {
        sections[place].header = header
        edits.append("{\"edit\":\"updateSections\",\"sections\":[{\(sections[place].own)}]}")
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

  /// Puts an item into the current section, before the first item with an `id` where `at` is 1, else
  /// at the end; an item that is there already moves, or gets other content where `at` is 3.
  private mutating func put(_ item: ModelItem, at: Int) {
    let section = sections[current].id
    if let reference = item.reference, let (from, place) = find(item.identity) {
      if at == 3 {
        edits.append("{\"edit\":\"updateItems\",\"items\":[\(item.text)]}")
        sections[from].items[place] = item
      } else {
        let item = sections[from].items.remove(at: place)
        sections[current].items.append(item)
        edits.append(
          "{\"edit\":\"moveItems\",\"items\":[\(reference)],\"section\":\(section)}")
      }
      return
    }
    let place = sections[current].items.firstIndex { $0.reference != nil }
    if at == 1, let place, let target = sections[current].items[place].reference {
      edits.append("{\"edit\":\"insertItems\",\"items\":[\(item.text)],\"before\":\(target)}")
      sections[current].items.insert(item, at: place)
    } else {
      edits.append("{\"edit\":\"appendItems\",\"items\":[\(item.text)],\"section\":\(section)}")
      sections[current].items.append(item)
    }
  }

  private func find(_ identity: String) -> (section: Int, place: Int)? {
    for (section, content) in sections.enumerated() {
      if let place = content.items.firstIndex(where: { $0.identity == identity }) {
        return (section, place)
      }
    }
    return nil
  }

  /// How an item is named: by its `id`, by its place, or not at all where it has neither.
  private func reference(to place: Int) -> String? {
    let items = sections[current].items
    if let reference = items[place].reference { return reference }
    guard !items[place].rows.isEmpty else { return nil }
    let row = items[..<place].reduce(0) { $0 + $1.rows.count }
    return "{\"path\":[\(current),\(row)]}"
  }

  private mutating func edit(_ low: Int) {
    let other = (low >> 3) % sections.count
    let count = sections[current].items.count
    switch low & 7 {
    case 0, 1:
      let place = low & 1 == 0 ? 0 : count - 1
      guard count > 0, let reference = reference(to: place) else { return }
      sections[current].items.remove(at: place)
      edits.append("{\"edit\":\"deleteItems\",\"items\":[\(reference)]}")
    case 2, 3:
      // The first goes to the end of another section, or the last before the first.
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
      let place = sections.firstIndex { $0.id == anchor } ?? 0
      current = isBefore ? place : place + 1
      sections.insert(moved, at: current)
    case 6:
      edits.append("{\"edit\":\"deleteSections\",\"sections\":[\(sections[current].id)]}")
      sections.remove(at: current)
      current = max(0, sections.count - 1)
    default:
      sections[current].items.reverse()
      // There is no edit for this; the list is given whole.
      edits.append("whole")
    }
  }
}
