import ByteBuffers
import JSONBytes
import ListState

/// Writes the contents of the rows and sections of a list, as the client wrote them.
struct ContentWriter {
  let rows: ListRows
  let form: ContentForm

  init(_ rows: ListRows, _ form: ContentForm = ContentForm()) {
    self.rows = rows
    self.form = form
  }

  /// Appends the content of a row.
  func appendRow(_ row: Int, to buffer: inout ByteBuffer) {
    let row = rows.row(row)
    buffer.append(row: row.item, part: row.part, parts: row.parts, form)
  }

  /// Appends an item.
  func appendItem(_ item: Int, to buffer: inout ByteBuffer) {
    buffer.append(content: rows.bytes(ofItem: item), form)
  }

  /// Appends the own members of a section as an object.
  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer) {
    buffer.append(json: rows.bytes(ofSection: section), singleLine: form.singleLine)
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

  /// Appends all sections with their items, unless it `isStopped` before.
  func appendSections(to buffer: inout ByteBuffer, isStopped: () -> Bool = { false }) {
    buffer.append(0x5B)
    for section in 0..<rows.sectionCount {
      if section > 0 { buffer.append(0x2C) }
      appendSection(section, to: &buffer) { buffer in
        rows.forEachItem(ofSection: section) { index, item in
          if index & 0xFFF == 0xFFF, isStopped() { return false }
          if index > 0 { buffer.append(0x2C) }
          buffer.append(content: item, form)
          return true
        }
      }
    }
    buffer.append(0x5D)
  }
}

extension ByteBuffer {
  /// Appends the content of a row: an item, or a part and the other members of its item.
  ///
  /// `parts` is the range of the parts in the item, if there are many.
  mutating func append(
    row item: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer?, parts: Range<Int>?,
    _ form: ContentForm
  ) {
    guard let part else { return append(content: item, form) }
    append("{\"$part\":")
    append(content: part, form)
    append(member: "$item")
    if form.members == nil {
      append(object: item, without: ["parts"], parts: parts, singleLine: form.singleLine)
    } else {
      var rest = ByteBuffer()
      rest.append(object: item, without: ["parts"], parts: parts, singleLine: form.singleLine)
      rest.withUnsafeBytes { append(content: $0, form) }
    }
    append(0x7D)
  }

  /// Appends an object without the members with some names.
  ///
  /// `parts` is a range of array elements in the object that is known and is not scanned again.
  mutating func append(
    object bytes: UnsafeRawBufferPointer, without names: [StaticString],
    parts: Range<Int>? = nil, singleLine: Bool
  ) {
    append(0x7B)
    var isFirst = true
    JSONReader(bytes).forEachMember(knowing: parts) { reader, member, value in
      if names.contains(where: { reader.matches(member, $0) }) { return }
      if !isFirst { append(0x2C) }
      isFirst = false
      append(
        json: reader.bytes(member.range.lowerBound - 1..<value.upperBound), singleLine: singleLine)
    }
    append(0x7D)
  }
}
