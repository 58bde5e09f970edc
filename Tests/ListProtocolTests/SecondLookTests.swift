import Testing

@testable import ListProtocol
@testable import ListState

/// What is found again by another way differs if an answer was wrong in a way that the answer does not
/// show.
@Suite struct SecondLookTests {
  private static let requests: [CheckedLists.Request] = [
    (.applySnapshot, #"{"list":"z","items":[1,2,3]}"#),
    (.editSnapshot, #"{"list":"z","edits":[{"edit":"moveItems","items":[1],"after":3}]}"#),
  ]

  private static func reference(toRow row: Int) -> String { #"{"path":[0,\#(row)],"revision":1}"# }

  @Test(arguments: [Method.select, .applySnapshot, .editSnapshot])
  func findsCursorsOnOtherItems(_ method: Method) throws {
    let lists = try CheckedLists(Self.requests)
    func params(_ row: Int) -> String {
      let rest =
        switch method {
        case .applySnapshot: #","items":[3,2,1]"#
        case .editSnapshot: #","edits":[{"edit":"deleteItems","items":[2]}]"#
        default: ""
        }
      return #"{"list":"z","cursor":\#(Self.reference(toRow: row))\#(rest)}"#
    }
    _ = try lists.ask(method, params(0))
    try lists.lookAgain(method, params(0))
    #expect(throws: InvariantViolation.self) { try lists.lookAgain(method, params(2)) }
  }

  @Test func findsOtherSelectedItems() throws {
    let lists = try CheckedLists(Self.requests)
    func params(_ row: Int) -> String {
      #"{"list":"z","edits":[],"selected":[\#(Self.reference(toRow: row))]}"#
    }
    _ = try lists.ask(.editSnapshot, params(0))
    try lists.lookAgain(.editSnapshot, params(0))
    #expect(throws: InvariantViolation.self) { try lists.lookAgain(.editSnapshot, params(1)) }
  }

  @Test func findsOldRevisionsThatHaveChanged() throws {
    let lists = try CheckedLists(Self.requests)
    var other = NamedList(name: Array("z".utf8))
    other.revision = 1
    lists.remember { look in
      look = SecondLook()
      look.keep(other)
    }
    let params = #"{"list":"z","edits":[{"edit":"deleteItems","items":[2]}]}"#
    _ = try lists.ask(.editSnapshot, params)
    #expect(throws: InvariantViolation.self) { try lists.lookAgain(.editSnapshot, params) }
  }

  @Test func findsJournalsThatRestoreOtherLists() throws {
    let lists = try CheckedLists(Self.requests)
    // A journal of no lists.
    lists.remember { $0.restart([Array("[]".utf8)]) }
    #expect(throws: InvariantViolation.self) {
      for number in 10..<100 {
        let params = #"{"list":"z","edits":[{"edit":"appendItems","items":[\#(number)]}]}"#
        _ = try lists.ask(.editSnapshot, params)
        try lists.lookAgain(.editSnapshot, params)
      }
    }
  }
}
