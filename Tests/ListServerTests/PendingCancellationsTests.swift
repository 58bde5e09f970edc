import ByteBuffers
import ListServer
import Testing

/// A cancellation is pending exactly as long as frames before its own may be.
///
/// Promise: Cancellations are pending as long as the requests before them, however many.
@Suite struct PendingCancellationsTests {
  private static let ids = ["1", "1.0", "10e-1", "\"1\"", "\"\\u0031\"", "null", "2", "\"two\""]

  /// The number of the value that each id spells.
  private static let values = [0, 0, 0, 1, 1, 2, 3, 4]

  @Test func behavesLikeAReferenceList() {
    var random = SeededGenerator(seed: 11)
    var pending = PendingCancellations()
    var reference: [(frame: Int, value: Int)] = []
    var read = 0
    var taken = 0
    for _ in 0..<4_000 {
      if taken < read, Bool.random(using: &random) {
        taken += Int.random(in: 1...min(3, read - taken), using: &random)
        pending.forget(upToFrame: taken)
        reference.removeAll { $0.frame <= taken }
      } else {
        read += 1
        let chosen = (0..<Int.random(in: 0...2, using: &random)).map { _ in
          Int.random(in: 0..<Self.ids.count, using: &random)
        }
        pending.record(chosen.map { SharedBytes(copying: Self.ids[$0].utf8) }, inFrame: read)
        reference += chosen.map { (read, Self.values[$0]) }
      }
      #expect(pending.isEmpty == reference.isEmpty)
      for (id, value) in zip(Self.ids, Self.values) {
        let isPending = SharedBytes(copying: id.utf8).withBytes { pending.contains($0) }
        #expect(isPending == reference.contains { $0.value == value })
      }
    }
  }
}
