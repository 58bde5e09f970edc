import ByteBuffers
import JSONBytes
import ListState

/// The contents of a list, to which changes are applied in the most direct way.
///
/// Contents are in canonical form, so that equal JSON values have equal bytes.
struct ReferenceList {
  struct Section: Equatable {
    var own: [UInt8]
    var rows: [[UInt8]]
  }

  var sections: [Section]

  /// The counts of the changes applied so far.
  var counts = ReferenceCounts()

  /// The contents that changes have. Others are unknown.
  var content = OpContents.new

  /// The content of a row or a section that a change did not have.
  static let unknown: [UInt8] = []

  /// Creates the list of a snapshot whose contents are written in some form.
  init(_ snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)) {
    let starts = snapshot.rowStarts
    sections = snapshot.sections.indices.map { section in
      Section(
        own: Self.own(snapshot.bytes(of: snapshot.sections[section].own)),
        rows: (Int(starts[section])..<Int(starts[section + 1])).map {
          Self.row($0, of: snapshot, form)
        })
    }
  }

  /// Creates a list from the sections of an answer.
  init(sections: Value) { self.sections = (sections.elements ?? []).map(Self.section) }

  /// Creates the list of a snapshot, with items instead of rows.
  init(itemsOf snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)) {
    sections = snapshot.sections.indices.map { section in
      Section(
        own: Self.own(snapshot.bytes(of: snapshot.sections[section].own)),
        rows: snapshot.arrangement.range(ofSection: section).map {
          Self.item($0, of: snapshot, form)
        })
    }
  }

  /// Returns a row of a snapshot in canonical form.
  static func row(
    _ row: Int, of snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)
  ) -> [UInt8] {
    let writer = SnapshotWriter(snapshot: snapshot, form: form)
    return normalized(canonical { writer.appendRow(row, to: &$0) })
  }

  /// Returns an item of a snapshot in canonical form.
  static func item(
    _ item: Int, of snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)
  ) -> [UInt8] {
    let writer = SnapshotWriter(snapshot: snapshot, form: form)
    return normalized(canonical { writer.appendItem(item, to: &$0) })
  }

  /// Returns the canonical form of what `write` appends.
  private static func canonical(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var text = ByteBuffer()
    write(&text)
    return text.shared().withBytes { canonical($0) }
  }

  static func canonical(_ value: [UInt8]) -> [UInt8] {
    SharedBytes(copying: value).withBytes { canonical($0) }
  }

  static func canonical(_ value: UnsafeRawBufferPointer) -> [UInt8] {
    var form = JSONCanonical()
    var result = ByteBuffer()
    form.append(value, to: &result)
    return result.withUnsafeBytes { Array($0) }
  }

  /// Returns a row in canonical form.
  static func row(_ value: Value?) -> [UInt8] {
    value.map { normalized(canonical($0.bytes)) } ?? unknown
  }

  /// Reports whether both are the same list, as far as the contents are known.
  func isSame(as other: ReferenceList) -> Bool {
    func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool { a == Self.unknown || a == b }
    return sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { section, other in
        isSame(section.own, other.own) && section.rows.count == other.rows.count
          && zip(section.rows, other.rows).allSatisfy(isSame)
      }
  }

  /// Replaces an item or a part that is an array by an empty object, in a row in canonical form.
  static func normalized(_ row: [UInt8]) -> [UInt8] {
    let part = Array("\"$part\":[]}".utf8)
    if row == [0x5B, 0x5D] { return [0x7B, 0x7D] }
    guard row.suffix(part.count).elementsEqual(part) else { return row }
    return row.dropLast(3) + [0x7B, 0x7D, 0x7D]
  }

  /// Returns the own members of a section in canonical form. A header or footer that is null is
  /// absent.
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

  /// Reads a section of an answer, with or without items.
  static func section(_ value: Value) -> Section {
    let items = value.members?.last { $0.name == "items" }?.value
    return Section(
      own: own(value.bytes), rows: (items?.elements ?? []).map { row($0) })
  }
}

/// The numbers of rows and sections that are deleted, inserted, moved and updated.
struct ReferenceCounts: Equatable {
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

  mutating func add(_ other: ReferenceCounts) {
    rows.add(other.rows)
    sections.add(other.sections)
  }
}

/// An answer is wrong.
struct InvariantViolation: Error {
  var message: String
}
