import ListProtocol
import Testing

@Suite struct NearestTests {
  private static let methods = [
    "applySnapshot", "diff", "select", "getSelection", "getSnapshot", "getLists", "removeList",
  ]

  @Test(arguments: [
    ("aplySnapshot", "applySnapshot"), ("applysnapshot", "applySnapshot"),
    ("snapshotApply", nil), ("dif", "diff"), ("selct", "select"), ("slelect", "select"),
    ("getList", "getLists"), ("getSnaphsot", "getSnapshot"), ("deleteList", "removeList"),
    ("", nil), ("frobnicate", nil), ("getSelections", "getSelection"),
  ])
  func findsTheWordThatIsMeant(_ word: String, _ meant: String?) {
    #expect(word.nearest(among: Self.methods) == meant)
  }

  @Test func noWordsNoNearest() {
    #expect("a".nearest(among: []) == nil)
    #expect("a".nearest(among: ["b"]) == "b")
    #expect("ab".nearest(among: ["ba"]) == "ba")
  }

  /// A word of a megabyte costs no more than its beginning.
  @Test func longWordsAreCut() {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(long.nearest(among: Self.methods) == nil)
  }
}
