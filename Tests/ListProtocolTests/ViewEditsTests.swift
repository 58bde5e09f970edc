import ByteBuffers
import ListProtocol
import ListState
import Testing

/// A random number generator with a fixed seed.
private struct LinearGenerator {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    // Knuth's multiplier for linear congruences. The upper bits are of better quality.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

/// After edits of their sources, and after these are undone, views equal views that are composed
/// again.
@Suite struct ViewEditsTests {
  private static let views = [
    ("where", #"{"where":{"member":"n","to":5}}"#),
    ("sort", #"{"sort":[{"by":"n","order":"descending"},{"by":"$source"}],"sections":"merge"}"#),
    ("groups", #"{"sort":[{"by":"n"}],"sections":{"by":"g"}}"#),
    ("window", #"{"sort":[{"by":"g"}],"sections":{"by":"n"},"window":{"start":2,"count":4}}"#),
    ("match", #"{"match":{"query":"a"},"window":{"count":5}}"#),
    ("distinct", #"{"distinct":"g","where":{"member":"n","from":2}}"#),
    ("source", #"{"where":{"member":"n","from":1},"selection":"source","window":{"count":3}}"#),
  ]

  private struct Lists: ~Copyable {
    var service = ListService(historyBytes: 1 << 20)

    @discardableResult
    mutating func ask(_ method: Method, _ params: String) -> Bool {
      let message = SharedBytes(copying: params.utf8)
      var out = ByteBuffer()
      do throws(Failure) {
        try service.perform(method, message, 0..<message.count, to: &out)
        return true
      } catch { return false }
    }

    mutating func compose() {
      for (name, view) in ViewEditsTests.views {
        ask(.compose, #"{"list":"\#(name)","sources":["p","q"],"view":\#(view)}"#)
        ask(.compose, #"{"list":"\#(name) again","sources":["\#(name)","p"],"view":\#(view)}"#)
      }
    }

    /// Returns the contents of lists, without what depends on their history.
    func contents(_ names: [[UInt8]]) -> [String] {
      names.map { name in
        let list = service.store.peek(name)!
        let snapshot = list.shownItems
        let sections = snapshot.sections.indices.map { section in
          text(snapshot, snapshot.sections[section].own)
            + snapshot.arrangement.range(ofSection: section).map {
              text(snapshot, snapshot.payloads[$0])
            }.joined(separator: " ")
        }
        return "\(String(decoding: name, as: UTF8.self)): \(sections) \(list.view?.numbers as Any)"
      }
    }

    /// Returns the whole state of lists.
    func state(_ names: [[UInt8]]) -> [String] {
      zip(contents(names), names).map { contents, name in
        let list = service.store.peek(name)!
        return "\(contents) \(list.revision) \(list.marks) \(list.view?.anchorItem as Any)"
      }
    }

    /// Returns parameters that create a list again.
    func snapshot(of name: String) -> String {
      let snapshot = service.store.peek(Array(name.utf8))!.shownItems
      let sections = snapshot.sections.indices.map { section in
        let items = snapshot.arrangement.range(ofSection: section).map {
          text(snapshot, snapshot.payloads[$0])
        }
        let own = text(snapshot, snapshot.sections[section].own).dropLast()
        return own + #","items":[\#(items.joined(separator: ","))]}"#
      }
      return #"{"list":"\#(name)","sections":[\#(sections.joined(separator: ","))]}"#
    }

    private func text(_ snapshot: Snapshot, _ payload: Payload) -> String {
      String(decoding: snapshot.bytes(of: payload), as: UTF8.self)
    }
  }

  private func item(_ id: Int, _ random: inout LinearGenerator) -> String {
    let text = ["ab", "ba", "b", "xaxb"][random.below(4)]
    return #"{"id":\#(id),"n":\#(random.below(8)),"g":"\#(random.below(3))","text":"\#(text)"}"#
  }

  private func edit(_ random: inout LinearGenerator) -> String {
    let id = random.below(24)
    switch random.below(7) {
    case 0: return #"{"edit":"deleteItems","items":[\#(id)]}"#
    case 1: return #"{"edit":"moveItems","items":[\#(id)],"before":\#(random.below(24))}"#
    case 2: return #"{"edit":"moveSection","section":"s","after":"t"}"#
    case 3: return #"{"edit":"moveItems","items":[\#(id)],"section":"t"}"#
    default: return #"{"edit":"putItems","items":[\#(item(id, &random))],"section":"s"}"#
    }
  }

  @Test(arguments: 1..<7)
  func followsAndUndoesEdits(seed: UInt64) {
    var random = LinearGenerator(state: seed)
    var lists = Lists()
    lists.service.store.recordsModifications = true
    for list in ["p", "q"] {
      let items = (0..<16).map { item($0, &random) }.joined(separator: ",")
      lists.ask(
        .applySnapshot,
        #"{"list":"\#(list)","sections":[{"id":"s","selectionMode":"multiple","items":[\#(items)]},"#
          + #"{"id":"t","items":[]}]}"#)
    }
    lists.compose()
    let names = lists.service.store.names
    lists.service.store.isAlwaysSwept = true
    for round in 0..<120 {
      lists.service.beginRequest()
      lists.service.sweepIfGrown()
      if random.below(5) == 0 {
        let name = Self.views[random.below(Self.views.count)].0
        lists.ask(.select, #"{"list":"\#(name)","items":[{"path":[0,0]}]}"#)
        lists.service.beginRequest()
      }
      let before = lists.state(names)
      let edits = (0...random.below(3)).map { _ in edit(&random) }.joined(separator: ",")
      let name = ["p", "q"][random.below(2)]
      let succeeded = lists.ask(.editSnapshot, #"{"list":"\#(name)","edits":[\#(edits)]}"#)
      if !succeeded || random.below(4) == 0 {
        lists.service.rollBack()
        #expect(lists.state(names) == before, "\(round) \(edits)")
      }
      guard round % 4 == 0 else { continue }
      var composedAgain = Lists()
      for list in ["p", "q"] { composedAgain.ask(.applySnapshot, lists.snapshot(of: list)) }
      composedAgain.compose()
      #expect(composedAgain.contents(names) == lists.contents(names), "\(round)")
    }
  }
}
