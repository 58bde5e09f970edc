import JSONBytes
import ListState

/// A list as its contents, to which changes are made in the plainest way there is.
///
/// Contents are in canonical form, so that those that are the same JSON value are the same bytes.
struct ObviousList: Equatable {
  struct Section: Equatable {
    var own: [UInt8]
    var rows: [[UInt8]]
  }

  var sections: [Section]

  /// The contents of a snapshot.
  init(_ snapshot: Snapshot) {
    let writer = SnapshotWriter(snapshot: snapshot, singleLine: false)
    let starts = snapshot.rowStarts
    sections = snapshot.sections.indices.map { section in
      Section(
        own: Self.own(snapshot.bytes(of: snapshot.sections[section].own)),
        rows: (Int(starts[section])..<Int(starts[section + 1])).map { row in
          Self.alike(Self.canonical { writer.appendRow(row, to: &$0) })
        })
    }
  }

  /// The canonical form of what `write` appends.
  private static func canonical(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var text = ByteBuffer()
    write(&text)
    return text.shared().withBytes { canonical($0) }
  }

  static func canonical(_ value: UnsafeRawBufferPointer) -> [UInt8] {
    var form = JSONCanonical()
    var result = ByteBuffer()
    form.append(value, to: &result)
    return result.withUnsafeBytes { Array($0) }
  }

  /// A row in canonical form.
  static func row(_ value: UnsafeRawBufferPointer) -> [UInt8] { alike(canonical(value)) }

  /// A row in canonical form, where an item or a part that is an array is an empty object.
  static func alike(_ row: [UInt8]) -> [UInt8] {
    let part = Array("\"$part\":[]}".utf8)
    if row == [0x5B, 0x5D] { return [0x7B, 0x7D] }
    guard row.suffix(part.count).elementsEqual(part) else { return row }
    return row.dropLast(3) + [0x7B, 0x7D, 0x7D]
  }

  /// A section's own members in canonical form; a header or footer that is null is absent.
  private static func own(_ section: UnsafeRawBufferPointer) -> [UInt8] {
    var text = ByteBuffer()
    text.append(object: section, without: "items", singleLine: false)
    return text.shared().withBytes { members in
      canonical {
        $0.append(
          object: members, without: "header", "footer", onlyNull: true, singleLine: false)
      }
    }
  }

  /// A section in an answer, with or without items.
  static func section(_ value: Value) -> Section {
    let items = value.members?.last { $0.name == "items" }?.value
    return Section(
      own: own(value.bytes), rows: (items?.elements ?? []).map { row($0.bytes) })
  }
}

/// What is wrong with an answer.
struct BrokenLaw: Error {
  var words: String
}
