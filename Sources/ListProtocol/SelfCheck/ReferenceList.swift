import ByteBuffers
import JSONBytes
import ListDiff
import ListState

/// The contents of a list, to which changes are applied in the most direct way.
///
/// Contents are in canonical form, so that equal JSON values have equal bytes.
struct ReferenceList {
  struct Section: Equatable {
    /// The own members by name; `nil` if a change did not have them. A header or footer that is null
    /// is absent.
    var own: [[UInt8]: [UInt8]]?
    var rows: [[UInt8]]
  }

  var sections: [Section]

  /// The counts of the changes applied so far.
  var counts = ReferenceCounts()

  /// The contents that changes have. Others are unknown.
  var content = OpContents.new

  /// The content of a row that a change did not have.
  static let unknown: [UInt8] = []

  /// Creates the list of a snapshot whose contents are written in some form.
  init(_ snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)) {
    let contents = ContentWriter(ListRows(snapshot), form)
    self.init(snapshot) { section in
      (snapshot.rowStarts[section]..<snapshot.rowStarts[section + 1])
        .map { Self.row(Int($0), contents) }
    }
  }

  /// Creates the list of a snapshot, with items instead of rows.
  init(itemsOf snapshot: Snapshot, _ form: ContentForm = ContentForm(singleLine: false)) {
    let contents = ContentWriter(ListRows(snapshot), form)
    self.init(snapshot) { section in
      snapshot.arrangement.range(ofSection: section).map { Self.item($0, contents) }
    }
  }

  private init(_ snapshot: Snapshot, rows: (_ section: Int) -> [[UInt8]]) {
    sections = snapshot.sections.indices.map { index in
      let own = snapshot.bytes(of: snapshot.sections[index].own)
      var section = Self.section(Value(SharedBytes(copying: own)))
      section.rows = rows(index)
      return section
    }
  }

  /// Creates a list from the sections of an answer.
  init(sections: Value) { self.sections = (sections.elements ?? []).map(Self.section) }

  /// Returns a row of a list in canonical form.
  static func row(_ row: Int, _ contents: ContentWriter) -> [UInt8] {
    normalized(canonical { contents.appendRow(row, to: &$0) })
  }

  /// Returns an item of a list in canonical form.
  static func item(_ item: Int, _ contents: ContentWriter) -> [UInt8] {
    normalized(canonical { contents.appendItem(item, to: &$0) })
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
    sections.count == other.sections.count
      && zip(sections, other.sections).allSatisfy { section, other in
        (section.own == nil || section.own == other.own)
          && section.rows.count == other.rows.count
          && zip(section.rows, other.rows).allSatisfy { $0 == Self.unknown || $0 == $1 }
      }
  }

  /// Replaces an item or a part that is an array by an empty object, in a row in canonical form.
  static func normalized(_ row: [UInt8]) -> [UInt8] {
    let part = Array("\"$part\":[]}".utf8)
    if row == [0x5B, 0x5D] { return [0x7B, 0x7D] }
    guard row.suffix(part.count).elementsEqual(part) else { return row }
    return row.dropLast(3) + [0x7B, 0x7D, 0x7D]
  }

  /// Reads a section of an answer, with or without items.
  static func section(_ value: Value) -> Section {
    var own: [[UInt8]: [UInt8]] = [:]
    var rows: [[UInt8]] = []
    for (name, value) in value.members ?? [] {
      if name == "items" {
        rows = (value.elements ?? []).map { row($0) }
      } else {
        let isAbsent = value.kind == .null && (name == "header" || name == "footer")
        own[Array(name.utf8)] = isAbsent ? nil : canonical(value.bytes)
      }
    }
    return Section(own: own, rows: rows)
  }
}

/// The numbers of rows and sections that are deleted, inserted, moved and updated.
struct ReferenceCounts: Equatable {
  var rows = Counts()
  var sections = Counts()
}

/// An answer is wrong.
struct InvariantViolation: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// Checks what must be true of a correct answer.
func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) throws(InvariantViolation) {
  if !isTrue { throw InvariantViolation(message()) }
}

/// Returns what a correct answer must have.
func expect<Wanted>(
  _ value: Wanted?, _ message: @autoclosure () -> String
) throws(InvariantViolation) -> Wanted {
  guard let value else { throw InvariantViolation(message()) }
  return value
}
