import class JSONBytes.SharedBytes

extension Snapshot {
  /// As many bytes of others may lie around texts, whatever the texts' own size.
  private static let smallWaste = 1 << 20

  /// Lets go of the buffers in which none of its texts is, and puts the texts together where most
  /// of what the others hold is something else.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of rows and sections and *b* that of buffers;
  ///   of texts put together O(*t*), where *t* is their size, at most that of what is let go.
  mutating func tidyBuffers() {
    guard !buffers.isEmpty else { return }
    dropUnusedBuffers()
    let used = textSize
    let held = buffers.reduce(0) { $0 + $1.count }
    if held - used > used + Self.smallWaste, used <= Int(UInt32.max) { putTogether(used) }
  }

  /// Copies the texts into a buffer of their own, if they fit one.
  ///
  /// - Complexity: O(*n* + *t*), where *n* is the number of rows and sections and *t* the size of their
  ///   texts.
  mutating func copyTexts() {
    let size = textSize
    if size <= Int(UInt32.max) { putTogether(size) }
  }

  /// The same snapshot with other texts of its items, in buffers of their own. The text of a part stays as
  /// far from the start of its item's.
  ///
  /// - Complexity: O(*t*), where *t* is the size of the texts.
  package func replacingTexts(_ text: (Int) -> [UInt8]) -> Snapshot {
    var result = self
    var texts: [UInt8] = []
    func endBuffer() {
      result.buffers.append(SharedBytes(copying: texts))
      texts = []
    }
    for item in payloads.indices {
      if texts.count >= Self.bufferSize { endBuffer() }
      let start = texts.count
      texts += text(item)
      result.payloads[item] = Payload(
        start: start, length: texts.count - start, buffer: result.buffers.count)
    }
    endBuffer()
    let moved = result.payloads
    result.parts?.changePayloads { item, payload in
      payload.start = payload.start - payloads[item].start + moved[item].start
      payload.buffer = moved[item].buffer
    }
    result.depth = 0
    result.tidyBuffers()
    return result
  }

  /// The most bytes that a buffer has before another one is begun.
  private static let bufferSize = 1 << 30

  private var textSize: Int {
    var size = sections.reduce(0) { $0 + Int($1.own.length) }
    for payload in payloads { size += Int(payload.length) }
    return size
  }

  private mutating func dropUnusedBuffers() {
    var numbers = [UInt32](repeating: .max, count: buffers.count)
    for section in sections { numbers[Int(section.own.buffer)] = 0 }
    for payload in payloads { numbers[Int(payload.buffer)] = 0 }
    guard numbers.contains(.max) else { return }
    // Texts in other buffers may have nothing between them.
    if numbers[0] == .max { depth = 0 }
    var used: [SharedBytes] = []
    for (place, number) in numbers.enumerated() where number == 0 {
      numbers[place] = UInt32(truncatingIfNeeded: used.count)
      used.append(buffers[place])
    }
    buffers = used
    func renumber(_ payload: inout Payload) { payload.buffer = numbers[Int(payload.buffer)] }
    for section in sections.indices { renumber(&sections[section].own) }
    for item in payloads.indices { renumber(&payloads[item]) }
    parts?.changePayloads { _, payload in renumber(&payload) }
  }

  private mutating func putTogether(_ size: Int) {
    var texts: [UInt8] = []
    texts.reserveCapacity(size)
    let before = self
    func take(_ payload: Payload) -> Payload {
      let start = texts.count
      texts.append(contentsOf: before.bytes(of: payload))
      return Payload(start: start, length: Int(payload.length), buffer: 0)
    }
    for section in sections.indices { sections[section].own = take(sections[section].own) }
    for item in payloads.indices { payloads[item] = take(payloads[item]) }
    let payloads = payloads
    // The text of a part is in that of its item.
    parts?.changePayloads { item, payload in
      payload.start = payload.start - before.payloads[item].start + payloads[item].start
      payload.buffer = 0
    }
    buffers = [SharedBytes(copying: texts)]
    depth = 0
  }
}
