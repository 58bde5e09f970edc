import ByteBuffers
import JSONBytes
import JSONRPC

/// A recording of one or more sessions on the same lists: the messages of all sides, in order.
package struct RecordedSession {
  /// The title of the recording.
  package private(set) var title: String?

  /// The options that the daemon was started with.
  package private(set) var options: [String] = []

  /// The line with the changes that restore the lists that the daemon started with, and the ranges
  /// of these changes.
  private(set) var journal: (line: SharedBytes, changes: [Range<Int>])?

  package private(set) var entries: [Entry] = []

  /// The bytes of the line with title and options; empty if there is none.
  package private(set) var titleLine: [UInt8] = []

  /// The number of the last line if that was cut off; the line is ignored.
  package private(set) var tornLine: Int?

  /// A line of the record.
  package struct Entry {
    /// The number of the line, counted from 1.
    package var line: Int

    /// The time in milliseconds since the start of the session.
    package var at: Int

    /// The number of the client's connection, counted from 1.
    package var connection = 1
    package var event: Event

    /// The bytes of the line.
    package var text: SharedBytes
  }

  /// What was received, sent, or done.
  package enum Event {
    case client(Frame, isLast: Bool)
    case connection(ConnectionEvent)
    case server(SharedBytes)
  }

  /// Why a file is not a record.
  package struct Problem: Error {
    package var line: Int
    package var words: String
  }

  private static let members = MemberKeys(
    "at", "from", "message", "raw", "last", "header", "bytes", "connection")
  private enum Member: Int { case at, from, message, raw, last, header, bytes, connection }
  private static let eventMember = MemberKeys("event")
  private static let storyMembers = MemberKeys("title", "options", "journal")
  private enum StoryMember: Int { case title, options, journal }

  /// Values that a client nested as deeply as allowed are nested more deeply in a line.
  static let depth = -64

  /// Reads a record. A last line that was cut off is ignored.
  package init(_ record: SharedBytes) throws(Problem) {
    let bytes = record.bytes
    defer { withExtendedLifetime(record) {} }
    var start = 0
    var number = 0
    while start < bytes.count {
      number += 1
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: start)
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
      start = (end ?? bytes.count) + 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do { try read(SharedBytes(copying: line), number) } catch {
        guard end == nil, number > 1 else { throw error }
        tornLine = number
      }
    }
  }

  private mutating func read(_ line: SharedBytes, _ number: Int) throws(Problem) {
    func problem(_ words: String) -> Problem { Problem(line: number, words: words) }
    var reader = JSONReader(line.bytes, from: 0, depth: Self.depth)
    var found = MemberRanges()
    do throws(JSONError) {
      _ = try reader.object(seeking: Self.members, into: &found)
      try reader.end()
    } catch { throw problem("not a JSON object: \(error)") }
    guard let side = found[Member.from] else {
      guard entries.isEmpty, title == nil, readStory(line) else {
        throw problem("neither a message nor the title of a session")
      }
      return
    }
    let at = found[Member.at].flatMap { JSONNumber(reader.bytes($0)).integer } ?? 0
    let connection = found[Member.connection].map { JSONNumber(reader.bytes($0)).integer ?? 0 } ?? 1
    guard connection > 0 else { throw problem("\"connection\" is a number from 1") }
    let event: Event
    if let message = found[Member.message] {
      let message = SharedBytes(copying: reader.bytes(message))
      switch String(decoding: reader.bytes(side), as: UTF8.self) {
      case "\"client\"": event = .client(.message(message), isLast: false)
      case "\"server\"": event = .server(message)
      default: throw problem("\"from\" is \"client\" or \"server\"")
      }
    } else if let length = found[Member.bytes].flatMap({ JSONNumber(reader.bytes($0)).integer }) {
      event = .client(.tooLarge(bytes: length), isLast: false)
    } else if let raw = found[Member.raw],
      let bytes = Base64.bytes(of: reader.bytes(raw).dropFirst().dropLast())
    {
      let bytes = SharedBytes(copying: bytes)
      let header = found[Member.header].flatMap {
        HeaderProblem(
          rawValue: String(decoding: reader.bytes($0).dropFirst().dropLast(), as: UTF8.self))
      }
      event = .client(
        header.map { .broken($0, bytes) } ?? .message(bytes), isLast: found[Member.last] != nil)
    } else {
      var line = reader.moved(to: 0, depth: Self.depth)
      var members = MemberRanges()
      _ = try? line.object(seeking: Self.eventMember, into: &members)
      guard let name = members[0] else {
        throw problem("a line has a \"message\", \"raw\" bytes in Base64, or an \"event\"")
      }
      guard let known = ConnectionEvent(rawValue: text(of: name, in: reader) ?? "") else {
        throw problem("\"event\" is \"stops\", \"reads\" or \"leaves\"")
      }
      event = .connection(known)
    }
    entries.append(
      Entry(line: number, at: at, connection: connection, event: event, text: line))
  }

  private mutating func readStory(_ line: SharedBytes) -> Bool {
    var reader = JSONReader(line.bytes, from: 0, depth: Self.depth)
    var found = MemberRanges()
    guard (try? reader.object(seeking: Self.storyMembers, into: &found)) != nil,
      let title = found[StoryMember.title].flatMap({ text(of: $0, in: reader) })
    else { return false }
    self.title = title
    titleLine = Array(line.bytes) + [0x0A]
    guard
      let options = elements(of: found[StoryMember.options], in: reader)?.map({
        text(of: $0, in: reader)
      }),
      !options.contains(nil), let changes = elements(of: found[StoryMember.journal], in: reader)
    else { return false }
    self.options = options.compactMap(\.self)
    if !changes.isEmpty { journal = (line, changes) }
    return true
  }

  /// Returns the ranges of the elements of an array; `nil` for anything else.
  private func elements(of range: Range<Int>?, in reader: JSONReader) -> [Range<Int>]? {
    guard let range else { return [] }
    var list = reader.moved(to: range.lowerBound, depth: Self.depth)
    var elements: [Range<Int>] = []
    do throws(JSONError) {
      try list.openArray()
      while try list.nextElement() { elements.append(try list.skip()) }
    } catch { return nil }
    return elements
  }

  private func text(of range: Range<Int>, in reader: JSONReader) -> String? {
    var moved = reader.moved(to: range.lowerBound, depth: 1)
    guard let string = try? moved.string() else { return nil }
    var bytes: [UInt8] = []
    reader.decode(string, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
