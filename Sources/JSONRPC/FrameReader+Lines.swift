import JSONBytes

extension FrameReader {
  /// Reads the next line with `ndjson` framing.
  mutating func readLine() -> Step {
    if let end = lineEnd() {
      guard let frame = lineFrame(start..<end, next: end + 1) else { return .again }
      return .frame(frame)
    }
    // One more byte than the limit may be the carriage return of the line end.
    let pending = buffer.count - start
    guard pending > limit + 1 else { return .wait }
    var outline = JSONOutline()
    buffer.withUnsafeBytes { outline.pass(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    state = .skippingLine(
      bytes: pending, endsInReturn: buffer[buffer.count - 1] == 0x0D, outline)
    buffer.removeAll(keepingCapacity: false)
    start = 0
    searched = 0
    return .wait
  }

  /// Returns the frame of a line, or nil if it is blank. `next` is the offset of the next line.
  mutating func lineFrame(_ line: Range<Int>, next: Int) -> Frame? {
    let content = withoutReturn(line)
    guard content.count <= limit else {
      start = next
      return .tooLarge(bytes: content.count)
    }
    guard !isBlank(content) else {
      start = next
      return nil
    }
    return .message(take(content, next: next))
  }

  /// Skips more of a line that is too large, of which `bytes` were skipped already.
  mutating func skipLine(after bytes: Int, endsInReturn: Bool, _ outline: JSONOutline) -> Step {
    searched = start
    guard let end = lineEnd() else {
      let more = buffer.count - start
      if more > 0 {
        let last = buffer[buffer.count - 1] == 0x0D
        var outline = outline
        buffer.withUnsafeBytes { outline.pass(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        state = .skippingLine(bytes: bytes + more, endsInReturn: last, outline)
      }
      start = buffer.count
      return .wait
    }
    let returns = end > start ? buffer[end - 1] == 0x0D : endsInReturn
    let length = bytes + end - start - (returns ? 1 : 0)
    start = end + 1
    state = .line
    return .frame(.tooLarge(bytes: length))
  }
}
