import JSONBytes
import ListState
import ListText

extension TextBook {
  /// Renders a snapshot without selection and cursor, with the templates of all lists, or those of
  /// `list`.
  mutating func render(
    _ snapshot: Snapshot, of list: [UInt8]? = nil, _ ids: borrowing IDTable, spans: Bool = false
  ) -> RenderedText {
    var page = TextPage()
    page.snapshot = snapshot
    page.selected = BitSet(bound: snapshot.itemCount)
    page.hasSpans = spans
    return render(page, of: list, ids, after: nil, .same)?.text ?? RenderedText()
  }

  /// Renders some rows of a list with the spans of a match, without headers and footers.
  mutating func render(
    rows: Range<Int>, of list: NamedList, _ ids: borrowing IDTable, matching match: ListMatch
  ) -> RenderedText {
    var page = TextPage()
    page.snapshot = list.snapshot
    page.selected = list.selection.items
    page.cursor = list.cursor
    page.hasSpans = true
    var table = TemplateTable(list.name)
    var builder = TextBuilder()
    builder.beginSection()
    builder.addEmptyBlock()
    var contents = RowContents(page.snapshot, match)
    for row in rows { addRow(row, of: page, ids, &table, &contents, to: &builder) }
    builder.addEmptyBlock()
    withExtendedLifetime(page.snapshot) {}
    return builder.finish()
  }

  /// Renders a page's snapshot with its selection and cursor. Rows that look as on the page
  /// `before` are copied from there; these blocks are returned, too. Returns `nil` if `isStopped`.
  mutating func render(
    _ page: TextPage, of list: [UInt8]?, _ ids: borrowing IDTable, after before: TextPage?,
    _ matching: RowMatching, isStopped: () -> Bool = { false }
  ) -> (text: RenderedText, same: [EqualRows])? {
    var builder = TextBuilder(keepsSpans: page.hasSpans)
    var table = TemplateTable(list)
    let snapshot = page.snapshot
    var contents = RowContents(snapshot, page.match)
    var shown = before.map { ShownRows($0, page, matching) }
    for section in snapshot.sections.indices {
      builder.beginSection()
      let traits = snapshot.sections[section]
      add(
        "header", of: traits, template: traits.headerTemplate, default: "Header", in: snapshot, ids,
        &table,
        to: &builder)
      var row = Int(snapshot.rowStarts[section])
      let end = Int(snapshot.rowStarts[section + 1])
      while row < end {
        if let same = shown?.rows(shownLike: row..<end), !same.isEmpty {
          builder.addRows(sameAs: same, of: before!.text)
          row += same.count
          continue
        }
        if row & 0xFFF == 0xFFF, isStopped() { return nil }
        addRow(row, of: page, ids, &table, &contents, to: &builder)
        row += 1
      }
      add(
        "footer", of: traits, template: traits.footerTemplate, default: "Footer", in: snapshot, ids,
        &table,
        to: &builder)
    }
    withExtendedLifetime(snapshot) {}
    let same = builder.same
    return (builder.finish(), same)
  }

  /// The templates of one text, by their keys in the snapshot.
  private struct TemplateTable {
    /// The list whose own templates take precedence over those of all lists.
    let list: [UInt8]?
    var plain: [String: (name: [UInt8], template: Template)] = [:]
    var keyed: [UInt32: (name: [UInt8], template: Template)] = [:]

    init(_ list: [UInt8]?) { self.list = list }
  }

  private mutating func addRow(
    _ row: Int, of page: TextPage, _ ids: borrowing IDTable, _ table: inout TemplateTable,
    _ contents: inout RowContents, to builder: inout TextBuilder
  ) {
    let resolved = resolve(page.snapshot.template(ofRow: row), "Cell", ids, &table)
    builder.addRow(
      contents.content(ofRow: row), resolved.template, page.marks(ofRow: row),
      lacks: { warn($0, of: resolved.name) })
  }

  private mutating func add(
    _ member: String, of traits: SectionTraits, template: UInt32, default defaultName: String,
    in snapshot: Snapshot, _ ids: borrowing IDTable, _ table: inout TemplateTable,
    to builder: inout TextBuilder
  ) {
    let own = snapshot.bytes(of: traits.own)
    guard let value = own.member(path: [Array(member.utf8)]), value[0] != 0x6E else {
      return builder.addEmptyBlock()
    }
    let resolved = resolve(template, defaultName, ids, &table)
    let content = JSONContent(part: nil, item: value, bareNames: JSONContent.headerNames)
    builder.add(content, resolved.template, lacks: { warn($0, of: resolved.name) })
  }

  /// Returns the template for a key plus one, where 0 is the default template.
  private mutating func resolve(
    _ key: UInt32, _ defaultName: String, _ ids: borrowing IDTable, _ table: inout TemplateTable
  ) -> (name: [UInt8], template: Template) {
    if key == 0 {
      if let resolved = table.plain[defaultName] { return resolved }
      let name = Array(defaultName.utf8)
      let resolved = (name, template(name, of: table.list) ?? .plain)
      table.plain[defaultName] = resolved
      return resolved
    }
    if let resolved = table.keyed[key] { return resolved }
    let resolved = resolve(named: Array(ids.bytes(of: key - 1)), of: table.list)
    table.keyed[key] = resolved
    return resolved
  }

  /// Returns the template that was registered for a list, or else for all.
  private func template(_ name: [UInt8], of list: [UInt8]?) -> Template? {
    list.flatMap { own[$0]?[name] } ?? shared[name]
  }

  /// Returns the template with a name. An unregistered name means `Cell`.
  private mutating func resolve(
    named name: [UInt8], of list: [UInt8]?
  ) -> (name: [UInt8], template: Template) {
    if let template = template(name, of: list) { return (name, template) }
    switch String(decoding: name, as: UTF8.self) {
    case "Spacing": return (name, .spacing)
    case "Cell", "Header", "Footer": return (name, .plain)
    case let word:
      warn([name], "no template \"\(word)\" is registered; its rows are shown with \"Cell\"")
      let cell = Array("Cell".utf8)
      return (cell, template(cell, of: list) ?? .plain)
    }
  }

  private mutating func warn(_ lack: ContentIssue, of template: [UInt8]) {
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
      warn(
        about, "the template \"\(word)\" names the member \"\(name)\", which a row does not have")
    case .unbounded(_, let bounds):
      warn(
        about,
        "the template \"\(word)\" expects the member \"\(name)\" to be a number from "
          + "\(bounds.lowerBound) to \(bounds.upperBound), which that of a row is not")
    }
  }

  private mutating func warn(_ about: [[UInt8]], _ message: String) {
    if warned.insert(about).inserted { warnings.append(message) }
  }
}
