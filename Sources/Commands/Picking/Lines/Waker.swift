/// Wakes the thread that waits for a descriptor.
final class Waker: Sendable {
  let number: Int32
  private let writing: Int32

  init() throws(CommandProblem) {
    (number, writing) = try Pipe().takeEnds()
    for end in [number, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Any thread may call it.
  func wake() {
    var byte: UInt8 = 0
    _ = withUnsafeMutableBytes(of: &byte) {
      System.writeBytes(writing, UnsafeRawBufferPointer($0))
    }
  }

  var isAwake: Bool { Waiting.isReady(number) }

  /// Forgets that it was woken.
  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { buffer in
      while System.readBytes(number, buffer) == buffer.count {}
    }
  }
}
