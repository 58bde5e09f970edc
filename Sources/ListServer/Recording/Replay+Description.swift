import ByteBuffers
import JSONBytes

extension Replay.Difference {
  /// The difference for people, in a few lines, with escaped control characters.
  package var description: String {
    var lines: [String] = []
    if let request { lines.append("  asked     " + Self.text(request, around: nil)) }
    switch (recorded, answered) {
    case (let recorded?, let answered?):
      if let pointer = location?.pointer, !pointer.isEmpty {
        lines.append("  at        \(pointer)")
      }
      lines.append("  recorded  " + Self.text(recorded, around: location?.first))
      lines.append("  answered  " + Self.text(answered, around: location?.second))
    case (let recorded?, nil):
      lines.append("  recorded  " + Self.text(recorded, around: nil))
      lines.append("  answered  nothing")
    case (nil, let answered?):
      lines.append("  recorded  nothing")
      lines.append("  answered  " + Self.text(answered, around: nil))
    case (nil, nil): break
    }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// The number of bytes of a message that are shown.
  private static let width = 160

  /// Returns a message, or if it is long, the part around a range.
  static func text(_ message: SharedBytes, around location: Range<Int>?) -> String {
    let bytes = message.bytes
    guard bytes.count > width * 2 else { return String(decoding: bytes, as: UTF8.self) }
    let middle = location?.lowerBound ?? 0
    var start = max(0, min(middle - width / 2, bytes.count - width))
    var end = min(bytes.count, start + width)
    // Characters are not split.
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return (start > 0 ? "… " : "") + String(decoding: bytes[start..<end], as: UTF8.self)
      + (end < bytes.count ? " … (\(bytes.count) bytes)" : "")
  }
}
