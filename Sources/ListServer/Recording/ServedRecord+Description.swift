import JSONBytes

extension ServedRecord.Difference {
  /// The difference for people, in lines.
  package var lines: [String] {
    let heading =
      switch (recorded, received) {
      case (nil, _): "the record has no more messages"
      case (_, nil): "the client has not sent the next message"
      default: "the client has sent another message"
      }
    var lines = [heading]
    if !pointer.isEmpty { lines.append("  at        \(pointer)") }
    if let recorded { lines.append("  recorded  " + Replay.Difference.text(recorded, around: nil)) }
    if let received { lines.append("  received  " + Replay.Difference.text(received, around: nil)) }
    return lines
  }
}
