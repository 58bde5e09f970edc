import ByteBuffers
import ListProtocol
import ListState
import Testing

/// Identifiers that no list uses are removed while requests are answered.
@Suite struct SweepingTests {
  private static let count = 10_000

  /// A list that always has the same number of items, such as the last lines of a log.
  private struct Log: ~Copyable {
    var service = ListService(historyBytes: 0)
    var first = 0

    init() { ask(.applySnapshot, "\"items\":[\(Self.ids(0..<count))]") }

    static func ids(_ range: Range<Int>) -> String {
      range.map { "\"line-\($0 + 1_000_000)\"" }.joined(separator: ",")
    }

    /// Appends lines and deletes as many at the start.
    mutating func add(_ lines: Int) {
      let new = Self.ids(first + count..<first + count + lines)
      let old = Self.ids(first..<first + lines)
      let edits = [
        "{\"edit\":\"appendItems\",\"items\":[\(new)]}",
        "{\"edit\":\"deleteItems\",\"items\":[\(old)]}",
      ]
      ask(.editSnapshot, "\"edits\":[\(edits.joined(separator: ","))]")
      first += lines
    }

    @discardableResult
    mutating func ask(_ method: Method, _ params: String) -> String {
      let message = SharedBytes(copying: "{\"list\":\"log\",\"format\":\"none\",\(params)}".utf8)
      var out = ByteBuffer()
      service.beginRequest()
      do { try service.perform(method, message, 0..<message.count, to: &out) } catch {
        Issue.record("\(method) fails: \(error)")
      }
      service.sweepIfGrown()
      return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func identifiersOfALogStayFew() {
    var log = Log()
    var sweeps = 0
    var requestsOfSweeps = 0
    for round in 0..<1_000 {
      let wasSwept = log.service.store.ids.isSwept
      let before = log.service.store.ids.count
      log.add(round % 97 + 1)
      let isSwept = log.service.store.ids.isSwept
      if isSwept { requestsOfSweeps += 1 }
      if wasSwept, !isSwept { sweeps += 1 }
      // A request visits at most 512 identifiers and 8 for each that it adds.
      let most = 512 + 8 * (round % 97 + 1)
      #expect(before - log.service.store.ids.count <= most)
    }
    log.service.store.ids.checkInvariants()
    #expect(sweeps >= 2 && requestsOfSweeps > 8 * sweeps)
    // The table is swept if it has doubled, and grows by at most a third until all are visited.
    #expect(log.service.store.ids.universe < 30_000)
    let snapshot = log.service.store.listOrNew(Array("log".utf8)).shownItems
    let texts = snapshot.payloads.map { String(decoding: snapshot.bytes(of: $0), as: UTF8.self) }
    let last = Log.ids(log.first..<log.first + Self.count)
    #expect(texts.joined(separator: ",") == last)
  }
}
