import ByteBuffers

/// A message that is parsed while it is still being received.
package struct PartialMessage {
  /// The minimum distance, in bytes, between the position of the reader and the end of the received
  /// bytes.
  ///
  /// A longer value may be cut off; it is then parsed again after the whole message was received.
  package let margin: Int

  /// Waits until at least the given number of bytes, or all bytes, were received, or until no more
  /// can follow. Returns the number of bytes received.
  package let wait: (Int) -> Int

  /// Creates a partial message.
  package init(margin: Int = 1 << 19, wait: @escaping (Int) -> Int) {
    self.margin = margin
    self.wait = wait
  }

  /// Returns whether the whole message was received. Waits until it was, or until no more bytes can
  /// follow.
  package func isWhole(_ message: SharedBytes) -> Bool { wait(message.count) == message.count }
}

extension JSONReader {
  /// Waits for enough bytes to continue, and returns the offset at which the reader must wait
  /// again.
  package mutating func awaitBytes(_ message: SharedBytes, _ arrival: PartialMessage) -> Int {
    let wanted = offset + arrival.margin * 2
    extend(to: arrival.wait(min(wanted, message.count)))
    return limit == message.count ? .max : limit - arrival.margin
  }
}
