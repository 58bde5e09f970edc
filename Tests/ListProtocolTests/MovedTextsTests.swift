import Testing

@testable import ListProtocol
@testable import ListState

/// The memory of lists that are edited is limited without visiting whole lists.
@Suite struct MovedTextsTests {
  /// Definitions of lists that are made of the list `a`.
  private static let composites = [
    #"{"list":"c","sources":["a"]}"#,
    #"{"list":"cc","sources":["c"]}"#,
    #"{"list":"sorted","sources":["a"],"view":{"sort":[{"by":"n","order":"descending"}]}}"#,
    #"{"list":"some","sources":["c"],"view":{"sort":[{"by":"n"}],"window":{"start":9,"count":50}}}"#,
    #"{"list":"tree","sources":["a"],"view":{"tree":{"parent":"p","open":"all"}}}"#,
  ]

  private struct Model {
    var versions: [(id: Int, version: Int)] = (0..<600).map { ($0, 0) }

    /// Whether each fifth item is the same line; an outline does not follow edits then.
    var hasRepeats: Bool

    var names: [String] { ["a", "c", "cc", "sorted", "some"] + (hasRepeats ? [] : ["tree"]) }

    func item(_ index: Int) -> String {
      let (id, version) = versions[index]
      if hasRepeats, id % 5 == 0 { return #""line""# }
      let parent = id >= 300 ? #","p":\#(id % 300)"# : ""
      return #"{"id":\#(id),"n":\#((id * 7919 + version) % 1000),"v":\#(version)\#(parent)}"#
    }

    var snapshot: String {
      let items = versions.indices.map(item)
      return #"{"list":"a","sections":[{"id":"s","title":"first","items":["#
        + items[..<400].joined(separator: ",") + #"]},{"id":"t","title":"second","items":["#
        + items[400...].joined(separator: ",") + "]}]}"
    }
  }

  /// Makes the list and its composites.
  private func makeLists(_ service: Service, _ model: Model) {
    #expect(service.succeeds(.applySnapshot, model.snapshot))
    for composite in Self.composites.prefix(model.names.count - 1) {
      #expect(service.succeeds(.compose, composite))
    }
  }

  private func content(of name: String, _ service: Service) -> String {
    let answer = service.ask(
      .getSnapshot, #"{"list":"\#(name)","window":{"start":0,"count":1000}}"#)
    return String(answer[answer.firstRange(of: #""total""#)!.lowerBound...])
  }

  /// Calls a closure with each tree of the lists that has texts.
  private func withTrees(
    _ names: [String], _ service: Service, _ body: (String, ListTree) -> Void
  ) {
    service.withService { service in
      for name in names {
        let list = service.store.peek(Array(name.utf8))!
        if let tree = list.tree { body(name, tree) } else { Issue.record("\(name) is a snapshot") }
        if let live = list.live { body(name + ", sources", live.sources) }
      }
    }
  }

  /// Returns the number of texts that the next request will move.
  private func movedCount(_ service: Service) -> Int {
    service.withService { service in
      guard var tree = service.store.peek([UInt8(ascii: "a")])!.tree else { return 0 }
      tree.finishChange()
      return tree.moveTexts()?.items.count ?? 0
    }
  }

  /// Each edit has much text that the list does not keep.
  @Test(arguments: [4096, 200_000], [false, true])
  func buffersAreReleased(waste: Int, hasRepeats: Bool) {
    let service = Service()
    var model = Model(hasRepeats: hasRepeats)
    makeLists(service, model)
    let noise = String(repeating: "x", count: waste)
    var moved = 0
    for round in 0..<(5 << 20) / waste {
      let index = round * 7919 % 600 / 5 * 5 + 1 + round % 4
      model.versions[index].version += 1
      let edits =
        #"[{"edit":"appendItems","items":[{"id":"new","noise":"\#(noise)"}]},"#
        + #"{"edit":"deleteItems","items":["new"]},"#
        + #"{"edit":"updateItems","items":[\#(model.item(index))]}]"#
      #expect(service.succeeds(.editSnapshot, #"{"list":"a","edits":\#(edits)}"#))
      let count = movedCount(service)
      // Little waste moves the texts of one leaf.
      if waste < 10_000 { #expect(count <= ItemLeaf.capacity) }
      moved += count
      service.withService { $0.store.begin() }
      withTrees(model.names, service) { name, tree in
        // While leaves are visited, the buffers grow further.
        let limit = tree.texts.textSize * 3 + 2 * Snapshot.smallWaste + 4 * waste
        #expect(tree.texts.bufferSize <= limit, "\(name) after \(round)")
      }
      if round % (1 + 500_000 / waste) == 0 {
        service.withService { $0.store.checkInvariants() }
        let other = Service()
        makeLists(other, model)
        for name in model.names { #expect(content(of: name, service) == content(of: name, other)) }
      }
    }
    #expect(moved > 10)
  }
}
