import JSONBytes
import ListState
import ListText

extension TextBook {
  /// Renders a snapshot without selection and cursor, with the templates of all lists, or those of
  /// `list`.
  mutating func render(
    _ snapshot: Snapshot, of list: [UInt8]? = nil, _ ids: borrowing IDTable, spans: Bool = false
  ) -> RenderedText {
    var renderer = TextRenderer(ListRows(snapshot), list, keepsSpans: spans)
    _ = render(&renderer, RowPairs(), ids)
    return renderer.builder.finish()
  }

  /// Renders some rows of a list with the spans of a match, without headers and footers.
  mutating func render(
    rows: Range<Int>, of list: NamedList, _ source: ListRows, _ ids: borrowing IDTable,
    matching match: ListMatch
  ) -> RenderedText {
    var renderer = TextRenderer(source, list.name, list.cursor, match)
    renderer.builder.addHeader(JSONContent?.none, .plain) { _ in }
    for row in rows { addRow(row, &renderer, ids) }
    renderer.builder.addFooter(JSONContent?.none, .plain) { _ in }
    return renderer.builder.finish()
  }

  /// Renders all blocks of a list. Those that are known to be equal in the old text of the builder
  /// are copied from there. Returns false if `isStopped`.
  mutating func render(
    _ renderer: inout TextRenderer, _ pairs: RowPairs, _ ids: borrowing IDTable,
    isStopped: () -> Bool = { false }
  ) -> Bool {
    for run in pairs.runs where run.isSame {
      guard render(&renderer, upTo: run.newBlocks.lowerBound, ids, isStopped) else { return false }
      renderer.builder.copy(run.oldBlocks)
    }
    let sections = renderer.source.sectionCount
    let blocks = renderer.source.rowCount + 2 * sections
    return render(&renderer, upTo: blocks, ids, isStopped)
  }

  /// Renders the next blocks up to one.
  private mutating func render(
    _ renderer: inout TextRenderer, upTo end: Int, _ ids: borrowing IDTable,
    _ isStopped: () -> Bool
  ) -> Bool {
    var next = renderer.builder.blockCount
    while next < end {
      let section = renderer.builder.sectionCount
      if !renderer.builder.isInSection {
        add(headerOf: section, isFooter: false, &renderer, ids)
        next += 1
        continue
      }
      let row = renderer.builder.rowCount
      let rowEnd = renderer.source.start(ofSection: section)
      for row in row..<min(rowEnd, row + end - next) {
        if row & 0xFFF == 0xFFF, isStopped() { return false }
        addRow(row, &renderer, ids)
        next += 1
      }
      if next < end {
        add(headerOf: section - 1, isFooter: true, &renderer, ids)
        next += 1
      }
    }
    return true
  }

  private mutating func addRow(
    _ row: Int, _ renderer: inout TextRenderer, _ ids: borrowing IDTable
  ) {
    let content = renderer.source.row(row)
    let resolved = resolve(content.template, "Cell", ids, &renderer.table)
    renderer.builder.addRow(
      renderer.contents.content(of: content), resolved.template,
      RowMarks(isSelected: content.isSelected, hasCursor: row == renderer.cursor),
      lacks: { warn($0, of: resolved.name) })
  }

  /// Adds the header of a section, or the footer.
  private mutating func add(
    headerOf section: Int, isFooter: Bool, _ renderer: inout TextRenderer,
    _ ids: borrowing IDTable
  ) {
    let traits = renderer.source.traits(ofSection: section)
    let content = JSONContent(
      isFooter ? "footer" : "header", of: renderer.source.bytes(ofSection: section))
    var resolved: (name: [UInt8], template: Template)?
    if content != nil {
      let key = isFooter ? traits.footerTemplate : traits.headerTemplate
      resolved = resolve(key, isFooter ? "Footer" : "Header", ids, &renderer.table)
    }
    let template = resolved?.template ?? .plain
    func warn(_ lack: ContentIssue) { if let resolved { self.warn(lack, of: resolved.name) } }
    if isFooter {
      renderer.builder.addFooter(content, template, lacks: warn)
    } else {
      renderer.builder.addHeader(content, template, lacks: warn)
    }
  }

  /// Returns the template for a key plus one, where 0 is the default template.
  private mutating func resolve(
    _ key: UInt32, _ defaultName: String, _ ids: borrowing IDTable, _ table: inout TemplateTable
  ) -> (name: [UInt8], template: Template) {
    if key == 0 {
      if let known = table.plain.first(where: { $0.word == defaultName }) {
        return (known.name, known.template)
      }
      let name = Array(defaultName.utf8)
      let template = templates.template(name, of: table.list) ?? .plain
      table.plain.append((defaultName, name, template))
      return (name, template)
    }
    if let resolved = table.keyed[key] { return resolved }
    let resolved = resolve(named: Array(ids.bytes(of: key - 1)), of: table.list)
    table.keyed[key] = resolved
    return resolved
  }

  /// Returns the template with a name. An unregistered name means `Cell`.
  private mutating func resolve(
    named name: [UInt8], of list: [UInt8]?
  ) -> (name: [UInt8], template: Template) {
    if let template = templates.template(name, of: list) { return (name, template) }
    switch String(decoding: name, as: UTF8.self) {
    case "Spacing": return (name, .spacing)
    case "Cell", "Header", "Footer": return (name, .plain)
    case let word:
      warn([name], "no template \"\(word)\" is registered; its rows are shown with \"Cell\"")
      let cell = Array("Cell".utf8)
      return (cell, templates.template(cell, of: list) ?? .plain)
    }
  }

  private mutating func warn(_ lack: ContentIssue, of template: [UInt8]) {
    let member =
      switch lack {
      case .missing(let member), .unbounded(let member, _): member
      }
    let about = [template, member]
    guard !warned.contains(about) else { return }
    let name = String(decoding: member, as: UTF8.self)
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
