import ByteBuffers
import ListViews
import Testing

@testable import ListProtocol
@testable import ListState

/// Requests that are made in Swift have the results that JSON has.
///
/// Promise: A method performed in Swift, without JSON, has the result that JSON has, and fails with
///   the same code.
@Suite struct ListRequestTests {
  private let service = Service()
  private let list = Array("files".utf8)

  init() {
    _ = service.ask(
      .applySnapshot,
      #"{"list":"files","sections":[{"id":"a","selectionMode":"multiple","items":"#
        + #"[{"id":1,"t":"one"},{"id":2,"t":"two"},{"id":3,"t":"three","selectable":false}]},"#
        + #"{"id":"b","items":[{"id":4,"t":"four"}]}]}"#)
  }

  private func key(_ id: String) -> UInt32? {
    service.withService { service in
      id.utf8.withContiguousStorageIfAvailable {
        service.store.ids.find(.integer, UnsafeRawBufferPointer($0))
      }!
    }
  }

  /// Performs a request. Returns its result, and that as JSON.
  private func perform<Request: ListRequest & ~Copyable>(
    _ request: consuming Request
  ) throws(Failure) -> (result: Request.Result, json: String) {
    try service.withService { service throws(Failure) in
      let result = try request.perform(on: &service)
      var out = ByteBuffer()
      try request.append(result, of: &service, to: &out)
      return (result, out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }
  }

  @Test func listsThatAreReadStayTrees() {
    func ask(_ method: Method, _ params: String) { #expect(service.succeeds(method, params)) }
    ask(
      .compose,
      #"{"list":"some","sources":["files"],"view":{"sort":[{"by":"t"}],"selection":"source"}}"#)
    ask(
      .editSnapshot,
      #"{"list":"files","edits":[{"edit":"deleteItems","items":[4]}]}"#)
    for name in ["files", "some"] {
      ask(.getSnapshot, #"{"list":"\#(name)"}"#)
      ask(.getSnapshot, #"{"list":"\#(name)","revision":1}"#)
      ask(.getSnapshot, #"{"list":"\#(name)","revision":1,"window":{"start":0,"count":2}}"#)
      ask(.getSelection, #"{"list":"\#(name)"}"#)
      ask(.locate, #"{"list":"\#(name)","items":[1]}"#)
      ask(.select, #"{"list":"\#(name)","items":[2],"cursor":1}"#)
      ask(.select, #"{"list":"\#(name)","action":"all"}"#)
      service.withService { service in
        for name in ["files", "some"] { #expect(service.store.peek(Array(name.utf8))?.tree != nil) }
      }
    }
  }

  @Test func readsStates() throws {
    let lists = try perform(GetLists())
    #expect(lists.result.map(\.summary.name) == [list])
    #expect(lists.result[0].summary.items == 4)
    #expect(lists.json == service.ask(.getLists, "{}"))
    let window = Window(start: 2, count: 9)
    let rows = try perform(GetSnapshot(list: list, window: window))
    guard case .rows(let range, _) = rows.result.content else {
      Issue.record("other rows")
      return
    }
    #expect(range == 2..<4)
    #expect(
      rows.json
        == service.ask(.getSnapshot, #"{"list":"files","window":{"start":2,"count":9}}"#))
    let whole = try perform(GetSnapshot(list: list))
    #expect(whole.json == service.ask(.getSnapshot, #"{"list":"files"}"#))
    let text = try perform(GetText(list: list))
    #expect(text.result.revision == 1)
    #expect(text.json == service.ask(.getText, #"{"list":"files"}"#))
  }

  @Test func selectsAndLocates() throws {
    var select = SelectRequest()
    select.action = .select
    select.items = [.id(key("2"), occurrence: 0, source: nil)]
    select.cursor = .path(section: 1, row: 0, revision: nil)
    let selected = try perform(Select(list: list, request: select))
    #expect(selected.result.change.selected.map(\.at.row) == [1])
    #expect(selected.result.change.cursor?.section == 1)
    let selection = try perform(GetSelection(list: list))
    #expect(selection.result.items.count == 1)
    #expect(selection.json == service.ask(.getSelection, #"{"list":"files"}"#))
    let located = try perform(
      Locate(
        list: list,
        items: [.id(key("4"), occurrence: 0, source: nil), .id(nil, occurrence: 0, source: nil)],
        paths: [(section: 0, row: 2), (section: 7, row: 0)]))
    #expect(located.result.items == [3, nil])
    #expect(located.result.paths == [2, nil])
    #expect(
      located.json
        == service.ask(.locate, #"{"list":"files","items":[4,99],"paths":[[0,2],[7,0]]}"#))
  }

  @Test func editsAndComparesStates() throws {
    let edits = Edits(
      [.deleteItems([.id(key("1"), occurrence: 0, source: nil)])], newContent: Snapshot())
    let edited = try perform(EditSnapshot(list: list, edits: edits))
    guard case .change(let change, nil, _) = edited.result else {
      Issue.record("another change")
      return
    }
    #expect(change.operations.rows.deletes == 1)
    #expect(change.revision == 2)
    let states = (
      SnapshotReference.state(ReferencedState(list: list, revision: 2)),
      SnapshotReference.state(ReferencedState(list: list, revision: 1))
    )
    let back = try perform(Diff(from: states.0, to: states.1))
    #expect(back.result.baseRevision == 2)
    service.withService { $0.store.endComparison() }
    #expect(
      back.json
        == service.ask(
          .diff, #"{"from":{"list":"files","revision":2},"to":{"list":"files","revision":1}}"#))
    let returned = try perform(ApplySnapshot(list: list, content: .reference(states.1)))
    #expect(returned.json.contains(#""revision":3,"#))
    let composed = try perform(Compose(list: Array("all".utf8), sources: [list]))
    #expect(composed.json.contains(#""counts":{"rows":{"deletes":0,"inserts":4,"#))
    let removed = try perform(RemoveList(list: Array("all".utf8)))
    #expect(removed.json == "null")
    #expect(try perform(GetLists()).result.count == 1)
  }

  @Test func failsWithoutWrittenValues() {
    func code(_ body: () throws(Failure) -> Void) -> Int {
      do throws(Failure) { try body() } catch { return error.code.rawValue }
      return 0
    }
    var select = SelectRequest()
    select.action = .select
    select.items = [.id(nil, occurrence: 0, source: nil)]
    #expect(
      code { () throws(Failure) in _ = try perform(Select(list: list, request: select)) } == -31005)
    select.items = [.id(key("3"), occurrence: 0, source: nil)]
    #expect(
      code { () throws(Failure) in _ = try perform(Select(list: list, request: select)) } == -31009)
    let unknown = Array("none".utf8)
    #expect(code { () throws(Failure) in _ = try perform(GetSelection(list: unknown)) } == -31001)
    #expect(code { () throws(Failure) in _ = try perform(Locate(list: unknown)) } == -31001)
    #expect(code { () throws(Failure) in _ = try perform(RemoveList(list: unknown)) } == -31001)
    let edits = Edits(
      [.deleteItems([.id(nil, occurrence: 0, source: nil)])], newContent: Snapshot())
    #expect(
      code { () throws(Failure) in _ = try perform(EditSnapshot(list: list, edits: edits)) }
        == -31005)
    #expect(
      code { () throws(Failure) in _ = try perform(EditSnapshot(list: unknown, edits: edits)) }
        == -31001)
  }
}
