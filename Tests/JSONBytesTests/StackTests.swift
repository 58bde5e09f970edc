import Foundation
import JSONBytes
import Testing

@Suite struct StackTests {
  /// The stack size of secondary threads may be this small.
  private static let stackSize = 512 << 10

  @Test func deepTextsNeedLittleStack() {
    let deep = Array(
      (String(repeating: "{\"b\":1,\"a\":[", count: 256) + "1"
        + String(repeating: "]}", count: 256)).utf8)
    let other = Array(
      (String(repeating: "{\"a\":[", count: 256) + "1"
        + String(repeating: "],\"b\":1}", count: 256)).utf8)
    let open = [UInt8](repeating: 0x5B, count: 3_000_000)
    let done = DispatchSemaphore(value: 0)
    // Written before the signal and read after the wait.
    nonisolated(unsafe) var answers: [Bool] = []
    let thread = Thread {
      answers = [
        problem(deep) == nil, same(deep, other), problem(open)?.problem == .tooDeep,
      ]
      done.signal()
    }
    thread.stackSize = Self.stackSize
    thread.start()
    done.wait()
    #expect(answers == [true, true, true])
  }
}
