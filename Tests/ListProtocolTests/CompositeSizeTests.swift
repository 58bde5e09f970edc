import JSONBytes
import ListProtocol
import ListState
import Testing

/// A composite holds so much and no more, also where it grows with its sources; what is refused has
/// changed nothing.
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

  /// Two lists at each level, each made of both below: twice as many sections a level.
  @Test func diamondsWithContent() {
    let service = service { $0.sections = 64 }
    #expect(service.takes(.applySnapshot, apply("a0", #"{"id":1,"items":[]}"#)))
    var level = 0
    while level < 10, service.takes(.compose, diamond(level + 1, "a")),
      service.takes(.compose, diamond(level + 1, "b"))
    {
      level += 1
    }
    // Of the first level there is one section, for `b0` does not exist.
    #expect(level == 7)
    let told = service.ask(.compose, diamond(8, "a"))
    #expect(told.hasPrefix("-31012 ") && told.contains(#","list":"a8","sections":128,"items":0,"#))
    #expect(told.contains(#""limit":{"sections":64,"#))
    let lists = service.ask(.getLists, "{}")
    let grown = service.ask(.applySnapshot, apply("a0", two))
    #expect(
      grown.hasPrefix("-31012 ") && grown.contains(#","list":"a7","sections":128,"items":128,"#))
    #expect(service.ask(.getLists, "{}") == lists)
    #expect(service.takes(.applySnapshot, apply("a0", one)))
  }

  private func diamond(_ level: Int, _ name: String) -> String {
    #"{"list":"\#(name)\#(level)","sources":["a\#(level - 1)","b\#(level - 1)"],"format":"none"}"#
  }

  @Test func itemsRowsAndTexts() {
    let parts = #"{"id":1,"items":[{"id":1,"parts":["a","b","c"]},{"id":2,"parts":[]}]}"#
    let header = #"{"id":1,"header":"0123456789012345678901234567890123456789","items":[]}"#
    let limits: [(String, String, (inout SnapshotSize) -> Void)] = [
      (two, #""items":2,"rows":2,"#, { $0.items = 1 }),
      (parts, #""items":2,"rows":3,"#, { $0.rows = 2 }),
      (header, #""items":0,"rows":0,"bytes":69,"#, { $0.bytes = 64 }),
    ]
    for (sections, sizes, limit) in limits {
      let service = service(limit)
      #expect(service.takes(.applySnapshot, apply("l", sections)))
      let told = service.ask(.compose, #"{"list":"all","sources":["l"]}"#)
      #expect(told.hasPrefix("-31012 ") && told.contains(sizes), "\(told)")
      #expect(!service.ask(.getLists, "{}").contains("all"))
    }
  }

  /// An edit is refused, and so is making a list that a composite waits for.
  @Test func editsAndNewLists() {
    let service = service { $0.items = 3 }
    #expect(service.takes(.compose, #"{"list":"all","sources":["l","m"],"format":"none"}"#))
    #expect(service.takes(.compose, #"{"list":"top","sources":["all"],"format":"none"}"#))
    #expect(service.takes(.applySnapshot, apply("l", one)))
    let edit = #"{"list":"l","edits":[{"edit":"appendItems","items":["z","w"]}],"format":"none"}"#
    #expect(service.ask(.editSnapshot, edit).contains(#","list":"all","sections":1,"items":4,"#))
    #expect(service.ask(.applySnapshot, apply("m", one)).hasPrefix("-31012 "))
    #expect(service.ask(.getSnapshot, #"{"list":"m"}"#).hasPrefix("-31001 "))
    #expect(service.takes(.applySnapshot, apply("l", #"{"id":1,"items":["x"]}"#)))
    #expect(service.takes(.applySnapshot, apply("m", one)))
    #expect(service.ask(.getSnapshot, #"{"list":"top"}"#).contains(#""id":"all/m/1""#))
  }
}
