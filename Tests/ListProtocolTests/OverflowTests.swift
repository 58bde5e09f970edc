import JSONBytes
import JSONRPC
import ListProtocol
import ListState
import Testing

/// Identifiers that there is no room for are refused, and nothing has changed then.
@Suite struct OverflowTests {
  /// Lists with little room for identifiers.
  private struct Small: ~Copyable {
    var service = ListService(historyBytes: 0)

    init(_ set: (inout IDLimits) -> Void) { set(&service.store.ids.limits) }

    /// The result as text; of a failure the code and the data.
    mutating func ask(_ method: Method, _ params: String) -> String {
      let message = SharedBytes(copying: params.utf8)
      var out = ByteBuffer()
      service.keepBefore()
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
  func identifiersTakeTooManyBytes(_ items: String) {
    // The section "main" is one of them.
    var lists = Small { $0.bytes = 4 + 8 }
    let told = lists.ask(.applySnapshot, apply("l", items))
    #expect(told == refusal("/params/items", "at most 12 bytes of identifiers in all lists"))
    #expect(lists.state == #"{"lists":[]}"#)
    #expect(lists.ask(.applySnapshot, apply("l", #""abcdefgh""#)).first == "{")
  }

  @Test func anIdentifierIsTooLong() {
    var lists = Small { $0.length = 5 }
    let told = lists.ask(.applySnapshot, apply("l", #""abcde",{"id":"abcdef"}"#))
    #expect(told == refusal("/params/items", "identifiers of at most 5 bytes each"))
    #expect(lists.ask(.applySnapshot, apply("l", #""abcde""#)).first == "{")
  }

  @Test func thereAreTooManyIdentifiers() {
    var lists = Small { $0.keys = 4 }
    #expect(lists.ask(.applySnapshot, apply("l", "1,2,3")).first == "{")
    let told = lists.ask(.applySnapshot, apply("m", "4"))
    #expect(told == refusal("/params/items", "at most 4 identifiers in all lists"))
    #expect(lists.ask(.applySnapshot, apply("m", "1,2")).first == "{")
  }

  @Test func whatAnEditBringsIsNamed() {
    var lists = Small { $0.bytes = 8 }
    #expect(lists.ask(.applySnapshot, apply("l", #""a""#)).first == "{")
    let edit = #"{"list":"l","edits":[{"edit":"appendItems","items":["bcdefgh"]}]}"#
    let told = lists.ask(.editSnapshot, edit)
    #expect(told.hasPrefix(#"-32602,"pointer":"/params/edits/0/items","#))
    #expect(lists.state.contains(#""revision":1,"sections":1,"items":1"#))
  }

  @Test func sectionsCountToo() {
    var lists = Small { $0.bytes = 4 }
    let params = #"{"list":"l","sections":[{"id":"abcde","items":[]}]}"#
    let told = lists.ask(.applySnapshot, params)
    #expect(told == refusal("/params/sections", "at most 4 bytes of identifiers in all lists"))
  }

  /// What a composite needs is looked at before its source changes.
  @Test func aCompositeHasNoRoom() {
    var lists = Small { $0.bytes = 300 }
    let items = (100..<130).map { "\($0)" }.joined(separator: ",")
    #expect(lists.ask(.applySnapshot, apply("a", "1,2")).first == "{")
    let compose = #"{"list":"all","sources":["a","b"],"format":"none"}"#
    #expect(lists.ask(.compose, compose).first == "{")
    let before = lists.state
    let told = lists.ask(.applySnapshot, apply("a", items))
    #expect(told == refusal("/params", "at most 300 bytes of identifiers in all lists"))
    #expect(lists.state == before)
    #expect(lists.ask(.applySnapshot, apply("c", items)).first == "{")
    let late = lists.ask(.compose, #"{"list":"other","sources":["c","a"]}"#)
    #expect(late == refusal("/params", "at most 300 bytes of identifiers in all lists"))
    #expect(lists.ask(.applySnapshot, apply("a", "1,2,3")).first == "{")
  }

  /// Room that is taken by what is no longer there is found.
  @Test func whatIsGoneMakesRoom() {
    var lists = Small { $0.bytes = 40 }
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
