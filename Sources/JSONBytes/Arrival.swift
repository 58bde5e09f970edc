/// How to wait for the bytes of a message that is read while it comes.
package struct Arrival {
  /// How many bytes there should be beyond a place before it is read on from there.
  ///
  /// What is longer is found to be cut off, and then to be read again when all has come.
  package let margin: Int

  /// Waits until at least so many bytes are there, or all, or until no more come; returns how many
  /// are there.
  package let wait: (Int) -> Int

  /// A way to wait.
  package init(margin: Int = 1 << 19, wait: @escaping (Int) -> Int) {
    self.margin = margin
    self.wait = wait
  }

  /// Whether all bytes of a message have come, once no more are to come.
  package func isWhole(_ message: SharedBytes) -> Bool { wait(message.count) == message.count }
}

extension JSONReader {
  /// Waits until there is enough to read on, and returns from where on it is to be waited again.
  package mutating func readOn(_ message: SharedBytes, _ arrival: Arrival) -> Int {
    let wanted = offset + arrival.margin * 2
    extend(to: arrival.wait(min(wanted, message.count)))
    return limit == message.count ? .max : limit - arrival.margin
  }
}
