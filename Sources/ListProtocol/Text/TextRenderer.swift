import ListState
import ListText

/// The state of the rendering of a list.
struct TextRenderer {
  let source: ListRows
  let cursor: Int?
  var builder: TextBuilder
  var contents: RowContents
  var table: TemplateTable

  /// Creates a renderer of a list, with the templates of all lists, or those of `list`.
  init(
    _ source: ListRows, _ list: [UInt8]?, _ cursor: Int? = nil, _ match: ListMatch? = nil,
    copying old: RenderedText = RenderedText(), keepsSpans: Bool = true
  ) {
    self.source = source
    self.cursor = cursor
    builder = TextBuilder(copying: old, keepsSpans: keepsSpans)
    contents = RowContents(match)
    table = TemplateTable(list: list)
  }
}

/// The templates of one text, by their keys in the list.
struct TemplateTable {
  /// The list whose own templates take precedence over those of all lists.
  let list: [UInt8]?

  /// The default templates, of which there are few.
  var plain: [(word: String, name: [UInt8], template: Template)] = []
  var keyed: [UInt32: (name: [UInt8], template: Template)] = [:]
}
