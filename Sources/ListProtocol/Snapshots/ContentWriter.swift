import ByteBuffers
import JSONBytes
import ListState

/// Writes the contents of the rows and sections of a list, as the client wrote them.
protocol ContentWriter {
  /// The index of the first row of a section.
  func rowStart(ofSection section: Int) -> Int

  /// The index of the first item of a section.
  func itemStart(ofSection section: Int) -> Int

  var form: ContentForm { get }

  /// Appends the content of a row.
  func appendRow(_ row: Int, to buffer: inout ByteBuffer)

  /// Returns the key of an item whose identity is not its own `id`; `nil` for others.
  func key(ofKeyedItem item: Int) -> UInt32?

  /// Appends an item.
  func appendItem(_ item: Int, to buffer: inout ByteBuffer)

  /// Appends the own members of a section as an object.
  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer)
}

extension ContentWriter {
  /// Returns the number of rows of a section.
  func rowCount(ofSection section: Int) -> Int {
    rowStart(ofSection: section + 1) - rowStart(ofSection: section)
  }

  /// Returns the number of items of a section.
  func itemCount(ofSection section: Int) -> Int {
    itemStart(ofSection: section + 1) - itemStart(ofSection: section)
  }

  /// Appends a section whose items are appended by `items`.
  func appendSection(
    _ section: Int, to buffer: inout ByteBuffer, items: (inout ByteBuffer) -> Void
  ) {
    appendOwn(ofSection: section, to: &buffer)
    buffer.removeLast()
    buffer.append(member: "items")
    buffer.append(0x5B)
    items(&buffer)
    buffer.append("]}")
  }
}

/// Writes the contents of a list.
struct ListRowsWriter: ContentWriter {
  let rows: ListRows
  let form: ContentForm

  func rowStart(ofSection section: Int) -> Int { rows.start(ofSection: section) }
  func itemStart(ofSection section: Int) -> Int { rows.itemStart(ofSection: section) }

  func appendRow(_ row: Int, to buffer: inout ByteBuffer) {
    let row: ListRows.Row = rows.row(row)
    buffer.append(row: row.item, part: row.part, parts: row.parts, form)
  }

  func key(ofKeyedItem item: Int) -> UInt32? {
    rows.isKeyed(item: item) ? rows.key(ofItem: item) : nil
  }

  func appendItem(_ item: Int, to buffer: inout ByteBuffer) {
    buffer.append(content: rows.bytes(ofItem: item), form)
  }

  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer) {
    buffer.append(json: rows.bytes(ofSection: section), singleLine: form.singleLine)
  }
}
