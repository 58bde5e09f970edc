import JSONBytes
import ListState

/// A list as its contents, to which changes are made in the plainest way there is.
///
/// Contents are in canonical form, so that those that are the same JSON value are the same bytes.
struct ObviousList {
  struct Section: Equatable {
    var own: [UInt8]
    var rows: [[UInt8]]
  }

  var sections: [Section]

  /// What the changes that were made come to.
  var counts = ObviousCounts()

  /// Whether changes carry what they bring; where not, that is unknown.
  var hasContents = true

  /// The content of a row or a section that a change did not carry.
  static let unknown: [UInt8] = []

  /// The contents of a snapshot.
  init(_ snapshot: Snapshot) {
    let starts = snapshot.rowStarts
    sections = snapshot.sections.indices.map { section in
      Section(
        own: Self.own(snapshot.bytes(of: snapshot.sections[section].own)),
        rows: (Int(starts[section])..<Int(starts[section + 1])).map { Self.row($0, of: snapshot) })
    }
  }

  /// The contents of sections in an answer.
  init(sections: Value) { self.sections = (sections.elements ?? []).map(Self.section) }

  /// The contents of a snapshot, with items in place of their rows.
  init(itemsOf snapshot: Snapshot) {
    sections = snapshot.sections.indices.map { section in
      Section(
        own: Self.own(snapshot.bytes(of: snapshot.sections[section].own)),
        rows: snapshot.arrangement.range(ofSection: section).map { Self.item($0, of: snapshot) })
    }
  }

  /// A row of a snapshot in canonical form.
  static func row(_ row: Int, of snapshot: Snapshot) -> [UInt8] {
    let writer = SnapshotWriter(snapshot: snapshot, singleLine: false)
    return alike(canonical { writer.appendRow(row, to: &$0) })
  }

  /// An item of a snapshot in canonical form.
  static func item(_ item: Int, of snapshot: Snapshot) -> [UInt8] {
    let writer = SnapshotWriter(snapshot: snapshot, singleLine: false)
    return alike(canonical { writer.appendItem(item, to: &$0) })
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
  static func row(_ value: Value?) -> [UInt8] {
    value.map { alike(canonical($0.bytes)) } ?? unknown
  }

  /// Whether both are the same list as far as the contents are known.
  func isSame(as other: ObviousList) -> Bool {
    func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool { a == Self.unknown || a == b }
    return sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { section, other in
        isSame(section.own, other.own) && section.rows.count == other.rows.count
          && zip(section.rows, other.rows).allSatisfy(isSame)
      }
  }

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
      own: own(value.bytes), rows: (items?.elements ?? []).map { row($0) })
  }
}

/// How many rows and sections are deleted, inserted, moved and updated.
struct ObviousCounts: Equatable {
  struct Counts: Equatable {
    var deletes = 0
    var inserts = 0
    var moves = 0
    var updates = 0

    mutating func add(_ other: Counts) {
      deletes += other.deletes
      inserts += other.inserts
      moves += other.moves
      updates += other.updates
    }
  }

  var rows = Counts()
  var sections = Counts()

  mutating func add(_ other: ObviousCounts) {
    rows.add(other.rows)
    sections.add(other.sections)
  }
}

/// What is wrong with an answer.
struct BrokenLaw: Error {
  var words: String
}
