import JSONBytes
import ListState

extension ListService {
  /// Appends what has become of the lists touched since that was last forgotten, as a JSON array;
  /// false where nothing has changed.
  ///
  /// An effect is an object: `{"list", "revision", "sections" | "sources", "selection", "anchor"?,
  /// "cursor"?}`, without `sections` where the content stays, `{"removed", "revision"}`, or
  /// `{"templates": {…}}` with those that were registered. In `sections`, an array of two integers `[start, count]` among
  /// the items stands for items of the list as it was, and an index in place of a section's own
  /// members for those of a section as it was.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the lists touched, in bytes.
  package mutating func appendEffects(to out: inout ByteBuffer) -> Bool {
    let start = out.count
    out.append(0x5B)
    append(templatesSince: bookBefore?.sources ?? [:], to: &out)
    for touched in store.touched {
      let list = try? store.list(touched.name)
      if list == nil, touched.before == nil { continue }
      if let list, let before = touched.before, before.isSame(as: list) { continue }
      if out.count > start + 1 { out.append(0x2C) }
      if let list {
        append(list, since: touched.before, to: &out)
      } else if let before = touched.before {
        append(removed: touched.name, before.revision, to: &out)
      }
    }
    out.append(0x5D)
    return out.count > start + 2
  }

  /// Hands out the effects that make the lists what they are from nothing, a JSON array a time.
  package mutating func forEachEffect(_ body: (borrowing ByteBuffer) -> Bool) -> Bool {
    var out = ByteBuffer()
    if !book.sources.isEmpty {
      out.append(0x5B)
      append(templatesSince: [:], to: &out)
    }
    for (name, revision) in store.removedRevisions {
      out.append(out.isEmpty ? 0x5B : 0x2C)
      append(removed: name, revision, to: &out)
    }
    if !out.isEmpty {
      out.append(0x5D)
      guard body(out) else { return false }
    }
    for name in store.names {
      guard let list = try? store.list(name) else { continue }
      out.removeAll(keepingCapacity: out.capacity < 1 << 20)
      out.append(0x5B)
      append(list, since: nil, to: &out)
      out.append(0x5D)
      guard body(out) else { return false }
    }
    return true
  }

  private func append(templatesSince before: [[UInt8]: [UInt8]], to out: inout ByteBuffer) {
    let changed = book.sources.filter { before[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    out.append("{\"templates\":{")
    let names = changed.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for (place, name) in names.enumerated() {
      if place > 0 { out.append(0x2C) }
      name.withUnsafeBytes { out.append(string: $0) }
      out.append(0x3A)
      changed[name]!.withUnsafeBytes { out.append(string: $0) }
    }
    out.append("}}")
  }

  /// Keeps what a request may change until it is known that the change stays.
  package mutating func keepBefore() {
    store.forgetTouched()
    if store.keepsTouched { bookBefore = book }
  }

  /// Whether a request has changed what is to be written down.
  package var hasEffects: Bool {
    !store.touched.isEmpty || bookBefore.map { $0.sources != book.sources } ?? false
  }

  /// Makes everything what it was before the request.
  package mutating func undo() {
    store.undo()
    if let before = bookBefore { book = before }
  }

  private func append(removed name: [UInt8], _ revision: Int, to out: inout ByteBuffer) {
    out.append("{\"removed\":")
    name.withUnsafeBytes { out.append(string: $0) }
    out.append(member: "revision", revision)
    out.append("}")
  }

  private mutating func append(
    _ list: NamedList, since before: NamedList?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if let sources = list.sources {
      out.append(",\"sources\":[")
      for (place, source) in sources.enumerated() {
        if place > 0 { out.append(0x2C) }
        source.withUnsafeBytes { out.append(string: $0) }
      }
      out.append("]")
    } else if before?.revision != list.revision {
      out.append(",\"sections\":")
      appendSections(of: list.snapshot, since: before?.snapshot ?? Snapshot(), to: &out)
    }
    let marks = list.marks
    out.append(",\"selection\":[")
    var place = 0
    while place < marks.selected.count {
      if place > 0 { out.append(0x2C) }
      let first = place
      while place < marks.selected.count,
        marks.selected[place] == marks.selected[first] + place - first
      {
        place += 1
      }
      out.append(run: marks.selected[first], place - first)
    }
    out.append("]")
    if let anchor = marks.anchor { out.append(member: "anchor", anchor) }
    if let cursor = marks.cursor { out.append(member: "cursor", cursor) }
    out.append("}")
  }

  private mutating func appendSections(
    of new: Snapshot, since old: Snapshot, to out: inout ByteBuffer
  ) {
    let reuse = Reuse(of: new, from: old, using: &store.places)
    let writer = SnapshotWriter(snapshot: new, singleLine: true)
    out.append(0x5B)
    for section in new.sections.indices {
      out.append(section > 0 ? ",{\"own\":" : "{\"own\":")
      if reuse.sections[section] >= 0 {
        out.append(decimal: Int(reuse.sections[section]))
      } else {
        writer.appendOwn(ofSection: section, to: &out)
      }
      out.append(",\"items\":[")
      let range = new.arrangement.range(ofSection: section)
      var item = range.lowerBound
      while item < range.upperBound {
        if item > range.lowerBound { out.append(0x2C) }
        let first = Int(reuse.items[item])
        guard first >= 0 else {
          writer.appendItem(item, to: &out)
          item += 1
          continue
        }
        let start = item
        while item < range.upperBound, Int(reuse.items[item]) == first + item - start { item += 1 }
        out.append(run: first, item - start)
      }
      out.append("]}")
    }
    out.append(0x5D)
  }
}

extension ByteBuffer {
  fileprivate mutating func append(run start: Int, _ count: Int) {
    append(0x5B)
    append(decimal: start)
    append(0x2C)
    append(decimal: count)
    append(0x5D)
  }
}
