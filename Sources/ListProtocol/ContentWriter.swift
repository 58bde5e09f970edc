import JSONBytes
import ListState

/// Writes what the rows and sections of a list have in them, as a client wrote it.
protocol ContentWriter {
  /// The index of the first row of a section.
  func rowStart(ofSection section: Int) -> Int

  /// The index of the first item of a section.
  func itemStart(ofSection section: Int) -> Int

  /// Whether line ends in the contents become spaces.
  var singleLine: Bool { get }

  /// Appends the content of a row.
  func appendRow(_ row: Int, to buffer: inout ByteBuffer)

  /// Appends an item.
  func appendItem(_ item: Int, to buffer: inout ByteBuffer)

  /// Appends a section's own members as an object.
  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer)
}

extension ContentWriter {
  /// Appends a section with what `items` appends as its items.
  func appendSection(
    _ section: Int, to buffer: inout ByteBuffer, items: (inout ByteBuffer) -> Void
  ) {
    appendOwn(ofSection: section, to: &buffer)
    buffer.removeLast()
    buffer.append(",\"items\":[")
    items(&buffer)
    buffer.append("]}")
  }
}

/// Writes the contents of a list in which each item is a row.
struct ListRowsWriter: ContentWriter {
  let rows: ListRows
  let singleLine: Bool

  func rowStart(ofSection section: Int) -> Int { rows.start(ofSection: section) }
  func itemStart(ofSection section: Int) -> Int { rows.start(ofSection: section) }

  func appendRow(_ row: Int, to buffer: inout ByteBuffer) {
    buffer.append(json: rows.bytes(ofRow: row), singleLine: singleLine)
  }

  func appendItem(_ item: Int, to buffer: inout ByteBuffer) { appendRow(item, to: &buffer) }

  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer) {
    buffer.append(json: rows.bytes(ofSection: section), singleLine: singleLine)
  }
}
