import JSONBytes
import ListState

extension ListService {
  /// Appends what has become of the lists touched since that was last forgotten, as a JSON array;
  /// false where nothing has changed.
  ///
  /// An effect is an object: `{"list", "revision", "sections" | "sources", "selection", "anchor"?,
  /// "extended"?, "cursor"?}`, of a view with `{"view", "windowItem"?, "expanded"?, "collapsed"?}`,
  /// without `sections` where the content stays, `{"removed", "revision"}`, `{"templates": {…}, "for"?}`
  /// with those that were registered, for all lists or one, or `{"textRevision"}` with
  /// the largest number of a text so far. In `sections`, an array of two integers `[start, count]`
  /// stands for sections of the list as it was; among the items, for items of it, counted through
  /// all sections; and an index in place of a section's own members for those of a section as it
  /// was.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the lists touched, in bytes; of a list that was
  ///   edited, of what edits have changed.
  package mutating func appendEffects(to out: inout ByteBuffer) -> Bool {
    let start = out.count
    out.append(0x5B)
    append(templatesSince: bookBefore ?? TextBook(), to: &out)
    for touched in store.touched {
      let list = store.peek(touched.name)
      if list == nil, touched.before == nil { continue }
      if let list, touched.isSame(as: list) { continue }
      out.appendComma()
      if let list {
        append(list, since: touched, to: &out)
      } else if let before = touched.before {
        append(removed: touched.name, before.revision, to: &out)
      }
    }
    guard out.count > start + 1 else { return false }
    book.numbers.leaveRestored()
    if book.numbers.last > book.numbers.kept {
      out.appendComma()
      appendTextRevision(to: &out)
    }
    out.append(0x5D)
    return true
  }

  /// Hands out the effects that make the lists what they are from nothing, a JSON array a time.
  package mutating func forEachEffect(_ body: (borrowing ByteBuffer) -> Bool) -> Bool {
    var out = ByteBuffer()
    out.append(0x5B)
    if book.numbers.last > 0 { appendTextRevision(to: &out) }
    for (name, revision) in store.removedRevisions {
      out.appendComma()
      append(removed: name, revision, to: &out)
    }
    // With a list its templates were removed; these came later.
    append(templatesSince: TextBook(), to: &out)
    out.append(0x5D)
    if out.count > 2, !body(out) { return false }
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

  /// Appends the templates that were registered since then, of all lists and of one each.
  private func append(templatesSince before: TextBook, to out: inout ByteBuffer) {
    append(book.shared, since: before.shared, for: nil, to: &out)
    guard book.own != before.own else { return }
    for list in book.own.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      append(
        book.own[list]!, since: before.own[list] ?? TemplateSet(), for: list, to: &out)
    }
  }

  private func append(
    _ templates: TemplateSet, since before: TemplateSet, for list: [UInt8]?,
    to out: inout ByteBuffer
  ) {
    let changed = templates.sources.filter { before.sources[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    out.appendComma()
    out.append("{\"templates\":{")
    let names = changed.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for (index, name) in names.enumerated() {
      if index > 0 { out.append(0x2C) }
      name.withUnsafeBytes { out.append(string: $0) }
      out.append(0x3A)
      changed[name]!.withUnsafeBytes { out.append(string: $0) }
    }
    out.append(0x7D)
    if let list {
      out.append(",\"for\":")
      list.withUnsafeBytes { out.append(string: $0) }
    }
    out.append(0x7D)
  }

  /// Keeps what a request may change until it is known that the change stays.
  package mutating func keepBefore() {
    store.forgetTouched()
    if store.ids.overflow != nil { store.sweep() }
    if store.keepsTouched { bookBefore = book }
    if selfCheck.isOn { selfCheck.begin(store.lists, subscriptions) }
  }

  /// Whether a request has changed what is to be written down.
  package var hasEffects: Bool {
    !store.touched.isEmpty || bookBefore.map { !$0.hasSameTemplates(as: book) } ?? false
  }

  /// Notes that what was appended was written down.
  package mutating func noteKept() { book.numbers.kept = book.numbers.last }

  /// Makes everything what it was before the request.
  package mutating func undo() {
    store.undo()
    if let before = bookBefore { book = before }
    if selfCheck.isOn { subscriptions = selfCheck.subscriptionsBefore }
  }

  private func append(removed name: [UInt8], _ revision: Int, to out: inout ByteBuffer) {
    out.append("{\"removed\":")
    name.withUnsafeBytes { out.append(string: $0) }
    out.append(member: "revision", revision)
    out.append("}")
  }

  private func appendTextRevision(to out: inout ByteBuffer) {
    out.append("{\"textRevision\":")
    out.append(decimal: book.numbers.last)
    out.append("}")
  }

  private func append(_ expansion: Expansion, to out: inout ByteBuffer) {
    let expanded = expansion.runs(of: .expanded)
    let collapsed = expansion.runs(of: .collapsed)
    if !expanded.isEmpty {
      out.append(",\"expanded\":")
      out.append(runs: expanded)
    }
    if !collapsed.isEmpty {
      out.append(",\"collapsed\":")
      out.append(runs: collapsed)
    }
  }

  private mutating func append(
    _ list: NamedList, since touched: TouchedList?, to out: inout ByteBuffer
  ) {
    let before = touched?.before
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if let sources = list.sources {
      out.append(",\"sources\":[")
      for (place, source) in sources.enumerated() {
        if place > 0 { out.append(0x2C) }
        source.withUnsafeBytes { out.append(string: $0) }
      }
      out.append("]")
      if let view = list.view {
        out.append(",\"view\":")
        view.rules.source.withUnsafeBytes { out.append(json: $0, singleLine: true) }
        if let item = view.anchorItem { out.append(member: "windowItem", item) }
        append(view.expansion, to: &out)
      }
    } else if before?.revision != list.revision {
      out.append(",\"sections\":")
      if let edits = touched?.edits {
        out.append(sectionsOf: edits)
      } else {
        let old = before?.whole.snapshot ?? Snapshot()
        let new = list.whole.snapshot
        out.append(sectionsOf: new, Reuse(of: new, from: old, using: &store.places))
      }
    }
    let marks = list.marks
    out.append(",\"selection\":")
    out.append(runs: marks.selected)
    if let anchor = marks.anchor { out.append(member: "anchor", anchor) }
    if !marks.extended.isEmpty {
      out.append(",\"extended\":")
      out.append(runs: marks.extended)
    }
    if let cursor = marks.cursor { out.append(member: "cursor", cursor) }
    out.append("}")
  }
}

extension ByteBuffer {
  /// Appends a comma unless an array or an object has just been opened.
  fileprivate mutating func appendComma() {
    if withUnsafeBytes({ $0.last }) != 0x5B { append(0x2C) }
  }
}
