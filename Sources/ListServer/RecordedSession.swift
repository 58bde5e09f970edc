import JSONBytes
import JSONRPC

/// Sessions on the same lists as they were recorded: their story, and the messages of all sides in
/// their order.
package struct RecordedSession {
  /// What the session is about.
  package private(set) var title: String?

  /// The options with which the daemon is to be started.
  package private(set) var options: [String] = []

  /// The line with the changes that made the lists what they were at the start, and where in it
  /// each change is.
  private(set) var journal: (line: SharedBytes, changes: [Range<Int>])?

  package private(set) var entries: [Entry] = []

  /// The line with title and options, and its end; empty where there is none.
  package private(set) var story: [UInt8] = []

  /// The number of the last line where that was cut short; it is passed over.
  package private(set) var tornLine: Int?

  /// A line of the record.
  package struct Entry {
    /// The number of the line, from 1.
    package var line: Int

    /// When it was, in milliseconds after the session's start.
    package var at: Int

    /// The number of the client's connection, from 1.
    package var connection = 1
    package var event: Event

    /// The bytes of the line.
    package var text: SharedBytes
  }

  /// What a line says that came or was sent.
  package enum Event {
    case client(Frame, isLast: Bool)
    case connection(ConnectionEvent)
    case server(SharedBytes)
  }

  /// Why bytes are no record of a session.
  package struct Problem: Error {
    package var line: Int
    package var words: String
  }

  private static let members = SoughtMembers(
    "at", "from", "message", "raw", "last", "header", "bytes", "connection")
  private static let eventMember = SoughtMembers("event")
  private static let storyMembers = SoughtMembers("title", "options", "journal")

  /// What a client nested as deeply as it may is deeper in a line.
  static let depth = -64

  /// Reads a record.
  ///
  /// A last line that was cut short is passed over.
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
    var found = FoundMembers()
    do throws(JSONError) {
      _ = try reader.object(seeking: Self.members, into: &found)
      try reader.end()
    } catch { throw problem("no JSON object: \(error)") }
    guard let side = found[1] else {
      guard entries.isEmpty, title == nil, readStory(line) else {
        throw problem("neither a message nor the title of a session")
      }
      return
    }
    let at = found[0].flatMap { JSONNumber(reader.bytes($0)).integer } ?? 0
    let connection = found[7].map { JSONNumber(reader.bytes($0)).integer ?? 0 } ?? 1
    guard connection > 0 else { throw problem("\"connection\" is a number from 1") }
    let event: Event
    if let message = found[2] {
      let message = SharedBytes(copying: reader.bytes(message))
      switch String(decoding: reader.bytes(side), as: UTF8.self) {
      case "\"client\"": event = .client(.message(message), isLast: false)
      case "\"server\"": event = .server(message)
      default: throw problem("\"from\" is \"client\" or \"server\"")
      }
    } else if let length = found[6].flatMap({ JSONNumber(reader.bytes($0)).integer }) {
      event = .client(.tooLarge(bytes: length), isLast: false)
    } else if let raw = found[3],
      let bytes = Base64.bytes(of: reader.bytes(raw).dropFirst().dropLast())
    {
      let bytes = SharedBytes(copying: bytes)
      let header = found[5].flatMap {
        HeaderProblem(
          rawValue: String(decoding: reader.bytes($0).dropFirst().dropLast(), as: UTF8.self))
      }
      event = .client(header.map { .broken($0, bytes) } ?? .message(bytes), isLast: found[4] != nil)
    } else {
      var line = reader.moved(to: 0, depth: Self.depth)
      var members = FoundMembers()
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
    var found = FoundMembers()
    guard (try? reader.object(seeking: Self.storyMembers, into: &found)) != nil,
      let title = found[0].flatMap({ text(of: $0, in: reader) })
    else { return false }
    self.title = title
    story = Array(line.bytes) + [0x0A]
    guard let options = elements(of: found[1], in: reader)?.map({ text(of: $0, in: reader) }),
      !options.contains(nil), let changes = elements(of: found[2], in: reader)
    else { return false }
    self.options = options.compactMap(\.self)
    if !changes.isEmpty { journal = (line, changes) }
    return true
  }

  /// Where the elements of an array are; `nil` for anything else.
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
