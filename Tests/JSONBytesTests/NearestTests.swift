import JSONBytes
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
  func findsTheNearestWord(_ word: String, _ expected: String?) {
    #expect(word.nearest(among: Self.methods) == expected)
  }

  @Test func acceptsFewAndShortWords() {
    #expect("a".nearest(among: []) == nil)
    #expect("a".nearest(among: ["b"]) == "b")
    #expect("ab".nearest(among: ["ba"]) == "ba")
  }

  /// Only the beginning of a word of a megabyte is compared.
  @Test func comparesBeginningsOfLongWords() {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(long.nearest(among: Self.methods) == nil)
  }
}
