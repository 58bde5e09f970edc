import JSONBytes

extension FrameReader {
  /// Reads the next line of a header block, of which `start` is the first byte.
  ///
  /// Blank lines before a block are passed over; a line may end without a carriage return.
  mutating func readHeader(_ block: HeaderBlock) -> Step {
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
      // Of two lengths the second begins the block with which reading goes on.
      let next = error == .conflictingLengths ? line.lowerBound : end + 1
      return broken(error, next: next, atLineStart: true)
    }
    block.length = end + 1 - start
    state = .header(block)
    return .again
  }

  private mutating func beginBody(_ length: Int, at place: Int) -> Step {
    start = place
    searched = place
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

  /// Hands over a message of at least `minimum` bytes of which only a part has come; nil where none
  /// is coming. The rest is read into its memory, and it does not come as a frame.
  package mutating func beginArrival(minimum: Int) -> SharedBytes? {
    guard case .body(let length) = state, canBeginArrival(minimum: minimum) else { return nil }
    buffer.reserve(exactly: start + length)
    var body = ByteBuffer()
    swap(&body, &buffer)
    let count = body.count - start
    let message = SharedBytes(arrivingIn: body, range: start..<start + length)
    state = .arriving(message, count)
    start = 0
    searched = 0
    return message
  }

  /// Whether a message of at least `minimum` bytes is coming.
  package func canBeginArrival(minimum: Int) -> Bool {
    if case .body(let length) = state {
      length >= minimum && buffer.count - start < length
    } else {
      false
    }
  }

  /// How many bytes have come of the message that `beginArrival` has handed over, until `next` finds
  /// that it is whole.
  package var arrived: Int? {
    if case .arriving(_, let count) = state { count } else { nil }
  }

  mutating func endArrival(_ message: SharedBytes, _ count: Int) -> Step {
    guard count == message.count else { return .wait }
    state = .header(HeaderBlock())
    return .again
  }

  /// Passes over the rest of a body that is too large.
  mutating func skipBody(_ rest: Int) -> Step {
    let passed = min(rest, buffer.count - start)
    start += passed
    searched = start
    state = rest == passed ? .header(HeaderBlock()) : .skippingBody(rest - passed)
    return rest == passed ? .again : .wait
  }

  private mutating func broken(
    _ problem: HeaderProblem, next: Int, atLineStart: Bool
  ) -> Step {
    let raw = take(start..<next, next: next)
    state = .searchingHeader(atLineStart: atLineStart)
    return .frame(.broken(problem, raw))
  }

  /// Passes over lines until one begins with `Content-Length:`.
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
