import ByteBuffers
import JSONBytes
import JSONRPC

extension RecordedSession {
  /// Returns the session for people, with escaped control characters: its title, then each message
  /// with its time and direction.
  package func description(width: Int = 96) -> String {
    var lines: [String] = []
    if let title { lines.append(title) }
    if !options.isEmpty { lines.append("options: " + options.joined(separator: " ")) }
    if let journal {
      lines.append("the lists at the start, as a journal had them:")
      for change in journal.changes {
        let bytes = UnsafeRawBufferPointer(rebasing: journal.line.bytes[change])
        lines += Self.pretty(bytes, width - 2).map { "  " + $0 }
      }
    }
    if !lines.isEmpty { lines.append("") }
    for entry in entries {
      let time = String(repeating: " ", count: max(0, 7 - "\(entry.at)".count)) + "\(entry.at)"
      let (arrow, content) =
        switch entry.event {
        case .server(let message): ("<-", Self.pretty(message, width - 11))
        case .client(.message(let message), _): ("->", Self.pretty(message, width - 11))
        case .client(.broken(let problem, let bytes), _):
          ("->", Self.raw(bytes) + ["(\(problem.rawValue))"])
        case .client(.tooLarge(let bytes), _): ("->", ["(a message of \(bytes) bytes)"])
        case .client(.unterminated, _): ("->", ["(the input ended)"])
        case .connection(let event): ("->", ["(\(event.rawValue))"])
        }
      let client = entry.connection > 1 ? "\(entry.connection) " : ""
      for (index, line) in content.enumerated() {
        lines.append(
          (index == 0 ? "\(time) \(client)\(arrow) " : String(repeating: " ", count: 11)) + line)
      }
    }
    return lines.map(\.printable).joined(separator: "\n") + "\n"
  }

  private static func raw(_ bytes: SharedBytes) -> [String] {
    [String(decoding: bytes.bytes, as: UTF8.self).debugDescription]
  }

  private static func pretty(_ message: SharedBytes, _ width: Int) -> [String] {
    guard (try? Message.read(message.bytes)) != nil else { return raw(message) }
    return pretty(message.bytes, width)
  }

  /// Formats a value that was checked when the record was read.
  private static func pretty(_ value: UnsafeRawBufferPointer, _ width: Int) -> [String] {
    var reader = JSONReader(value, from: 0, depth: depth)
    var lines = [""]
    do throws(JSONError) { try append(&reader, indent: 0, width, &lines) } catch {
      preconditionFailure("a message that was not checked")
    }
    return lines
  }

  /// Appends a value: on the last line if it fits, otherwise with a line for each member or
  /// element.
  private static func append(
    _ reader: inout JSONReader, indent: Int, _ width: Int, _ lines: inout [String]
  ) throws(JSONError) {
    let kind = try reader.peek()
    let before = reader
    let range = try reader.skip()
    let room = width - lines[lines.count - 1].count
    guard range.count > room, kind == .object || kind == .array else {
      lines[lines.count - 1] += String(decoding: reader.bytes(range), as: UTF8.self)
      return
    }
    let margin = String(repeating: " ", count: indent + 2)
    var inside = before
    var isFirst = true
    func begin(_ lines: inout [String], _ text: String) {
      if !isFirst { lines[lines.count - 1] += "," }
      isFirst = false
      lines.append(margin + text)
    }
    lines[lines.count - 1] += kind == .object ? "{" : "["
    if kind == .object {
      try inside.openObject()
      while let name = try inside.nextMember() {
        begin(&lines, "\"\(String(decoding: inside.bytes(name.range), as: UTF8.self))\": ")
        try append(&inside, indent: indent + 2, width, &lines)
      }
    } else {
      try inside.openArray()
      while try inside.nextElement() {
        begin(&lines, "")
        try append(&inside, indent: indent + 2, width, &lines)
      }
    }
    lines.append(String(repeating: " ", count: indent) + (kind == .object ? "}" : "]"))
  }
}
