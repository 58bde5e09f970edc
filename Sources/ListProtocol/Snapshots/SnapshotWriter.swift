import ByteBuffers
import JSONBytes
import ListDiff
import ListState

/// Writes the contents of a snapshot as the client wrote them.
struct SnapshotWriter: ContentWriter {
  let snapshot: Snapshot
  let form: ContentForm

  /// Reports whether to stop writing sections.
  var isStopped: () -> Bool = { false }

  func rowStart(ofSection section: Int) -> Int { Int(snapshot.rowStarts[section]) }
  func itemStart(ofSection section: Int) -> Int { Int(snapshot.arrangement.starts[section]) }

  /// Appends all sections with their items.
  func appendSections(to buffer: inout ByteBuffer) {
    buffer.append(0x5B)
    for section in snapshot.sections.indices {
      if section > 0 { buffer.append(0x2C) }
      appendSection(section, to: &buffer) { buffer in
        for (index, item) in snapshot.arrangement.range(ofSection: section).enumerated() {
          if index & 0xFFF == 0xFFF, isStopped() { return }
          if index > 0 { buffer.append(0x2C) }
          appendItem(item, to: &buffer)
        }
      }
    }
    buffer.append(0x5D)
  }

  func key(ofKeyedItem item: Int) -> UInt32? {
    snapshot.traits[item].contains(.isKeyed) ? snapshot.arrangement.rows[item] : nil
  }

  func appendItem(_ item: Int, to buffer: inout ByteBuffer) {
    buffer.append(content: snapshot.bytes(of: snapshot.payloads[item]), form)
  }

  func appendOwn(ofSection section: Int, to buffer: inout ByteBuffer) {
    let own = snapshot.sections[section].own
    buffer.append(json: snapshot.bytes(of: own), singleLine: form.singleLine)
  }

  func appendRow(_ row: Int, to buffer: inout ByteBuffer) {
    let item = snapshot.item(ofRow: row)
    buffer.append(
      row: snapshot.bytes(of: snapshot.payloads[item]),
      part: snapshot.isPart(row) ? snapshot.bytes(of: snapshot.payload(ofRow: row)) : nil,
      parts: snapshot.partsRange(ofItem: item), form)
  }
}

extension Snapshot {
  /// Returns the range from the first to the last part of an item in its text; `nil` if it has few
  /// parts.
  func partsRange(ofItem item: Int) -> Range<Int>? {
    let rows = rows(ofItem: item)
    guard rows.count > 16 else { return nil }
    let first = payload(ofRow: rows.lowerBound)
    let last = payload(ofRow: rows.upperBound - 1)
    let start = payloads[item].start
    return Int(first.start - start)..<Int(last.start - start + last.length)
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
