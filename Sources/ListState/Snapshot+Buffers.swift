import class JSONBytes.SharedBytes

extension Snapshot {
  /// Lets go of the buffers in which none of its texts is.
  ///
  /// - Complexity: O(*n* + *b*), where *n* is the number of rows and sections and *b* that of buffers.
  mutating func dropUnusedBuffers() {
    guard buffers.count > 1 else { return }
    var numbers = [UInt32](repeating: .max, count: buffers.count)
    for section in sections { numbers[Int(section.own.buffer)] = 0 }
    for payload in payloads { numbers[Int(payload.buffer)] = 0 }
    for payload in parts?.payloads ?? [] { numbers[Int(payload.buffer)] = 0 }
    guard numbers.contains(.max) else { return }
    var used: [SharedBytes] = []
    for (place, number) in numbers.enumerated() where number == 0 {
      numbers[place] = UInt32(truncatingIfNeeded: used.count)
      used.append(buffers[place])
    }
    buffers = used
    for place in sections.indices { sections[place].own.renumber(numbers) }
    for place in payloads.indices { payloads[place].renumber(numbers) }
    parts?.renumberBuffers(numbers)
  }
}

extension Payload {
  /// Gives the buffer the number that stands at its present one.
  mutating func renumber(_ numbers: [UInt32]) { buffer = numbers[Int(buffer)] }
}
