import ByteBuffers

extension FrameReader {
  /// Reads the next line of a header block that begins at `start`.
  ///
  /// Blank lines before a block are skipped. A line may end without a carriage return.
  mutating func readHeader(_ block: HeaderBlock) -> Step {
    if block.length == 0, let (length, end) = usualHeader() { return beginBody(length, at: end) }
    searched = max(searched, start + block.length)
    guard let end = lineEnd() else {
      guard buffer.count - start >= HeaderBlock.maximumLength else { return .wait }
      return broken(.tooLong, next: start + HeaderBlock.maximumLength, atLineStart: false)
    }
    let line = withoutReturn(start + block.length..<end)
    if block.length == 0 && line.isEmpty {
      start = end + 1
      return .again
    }
    guard end + 1 - start <= HeaderBlock.maximumLength else {
      return broken(.tooLong, next: start + HeaderBlock.maximumLength, atLineStart: false)
    }
    if line.isEmpty {
      guard let length = block.contentLength else {
        return broken(.missingLength, next: end + 1, atLineStart: true)
      }
      return beginBody(length, at: end + 1)
    }
    var block = block
    do throws(HeaderProblem) {
      try buffer.withUnsafeBytes { (bytes) throws(HeaderProblem) in
        try block.read(UnsafeRawBufferPointer(rebasing: bytes[line]))
      }
    } catch {
      // After conflicting lengths, the second one begins the next block.
      let next = error == .conflictingLengths ? line.lowerBound : end + 1
      return broken(error, next: next, atLineStart: true)
    }
    block.length = end + 1 - start
    state = .header(block)
    return .again
  }

  private mutating func beginBody(_ length: Int, at offset: Int) -> Step {
    start = offset
    searched = offset
    guard length <= limit else {
      state = .skippingBody(length)
      return .frame(.tooLarge(bytes: length))
    }
    state = .body(length)
    return .again
  }

  /// Reads a body of a known length.
  mutating func readBody(_ length: Int) -> Step {
    guard buffer.count - start >= length else { return .wait }
    state = .header(HeaderBlock())
    return .frame(.message(take(start..<start + length, next: start + length)))
  }

  /// Returns a message of at least `minimum` bytes that was received in part, or nil if there is
  /// none. The rest is read into its memory, and the message is not returned as a frame.
  package mutating func beginPartialMessage(minimum: Int) -> SharedBytes? {
    guard case .body(let length) = state, canBeginPartialMessage(minimum: minimum) else {
      return nil
    }
    buffer.reserve(exactly: start + length)
    var body = ByteBuffer()
    swap(&body, &buffer)
    let count = body.count - start
    let message = SharedBytes(receivingInto: body, range: start..<start + length)
    state = .receivingBody(message, count)
    start = 0
    searched = 0
    return message
  }

  /// Returns whether a message of at least `minimum` bytes was received in part.
  package func canBeginPartialMessage(minimum: Int) -> Bool {
    if case .body(let length) = state {
      length >= minimum && buffer.count - start < length
    } else {
      false
    }
  }

  /// The number of bytes received of the message that `beginPartialMessage` returned; nil after `next`
  /// found that it is complete.
  package var arrived: Int? {
    if case .receivingBody(_, let count) = state { count } else { nil }
  }

  mutating func endPartialMessage(_ message: SharedBytes, _ count: Int) -> Step {
    guard count == message.count else { return .wait }
    state = .header(HeaderBlock())
    return .again
  }

  /// Skips the rest of a body that is too large.
  mutating func skipBody(_ rest: Int) -> Step {
    let skipped = min(rest, buffer.count - start)
    start += skipped
    searched = start
    state = rest == skipped ? .header(HeaderBlock()) : .skippingBody(rest - skipped)
    return rest == skipped ? .again : .wait
  }

  private mutating func broken(
    _ problem: HeaderProblem, next: Int, atLineStart: Bool
  ) -> Step {
    let raw = take(start..<next, next: next)
    state = .searchingHeader(atLineStart: atLineStart)
    return .frame(.broken(problem, raw))
  }

  /// Skips lines until one begins with `Content-Length:`.
  mutating func searchHeader(atLineStart: Bool) -> Step {
    if atLineStart {
      let rest = start..<buffer.count
      let matched = buffer.withUnsafeBytes {
        HeaderBlock.matchLength(of: UnsafeRawBufferPointer(rebasing: $0[rest]))
      }
      if matched == HeaderBlock.start.utf8CodeUnitCount {
        state = .header(HeaderBlock())
        searched = start
        return .again
      }
      if matched == rest.count { return .wait }
    }
    searched = start
    guard let end = lineEnd() else {
      start = buffer.count
      state = .searchingHeader(atLineStart: false)
      return .wait
    }
    start = end + 1
    state = .searchingHeader(atLineStart: true)
    return .again
  }
}
