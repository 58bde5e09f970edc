import ByteBuffers
import ListDiff

extension Snapshot {
  /// The number of unused bytes in buffers that is always tolerated.
  static let smallWaste = 1 << 20

  /// Releases the buffers without texts. If most of the other buffers' bytes are unused, copies the
  /// texts into one buffer.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of rows and sections and *b* the number of
  ///   buffers; O(*t*) for copied texts, where *t* is their size, at most the size of the released
  ///   bytes.
  mutating func tidyBuffers() {
    guard !buffers.isEmpty else { return }
    dropUnusedBuffers()
    let used = textSize
    let held = buffers.reduce(0) { $0 + $1.count }
    if held - used > used + Self.smallWaste, used <= Int(UInt32.max) { copyTexts(ofSize: used) }
  }

  /// Copies the texts into a new buffer, if they fit into one.
  ///
  /// - Complexity: O(*n* + *t*), where *n* is the number of rows and sections and *t* the size of
  ///   their texts.
  mutating func copyTexts() {
    let size = textSize
    if size <= Int(UInt32.max) { copyTexts(ofSize: size) }
  }

  /// Returns the same snapshot with other texts of its items, in new buffers. The text of a part
  /// keeps its distance from the start of its item's text.
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

  /// The size in bytes at which a new buffer is begun.
  private static let bufferSize = 1 << 30

  private var textSize: Int {
    var size = sections.reduce(0) { $0 + Int($1.own.length) }
    for payload in payloads { size += Int(payload.length) }
    return size
  }

  /// For each buffer, whether it has the text of an item.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of items and *b* that of buffers.
  var buffersOfItems: [Bool] {
    var isUsed = [Bool](repeating: false, count: buffers.count)
    var left = buffers.count
    for payload in payloads where !isUsed[Int(payload.buffer)] {
      isUsed[Int(payload.buffer)] = true
      left -= 1
      if left == 0 { break }
    }
    return isUsed
  }

  /// Releases the buffers without texts.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of rows and sections and *b* the number of
  ///   buffers.
  mutating func dropUnusedBuffers() {
    guard !buffers.isEmpty else { return }
    var numbers = [UInt32](repeating: .max, count: buffers.count)
    for section in sections { numbers[Int(section.own.buffer)] = 0 }
    for payload in payloads { numbers[Int(payload.buffer)] = 0 }
    guard numbers.contains(.max) else { return }
    // Texts in other buffers may be adjacent, without separators.
    if numbers[0] == .max { depth = 0 }
    var used: [SharedBytes] = []
    for (index, number) in numbers.enumerated() where number == 0 {
      numbers[index] = UInt32(truncatingIfNeeded: used.count)
      used.append(buffers[index])
    }
    buffers = used
    func renumber(_ payload: inout Payload) { payload.buffer = numbers[Int(payload.buffer)] }
    for section in sections.indices { renumber(&sections[section].own) }
    for item in payloads.indices { renumber(&payloads[item]) }
    parts?.changePayloads { _, payload in renumber(&payload) }
  }

  private mutating func copyTexts(ofSize size: Int) {
    var texts: [UInt8] = []
    texts.reserveCapacity(size)
    let before = self
    func copy(_ payload: Payload) -> Payload {
      let start = texts.count
      texts.append(contentsOf: before.bytes(of: payload))
      return Payload(start: start, length: Int(payload.length), buffer: 0)
    }
    for section in sections.indices { sections[section].own = copy(sections[section].own) }
    for item in payloads.indices { payloads[item] = copy(payloads[item]) }
    let payloads = payloads
    // The text of a part is inside the text of its item.
    parts?.changePayloads { item, payload in
      payload.start = payload.start - before.payloads[item].start + payloads[item].start
      payload.buffer = 0
    }
    buffers = [SharedBytes(copying: texts)]
    depth = 0
  }
}
