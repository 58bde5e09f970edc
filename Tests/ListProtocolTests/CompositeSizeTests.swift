import JSONBytes
import ListProtocol
import ListState
import Testing

/// The size of a composite is limited, also when its sources grow. A request that is refused has
/// changed nothing.
///
/// Promise: A composite has a maximal size; a change that would make it larger is refused and
///   changes nothing.
@Suite struct CompositeSizeTests {
  private func service(_ set: (inout SnapshotSize) -> Void) -> Service {
    let service = Service()
    service.limitComposites(set)
    return service
  }

  private func apply(_ list: String, _ sections: String) -> String {
    #"{"list":"\#(list)","sections":[\#(sections)],"format":"none"}"#
  }

  private let one = #"{"id":1,"items":["x","y"]}"#
  private let two = #"{"id":1,"items":["x","y"]},{"id":2,"items":[]}"#

  /// Two lists at each level, each composed of both below: each level has twice as many sections.
  @Test func limitsNestedComposites() {
    let service = service { $0.sections = 64 }
    #expect(service.succeeds(.applySnapshot, apply("a0", #"{"id":1,"items":[]}"#)))
    var level = 0
    while level < 10, service.succeeds(.compose, diamond(level + 1, "a")),
      service.succeeds(.compose, diamond(level + 1, "b"))
    {
      level += 1
    }
    // The first level has one section because `b0` does not exist.
    #expect(level == 7)
    let answer = service.ask(.compose, diamond(8, "a"))
    #expect(
      answer.hasPrefix("-31012 ") && answer.contains(#","list":"a8","sections":128,"items":0,"#))
    #expect(answer.contains(#""limit":{"sections":64,"#))
    let lists = service.ask(.getLists, "{}")
    let grown = service.ask(.applySnapshot, apply("a0", two))
    #expect(
      grown.hasPrefix("-31012 ") && grown.contains(#","list":"a7","sections":128,"items":128,"#))
    #expect(service.ask(.getLists, "{}") == lists)
    #expect(service.succeeds(.applySnapshot, apply("a0", one)))
  }

  private func diamond(_ level: Int, _ name: String) -> String {
    #"{"list":"\#(name)\#(level)","sources":["a\#(level - 1)","b\#(level - 1)"],"format":"none"}"#
  }

  @Test func limitsItemsRowsAndBytes() {
    let parts = #"{"id":1,"items":[{"id":1,"parts":["a","b","c"]},{"id":2,"parts":[]}]}"#
    let header = #"{"id":1,"header":"0123456789012345678901234567890123456789","items":[]}"#
    let limits: [(String, String, (inout SnapshotSize) -> Void)] = [
      (two, #""items":2,"rows":2,"#, { $0.items = 1 }),
      (parts, #""items":2,"rows":3,"#, { $0.rows = 2 }),
      (header, #""items":0,"rows":0,"bytes":69,"#, { $0.bytes = 64 }),
    ]
    for (sections, sizes, limit) in limits {
      let service = service(limit)
      #expect(service.succeeds(.applySnapshot, apply("l", sections)))
      let answer = service.ask(.compose, #"{"list":"all","sources":["l"]}"#)
      #expect(answer.hasPrefix("-31012 ") && answer.contains(sizes), "\(answer)")
      #expect(!service.ask(.getLists, "{}").contains("all"))
    }
  }

  /// Edits that make a composite too large are refused, and so is creating a list that it has as
  /// source.
  @Test func refusesEditsAndNewLists() {
    let service = service { $0.items = 3 }
    #expect(service.succeeds(.compose, #"{"list":"all","sources":["l","m"],"format":"none"}"#))
    #expect(service.succeeds(.compose, #"{"list":"top","sources":["all"],"format":"none"}"#))
    #expect(service.succeeds(.applySnapshot, apply("l", one)))
    let edit = #"{"list":"l","edits":[{"edit":"appendItems","items":["z","w"]}],"format":"none"}"#
    #expect(service.ask(.editSnapshot, edit).contains(#","list":"all","sections":1,"items":4,"#))
    #expect(service.ask(.applySnapshot, apply("m", one)).hasPrefix("-31012 "))
    #expect(service.ask(.getSnapshot, #"{"list":"m"}"#).hasPrefix("-31001 "))
    #expect(service.succeeds(.applySnapshot, apply("l", #"{"id":1,"items":["x"]}"#)))
    #expect(service.succeeds(.applySnapshot, apply("m", one)))
    #expect(service.ask(.getSnapshot, #"{"list":"top"}"#).contains(#""id":"all/m/1""#))
  }
}
