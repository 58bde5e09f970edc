/// An item as a client sends it, with its expected identity and rows.
struct ModelItem {
  /// The JSON text of the item.
  var text: String

  /// The identity. For items without an `id`, it is the text itself.
  var identity: String

  /// The reference of an item with an `id`.
  var reference: String?

  /// The rows: their identity within the item, and their content.
  var rows: [(key: String, content: String)]

  /// A plain number, which may repeat.
  static func bare(_ number: Int) -> ModelItem {
    ModelItem(text: "\(number)", identity: "\(number)", rows: [("", "")])
  }

  /// An object without an `id`, which may repeat, with `parts` parts.
  static func nameless(_ number: Int, parts: Int?) -> ModelItem {
    let rows = parts.map { (0..<$0).map { ("\($0)", "") } } ?? [("", "")]
    let list = parts.map { ",\"parts\":[\((0..<$0).map(String.init).joined(separator: ","))]" }
    let text = "{\"t\":\(number)\(list ?? "")}"
    return ModelItem(text: text, identity: text, rows: rows)
  }

  /// An item with an `id` and one row.
  static func single(_ number: Int, content: Int, isSpecial: Bool) -> ModelItem {
    let text = "{\"id\":\"i\(number)\",\"v\":\(content)\(isSpecial ? ",\"template\":\"T\"" : "")}"
    return ModelItem(
      text: text, identity: "i\(number)", reference: "\"i\(number)\"", rows: [("", text)])
  }

  /// An item with an `id` and up to three rows: parts identified by value, `id` and template.
  static func composed(_ number: Int, content: Int) -> ModelItem {
    let bare = content & 1
    var parts = ["\(bare)"]
    var rows = [("\(bare)", "")]
    if content & 2 > 0 {
      parts.append("{\"id\":\"a\",\"v\":\(content & 4)}")
      rows.append(("a", "\(content & 4)"))
      parts.append("{\"template\":\"S\",\"v\":\(content & 4)}")
      rows.append(("S", "\(content & 4)"))
    }
    if content == 0 { (parts, rows) = ([], []) }
    return ModelItem(
      text: "{\"id\":\"p\(number)\",\"parts\":[\(parts.joined(separator: ","))]}",
      identity: "p\(number)", reference: "\"p\(number)\"", rows: rows)
  }
}

/// A section as a client sends it.
struct ModelSection {
  var id: Int
  var header = 0
  var items: [ModelItem] = []

  /// The members except `items`.
  var own: String { "\"id\":\(id),\"header\":\(header),\"selectionMode\":\"multiple\"" }

  /// The JSON text of the section.
  var text: String {
    "{\(own),\"items\":[\(items.map(\.text).joined(separator: ","))]}"
  }
}
