import JSONBytes
import ListState
import ListText

extension TextBook {
  /// The text of a snapshot in which nothing is marked, with the templates of all lists, or of one.
  mutating func render(
    _ snapshot: Snapshot, of list: [UInt8]? = nil, _ ids: borrowing IDTable, spans: Bool = false
  ) -> RenderedText {
    var page = TextPage()
    page.snapshot = snapshot
    page.selected = BitSet(bound: snapshot.itemCount)
    page.hasSpans = spans
    return render(page, of: list, ids, after: nil, .same)?.text ?? RenderedText()
  }

  /// The text of some rows of a list as a query matches them, each in a section of its own.
  mutating func render(
    rows: Range<Int>, of list: NamedList, _ ids: borrowing IDTable, matching match: ListMatch
  ) -> RenderedText {
    var page = TextPage()
    page.snapshot = list.snapshot
    page.selected = list.selection.items
    page.cursor = list.cursor
    page.hasSpans = true
    var looks = TemplateTable(list.name)
    var builder = TextBuilder()
    builder.beginSection()
    builder.addNothing()
    var contents = RowContents(page.snapshot, match)
    for row in rows { addRow(row, of: page, ids, &looks, &contents, to: &builder) }
    builder.addNothing()
    withExtendedLifetime(page.snapshot) {}
    return builder.finish()
  }

  /// The text of a page's snapshot with its marks, and which rows look as they did before and are taken
  /// from there.
  mutating func render(
    _ page: TextPage, of list: [UInt8]?, _ ids: borrowing IDTable, after before: TextPage?,
    _ matching: ListedMatching, isStopped: () -> Bool = { false }
  ) -> (text: RenderedText, same: [SameBlocks])? {
    var builder = TextBuilder(keepsSpans: page.hasSpans)
    var looks = TemplateTable(list)
    let snapshot = page.snapshot
    var contents = RowContents(snapshot, page.match)
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
        addRow(row, of: page, ids, &looks, &contents, to: &builder)
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
    /// The list whose own templates win over those of all lists.
    let list: [UInt8]?
    var plain: [String: (name: [UInt8], template: Template)] = [:]
    var keyed: [UInt32: (name: [UInt8], template: Template)] = [:]

    init(_ list: [UInt8]?) { self.list = list }
  }

  private mutating func addRow(
    _ row: Int, of page: TextPage, _ ids: borrowing IDTable, _ looks: inout TemplateTable,
    _ contents: inout RowContents, to builder: inout TextBuilder
  ) {
    let look = look(page.snapshot.template(ofRow: row), "Cell", ids, &looks)
    builder.addRow(
      contents.content(ofRow: row), look.template, page.marks(ofRow: row),
      lacks: { miss($0, of: look.name) })
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
      let look = (name, template(name, of: looks.list) ?? .plain)
      looks.plain[defaultName] = look
      return look
    }
    if let look = looks.keyed[key] { return look }
    let look = look(named: Array(ids.bytes(of: key - 1)), of: looks.list)
    looks.keyed[key] = look
    return look
  }

  /// A template that was registered for a list or for all.
  private func template(_ name: [UInt8], of list: [UInt8]?) -> Template? {
    list.flatMap { own[$0]?[name] } ?? shared[name]
  }

  /// The template of a name; one that nobody registered is `Cell`.
  private mutating func look(
    named name: [UInt8], of list: [UInt8]?
  ) -> (name: [UInt8], template: Template) {
    if let template = template(name, of: list) { return (name, template) }
    switch String(decoding: name, as: UTF8.self) {
    case "Spacing": return (name, .spacing)
    case "Cell", "Header", "Footer": return (name, .plain)
    case let word:
      warn([name], "no template \"\(word)\" is registered; rows with it look as with \"Cell\"")
      let cell = Array("Cell".utf8)
      return (cell, template(cell, of: list) ?? .plain)
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
