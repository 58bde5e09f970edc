import ByteBuffers
import JSONRPC
import ListProtocol
import ListState
import Testing

/// Identifiers for which there is no room are refused, and the request changes nothing.
///
/// Promise: Identifiers beyond the limits are refused. Also `IDTableTests`.
@Suite struct OverflowTests {
  /// A service with little room for identifiers.
  private struct LimitedService: ~Copyable {
    var service = ListService(historyBytes: 0)

    init(_ set: (inout IDLimits) -> Void) { set(&service.store.ids.limits) }

    /// Returns the result as text; for a failure, its code and data.
    mutating func ask(_ method: Method, _ params: String) -> String {
      let message = SharedBytes(copying: params.utf8)
      var out = ByteBuffer()
      service.beginRequest()
      defer { service.store.sweepIfGrown() }
      do throws(Failure) {
        try service.perform(method, message, 0..<message.count, to: &out)
        return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      } catch {
        return "\(error.code.rawValue)" + String(decoding: error.data, as: UTF8.self)
      }
    }

    var state: String { mutating get { ask(.getLists, "{}") } }
  }

  private func apply(_ list: String, _ items: String) -> String {
    #"{"list":"\#(list)","format":"none","items":[\#(items)]}"#
  }

  private func refusal(_ pointer: String, _ expected: String) -> String {
    #"-32602,"pointer":"\#(pointer)","expected":"\#(expected)""#
  }

  @Test(arguments: [
    #""abcdefgh","i""#, #"{"id":"abcdefghi"}"#, #"{"a":"bcdefgh"}"#, "1234567890",
    #"{"id":1,"parts":["a","b","a"]}"#, #"{"id":1,"template":"abcdefghi"}"#,
    #"{"id":1,"parts":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#,
  ])
  func limitsBytesOfIdentifiers(_ items: String) {
    // The identifier of the section, "main", needs room, too.
    var lists = LimitedService { $0.bytes = 4 + 8 }
    let answer = lists.ask(.applySnapshot, apply("l", items))
    #expect(answer == refusal("/params/items", "at most 12 bytes of identifiers in all lists"))
    #expect(lists.state == #"{"lists":[]}"#)
    #expect(lists.ask(.applySnapshot, apply("l", #""abcdefgh""#)).first == "{")
  }

  @Test func limitsLengthOfIdentifiers() {
    var lists = LimitedService { $0.length = 5 }
    let answer = lists.ask(.applySnapshot, apply("l", #""abcde",{"id":"abcdef"}"#))
    #expect(answer == refusal("/params/items", "identifiers of at most 5 bytes each"))
    #expect(lists.ask(.applySnapshot, apply("l", #""abcde""#)).first == "{")
  }

  @Test func limitsNumberOfIdentifiers() {
    var lists = LimitedService { $0.keys = 4 }
    #expect(lists.ask(.applySnapshot, apply("l", "1,2,3")).first == "{")
    let answer = lists.ask(.applySnapshot, apply("m", "4"))
    #expect(answer == refusal("/params/items", "at most 4 identifiers in all lists"))
    #expect(lists.ask(.applySnapshot, apply("m", "1,2")).first == "{")
  }

  @Test func reportsPointersIntoEdits() {
    var lists = LimitedService { $0.bytes = 8 }
    #expect(lists.ask(.applySnapshot, apply("l", #""a""#)).first == "{")
    let edit = #"{"list":"l","edits":[{"edit":"appendItems","items":["bcdefgh"]}]}"#
    let answer = lists.ask(.editSnapshot, edit)
    #expect(answer.hasPrefix(#"-32602,"pointer":"/params/edits/0/items","#))
    #expect(lists.state.contains(#""revision":1,"sections":1,"items":1"#))
  }

  @Test func limitsSectionIdentifiers() {
    var lists = LimitedService { $0.bytes = 4 }
    let params = #"{"list":"l","sections":[{"id":"abcde","items":[]}]}"#
    let answer = lists.ask(.applySnapshot, params)
    #expect(answer == refusal("/params/sections", "at most 4 bytes of identifiers in all lists"))
  }

  /// The identifiers of a composite, which its first source shares, are checked before another source changes.
  @Test func checksCompositesBeforeTheirSourcesChange() {
    var lists = LimitedService { $0.keys = 50 }
    let items = (100..<130).map { "\($0)" }.joined(separator: ",")
    #expect(lists.ask(.applySnapshot, apply("a", "1,2")).first == "{")
    let compose = #"{"list":"all","sources":["b","a"],"format":"none"}"#
    #expect(lists.ask(.compose, compose).first == "{")
    let before = lists.state
    let answer = lists.ask(.applySnapshot, apply("a", items))
    #expect(answer == refusal("/params", "at most 50 identifiers in all lists"))
    #expect(lists.state == before)
    #expect(lists.ask(.applySnapshot, apply("c", items)).first == "{")
    let late = lists.ask(.compose, #"{"list":"other","sources":["a","c"]}"#)
    #expect(late == refusal("/params", "at most 50 identifiers in all lists"))
    #expect(lists.ask(.applySnapshot, apply("a", "1,2,3")).first == "{")
  }

  /// Items that repeat have keys of their own in a view.
  @Test func checksItemsThatRepeatInViews() {
    var lists = LimitedService { $0.keys = 60 }
    func items(_ count: Int) -> String {
      Array(repeating: #"{"n":1}"#, count: count).joined(separator: ",")
    }
    #expect(lists.ask(.applySnapshot, apply("a", items(80))).first == "{")
    var before = lists.state
    let compose = #"{"list":"v","sources":["a"],"view":{},"format":"none"}"#
    #expect(
      lists.ask(.compose, compose) == refusal("/params", "at most 60 identifiers in all lists"))
    #expect(lists.state == before)
    #expect(lists.ask(.applySnapshot, apply("a", items(8))).first == "{")
    #expect(lists.ask(.compose, compose).first == "{")
    before = lists.state
    let answer = lists.ask(.applySnapshot, apply("a", items(90)))
    #expect(answer == refusal("/params", "at most 60 identifiers in all lists"))
    #expect(lists.state == before)
    #expect(lists.ask(.applySnapshot, apply("a", items(9))).first == "{")
    #expect(lists.state.contains(#""matched":9"#))
  }

  /// Identifiers that are no longer used make room.
  @Test func reusesRoomOfUnusedIdentifiers() {
    var lists = LimitedService { $0.bytes = 40 }
    var refusals = 0
    for round in 100..<200 {
      let params = apply("l", "\(round)0,\(round)1,\(round)2")
      guard lists.ask(.applySnapshot, params).first != "{" else { continue }
      refusals += 1
      #expect(lists.ask(.applySnapshot, params).first == "{")
    }
    #expect(refusals > 0)
  }
}
