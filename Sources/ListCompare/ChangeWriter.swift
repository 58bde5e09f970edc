import ByteBuffers
import JSONBytes

/// The formats of changes for programs.
package enum ChangeFormat: String, CaseIterable, Sendable {
  /// One JSON document.
  case json
  /// A JSON object on a line for each change.
  case ndjson
  /// A record for each changed field.
  case csv
}

extension Comparison {
  /// Appends all changes in a format. Calls `flush` after each.
  package func append(
    _ format: ChangeFormat, named names: (old: String, new: String), to output: inout ByteBuffer,
    flush: (inout ByteBuffer) -> Void
  ) {
    var count = 0
    if format == .json { appendHead(names, to: &output) }
    if format == .csv { output.append("op,key,from,to,field,old,new\n") }
    forEachChange { change in
      if format == .csv {
        output.append(csv: change)
      } else {
        if format == .json { output.append(count == 0 ? "\n" : ",\n") }
        output.append(json: change)
        if format == .ndjson { output.append("\n") }
      }
      count += 1
      flush(&output)
    }
    if format == .json { output.append("\n]}\n") }
  }

  private func appendHead(_ names: (old: String, new: String), to output: inout ByteBuffer) {
    output.append("{\"old\":")
    output.append(string: names.old)
    output.append(",\"new\":")
    output.append(string: names.new)
    let counts = counts
    output.append(",\"counts\":{\"deleted\":")
    output.append(decimal: counts.deleted)
    output.append(member: "inserted", counts.inserted)
    output.append(member: "moved", counts.moved)
    output.append(member: "changed", counts.changed)
    output.append("},\"changes\":[")
  }
}

extension ByteBuffer {
  /// Appends a change as a JSON object.
  fileprivate mutating func append(json change: ReportedChange) {
    append("{\"op\":")
    append(string: change.operation.rawValue)
    if let part = change.part { append(member: "part", string: part.rawValue) }
    if let key = change.key {
      append(member: "key")
      append(json: .values(key))
    }
    if let from = change.from { append(member: "from", from) }
    if let to = change.to { append(member: "to", to) }
    if change.isMoved { append(member: "moved", true) }
    for (name, value) in [
      ("fromSection" as StaticString, change.oldSection), ("toSection", change.newSection),
      ("old", change.old), ("new", change.new),
    ] {
      guard let value else { continue }
      append(member: name)
      append(json: value)
    }
    if !change.shown.isEmpty {
      append(",\"show\":{")
      for (index, shown) in change.shown.enumerated() {
        if index > 0 { append(",") }
        append(string: shown.name)
        append(":")
        append(json: shown.value)
      }
      append("}")
    }
    guard change.operation == .change, change.part != .section else { return append("}") }
    append(",\"fields\":{")
    for (index, field) in change.fields.enumerated() {
      if index > 0 { append(",") }
      append(string: field.name)
      append(":[")
      append(json: field.old)
      append(",")
      append(json: field.new)
      append("]")
    }
    append("}}")
  }

  /// Appends a value as JSON. Text that is not UTF-8 is an object with its bytes in Base64.
  private mutating func append(json value: ReportedValue?) {
    switch value {
    case nil: append("null")
    case .json(let bytes):
      var compact: [UInt8] = []
      compact.append(compact: bytes)
      append(contentsOf: compact)
    case .text(let text): append(json: text)
    case .values(let values):
      append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { append(",") }
        append(json: value)
      }
      append("]")
    case .row(let columns, let fields):
      append(columns.isEmpty ? "[" : "{")
      for (index, field) in fields.enumerated() {
        if index > 0 { append(",") }
        if !columns.isEmpty {
          append(string: index < columns.count ? columns[index] : "\(index + 1)")
          append(":")
        }
        append(json: field)
      }
      append(columns.isEmpty ? "]" : "}")
    }
  }

  private mutating func append(json text: [UInt8]) {
    text.withUnsafeBytes { bytes in
      guard Bytes.firstInvalidUTF8(in: bytes) != nil else { return append(string: bytes) }
      append("{\"text\":")
      append(string: String(decoding: bytes, as: UTF8.self))
      append(",\"bytes\":\"")
      append(base64: bytes)
      append("\"}")
    }
  }

  /// Appends a change as records of CSV: one for each field that differs, or one.
  fileprivate mutating func append(csv change: ReportedChange) {
    if change.fields.isEmpty { append(csv: change, "", change.old, change.new) }
    for field in change.fields { append(csv: change, field.name, field.old, field.new) }
  }

  private mutating func append(
    csv change: ReportedChange, _ field: String, _ old: ReportedValue?, _ new: ReportedValue?
  ) {
    append(contentsOf: change.operation.rawValue.utf8)
    append(",")
    let key = change.key?.map { Self.plain($0) } ?? [Array((change.part?.rawValue ?? "").utf8)]
    append(csvField: Array(key.joined(separator: ",".utf8)))
    for number in [change.from, change.to] {
      append(",")
      if let number { append(decimal: number) }
    }
    append(",")
    append(csvField: Array(field.utf8))
    for value in [old, new] {
      append(",")
      if let value { append(csvField: Self.plain(value)) }
    }
    append("\n")
  }

  /// A value as text: a string without its quotation marks, another JSON value on one line.
  private static func plain(_ value: ReportedValue) -> [UInt8] {
    switch value {
    case .json(let bytes): return Array(JSONText.plain(bytes).utf8)
    case .text(let text): return text
    case .values(let values): return Array(values.map { plain($0) }.joined(separator: ",".utf8))
    case .row(_, let fields):
      var record = ByteBuffer()
      for (index, field) in fields.enumerated() {
        if index > 0 { record.append(",") }
        record.append(csvField: field)
      }
      return record.withUnsafeBytes { Array($0) }
    }
  }

  /// Appends a field of CSV (RFC 4180).
  private mutating func append(csvField text: [UInt8]) {
    let isPlain = !text.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard !isPlain || text.first == 0x20 || text.last == 0x20 else {
      return append(contentsOf: text)
    }
    append("\"")
    for byte in text {
      if byte == 0x22 { append(byte) }
      append(byte)
    }
    append("\"")
  }
}
