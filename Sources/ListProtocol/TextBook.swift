import JSONBytes
import ListState
import ListText

/// The templates that clients have registered, and the texts of the lists that clients have asked
/// for the text of.
struct TextBook {
  private(set) var templates: [[UInt8]: Template] = [:]

  /// The templates as they were written.
  private(set) var sources: [[UInt8]: [UInt8]] = [:]
  private var pages: [[UInt8]: TextPage] = [:]

  /// The numbers that texts were given.
  var numbers = TextNumbers()

  /// What people have been warned of.
  private var warned: Set<[[UInt8]]> = []

  /// Warnings that nobody has heard yet.
  var warnings: [String] = []

  /// Registers a template under a name.
  ///
  /// - Throws: where a brace of its source has no other.
  mutating func register(_ source: [UInt8], as name: [UInt8]) throws(UnbalancedBrace) {
    templates[name] = try Template(source)
    sources[name] = source
  }

  /// The names of the lists that have a text.
  var lists: [[UInt8]] { pages.keys.sorted { $0.lexicographicallyPrecedes($1) } }

  /// Whether a list's text is kept.
  func hasText(_ list: [UInt8]) -> Bool { pages[list] != nil }

  /// The text of a list and its number; empty and 0 if the text is not kept.
  func text(of list: [UInt8]) -> (text: RenderedText, revision: Int) {
    pages[list].map { ($0.text, $0.textRevision) } ?? (RenderedText(), 0)
  }

  /// Forgets the text of a list.
  mutating func close(_ list: [UInt8]) { pages[list] = nil }

  /// Makes a list's text what its snapshot, selection and cursor say; `isForced` where templates have
  /// changed.
  ///
  /// Returns the text before and after, or nil where it `isStopped` and nothing has changed.
  /// `matching` tells which rows of the text before are which.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the text and the snapshot; O(1) where
  ///   nothing has changed.
  mutating func update(
    _ list: NamedList, _ ids: borrowing IDTable, _ matching: ListedMatching,
    isForced: Bool = false, isStopped: () -> Bool = { false }
  ) -> TextChange? {
    let before = pages[list.name] ?? TextPage()
    var page = before
    var same: [SameBlocks] = []
    let isSame =
      before.revision == list.revision && before.cursor == list.cursor
      && before.selected == list.selection.items && !isForced
    if !isSame {
      page.revision = list.revision
      page.snapshot = list.snapshot
      page.selected = list.selection.items
      page.cursor = list.cursor
      guard
        let made = render(
          page, ids, after: isForced ? nil : before, matching, isStopped: isStopped)
      else { return nil }
      (page.text, same) = made
      if page.text.bytes != before.text.bytes || before.textRevision == 0 {
        if pages[list.name] != nil { numbers.leaveRestored() }
        page.textRevision = numbers.next()
      }
    }
    pages[list.name] = page
    return TextChange(
      old: before.text, new: page.text, matching: isSame ? .same : matching, same: same,
      baseRevision: before.textRevision, revision: page.textRevision,
      cursorLine: list.cursor.flatMap { page.text.cursorLine(ofRow: $0) })
  }

  /// The text of a snapshot.
  mutating func render(_ snapshot: Snapshot, _ ids: borrowing IDTable) -> RenderedText {
    var page = TextPage()
    page.snapshot = snapshot
    page.selected = BitSet(bound: snapshot.itemCount)
    return render(page, ids, after: nil, .same)?.text ?? RenderedText()
  }

  /// The text of a page's snapshot with its marks, and which rows look as they did before and are taken
  /// from there.
  private mutating func render(
    _ page: TextPage, _ ids: borrowing IDTable, after before: TextPage?,
    _ matching: ListedMatching, isStopped: () -> Bool = { false }
  ) -> (text: RenderedText, same: [SameBlocks])? {
    var builder = TextBuilder()
    var looks = TemplateTable()
    let snapshot = page.snapshot
    for section in snapshot.sections.indices {
      builder.beginSection()
      let traits = snapshot.sections[section]
      add("header", traits, traits.headerTemplate, "Header", snapshot, ids, &looks, to: &builder)
      var row = Int(snapshot.rowStarts[section])
      let end = Int(snapshot.rowStarts[section + 1])
      while row < end {
        if let same = before?.rows(thatLookAs: row..<end, of: page, matching), !same.isEmpty {
          builder.addRows(sameAs: same, of: before!.text)
          row += same.count
          continue
        }
        if row & 0xFFF == 0xFFF, isStopped() { return nil }
        let payload = snapshot.bytes(of: snapshot.payload(ofRow: row))
        let item = snapshot.item(ofRow: row)
        let content = JSONContent(
          part: snapshot.isPart(row) ? payload : nil,
          item: snapshot.bytes(of: snapshot.payloads[item]),
          parts: snapshot.partsRange(ofItem: item), bareNames: JSONContent.itemNames)
        let look = look(snapshot.template(ofRow: row), "Cell", ids, &looks)
        builder.addRow(
          content, look.template, page.marks(ofRow: row), lacks: { miss($0, of: look.name) })
        row += 1
      }
      add("footer", traits, traits.footerTemplate, "Footer", snapshot, ids, &looks, to: &builder)
    }
    withExtendedLifetime(snapshot) {}
    let same = builder.same
    return (builder.finish(), same)
  }

  /// Templates by their keys in snapshots, for one text.
  private struct TemplateTable {
    var plain: [String: (name: [UInt8], template: Template)] = [:]
    var keyed: [UInt32: (name: [UInt8], template: Template)] = [:]
  }

  private mutating func add(
    _ member: String, _ traits: SectionTraits, _ template: UInt32, _ defaultName: String,
    _ snapshot: Snapshot, _ ids: borrowing IDTable, _ looks: inout TemplateTable,
    to builder: inout TextBuilder
  ) {
    let own = snapshot.bytes(of: traits.own)
    guard let value = own.member(path: [Array(member.utf8)]), value[0] != 0x6E else {
      return builder.addNothing()
    }
    let look = look(template, defaultName, ids, &looks)
    let content = JSONContent(part: nil, item: value, bareNames: JSONContent.headerNames)
    builder.add(content, look.template, lacks: { miss($0, of: look.name) })
  }

  /// The template of a key plus one, 0 for the default one.
  private mutating func look(
    _ key: UInt32, _ defaultName: String, _ ids: borrowing IDTable, _ looks: inout TemplateTable
  ) -> (name: [UInt8], template: Template) {
    if key == 0 {
      if let look = looks.plain[defaultName] { return look }
      let name = Array(defaultName.utf8)
      let look = (name, templates[name] ?? .plain)
      looks.plain[defaultName] = look
      return look
    }
    if let look = looks.keyed[key] { return look }
    let name = Array(ids.bytes(of: key - 1))
    let look = self.look(named: name)
    looks.keyed[key] = look
    return look
  }

  /// The template of a name; one that nobody registered is `Cell`.
  private mutating func look(named name: [UInt8]) -> (name: [UInt8], template: Template) {
    if let template = templates[name] { return (name, template) }
    switch String(decoding: name, as: UTF8.self) {
    case "Spacing": return (name, .spacing)
    case "Cell", "Header", "Footer": return (name, .plain)
    case let word:
      warn([name], "no template \"\(word)\" is registered; rows with it look as with \"Cell\"")
      let cell = Array("Cell".utf8)
      return (cell, templates[cell] ?? .plain)
    }
  }

  private mutating func miss(_ lack: TextLack, of template: [UInt8]) {
    let about: [[UInt8]] =
      switch lack {
      case .missing(let member): [template] + member
      case .unbounded(let member, _): [template, member]
      }
    guard !warned.contains(about) else { return }
    let name = String(
      decoding: Array(about.dropFirst().joined(separator: [0x2E])), as: UTF8.self)
    let word = String(decoding: template, as: UTF8.self)
    switch lack {
    case .missing:
      warn(about, "the template \"\(word)\" names the member \"\(name)\", which a row has not got")
    case .unbounded(_, let bounds):
      warn(
        about,
        "the template \"\(word)\" takes a member \"\(name)\" from \(bounds.lowerBound) to "
          + "\(bounds.upperBound), which that of a row is not")
    }
  }

  private mutating func warn(_ about: [[UInt8]], _ words: String) {
    if warned.insert(about).inserted { warnings.append(words) }
  }
}
