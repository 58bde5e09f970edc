import ByteBuffers
import JSONBytes
import ListState

extension JournalRecord {
  private enum Member: String {
    case list, revision, sections, selection, cursor, anchor, extended, sources, view, windowItem
    case expanded, collapsed, removed, templates, `for`, textRevision
  }

  /// Reads the next value as a record. Unknown members are ignored.
  init(_ reader: inout JSONReader) throws {
    var ranges = [Member: Range<Int>](minimumCapacity: 16)
    try reader.openObject()
    while let name = try reader.nextMember() {
      let member = Member(rawValue: String(decoding: reader.bytes(name), as: UTF8.self))
      let range = try reader.skip()
      if let member { ranges[member] = range }
    }
    let values = JournalValues(reader)
    if let list = ranges[.removed] {
      let revision = try values.number(ranges[.revision])
      self = .removed(list: try values.text(list), revision: revision)
    } else if let list = ranges[.list] {
      var record = ListRecord(
        name: try values.text(list), revision: try values.number(ranges[.revision]))
      record.sections = ranges[.sections].map { .json($0) }
      record.sources = try ranges[.sources].map(values.names)
      record.view = ranges[.view].map { Array(reader.bytes($0)) }
      record.windowItem = try ranges[.windowItem].map(values.number)
      record.expanded = try values.runs(ranges[.expanded])
      record.collapsed = try values.runs(ranges[.collapsed])
      record.marks.selected = try values.runs(ranges[.selection])
      record.marks.anchor = try ranges[.anchor].map(values.number)
      record.marks.extended = try values.runs(ranges[.extended])
      record.marks.cursor = try ranges[.cursor].map(values.number)
      self = .list(record)
    } else if let templates = ranges[.templates] {
      self = .templates(try values.texts(templates), list: try ranges[.for].map(values.text))
    } else {
      self = .textRevision(try values.number(ranges[.textRevision]))
    }
  }
}

/// Reads values inside journal records by their ranges.
struct JournalValues {
  private let reader: JSONReader

  /// The numbers that journals can have.
  private static let numbers = 0...1 << 53

  init(_ reader: JSONReader) { self.reader = reader }

  func number(_ range: Range<Int>?) throws -> Int {
    guard let number = range.flatMap({ JSONNumber(reader.bytes($0)).integer }),
      Self.numbers.contains(number)
    else { throw JournalRestorer.Unreadable() }
    return number
  }

  func text(_ range: Range<Int>) throws -> [UInt8] {
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    var bytes: [UInt8] = []
    reader.decode(try reader.string(), into: &bytes)
    return bytes
  }

  /// Returns the members of an object of texts.
  func texts(_ range: Range<Int>) throws -> [[UInt8]: [UInt8]] {
    var texts: [[UInt8]: [UInt8]] = [:]
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openObject()
    while let member = try reader.nextMember() {
      var name: [UInt8] = []
      reader.decode(member, into: &name)
      texts[name] = try text(try reader.skip())
    }
    return texts
  }

  /// Returns the names of sources, which must be distinct.
  func names(_ range: Range<Int>) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openArray()
    while try reader.nextElement() {
      let name = try text(try reader.skip())
      guard known.insert(name).inserted else { throw JournalRestorer.Unreadable() }
      names.append(name)
    }
    guard names.count == 1 || !names.contains(where: { $0.contains(0x2F) }) else {
      throw JournalRestorer.Unreadable()
    }
    return names
  }

  /// Returns an array of ranges; empty if it is missing.
  func runs(_ range: Range<Int>?) throws -> [Range<Int>] {
    guard let range else { return [] }
    var runs: [Range<Int>] = []
    var reader = reader.moved(to: range.lowerBound, depth: 0)
    try reader.openArray()
    while try reader.nextElement() {
      guard let run = run(try reader.skip()) else { throw JournalRestorer.Unreadable() }
      runs.append(run)
    }
    return runs
  }

  /// Returns the range of a start and a count; `nil` for anything else, such as an item.
  func run(_ range: Range<Int>) -> Range<Int>? {
    let bytes = reader.bytes(range)
    guard bytes.count >= 5, bytes[0] == 0x5B,
      let comma = Bytes.firstIndex(of: 0x2C, in: bytes, from: 0),
      let start = Int(String(decoding: bytes[1..<comma], as: UTF8.self)),
      let count = Int(String(decoding: bytes[(comma + 1)...].dropLast(), as: UTF8.self)),
      Self.numbers.contains(start), Self.numbers.contains(count)
    else { return nil }
    return start..<start + count
  }
}
