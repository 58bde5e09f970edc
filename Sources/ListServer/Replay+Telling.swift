import JSONBytes

extension Replay.Difference {
  /// What differs, for people, in a few lines; control characters are escaped.
  package var description: String {
    var lines: [String] = []
    if let request { lines.append("  asked     " + Self.text(request, around: nil)) }
    switch (recorded, answered) {
    case (let recorded?, let answered?):
      if let pointer = place?.pointer, !pointer.isEmpty { lines.append("  at        \(pointer)") }
      lines.append("  recorded  " + Self.text(recorded, around: place?.first))
      lines.append("  answered  " + Self.text(answered, around: place?.second))
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

  /// How many bytes of a message are shown.
  private static let width = 160

  /// A message, or where it is long the part around a place.
  static func text(_ message: SharedBytes, around place: Range<Int>?) -> String {
    let bytes = message.bytes
    guard bytes.count > width * 2 else { return String(decoding: bytes, as: UTF8.self) }
    let middle = place?.lowerBound ?? 0
    var start = max(0, min(middle - width / 2, bytes.count - width))
    var end = min(bytes.count, start + width)
    // No character is cut.
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return (start > 0 ? "… " : "") + String(decoding: bytes[start..<end], as: UTF8.self)
      + (end < bytes.count ? " … (\(bytes.count) bytes)" : "")
  }
}
