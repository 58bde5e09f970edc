/// Requests about a list of paths and a view of it.
struct ViewRequests {
  private let paths: [String]

  init(_ paths: [String]) { self.paths = paths }

  /// The number of items.
  var count: Int { paths.count }

  /// The text of an item.
  func text(of number: Int) -> String { paths[number] }

  /// Views by name, without their windows.
  static let views = [
    ("where", #""where":{"member":"n","to":8000}"#),
    ("sort", #""sort":[{"by":"n"},{"by":"text"}]"#),
    ("groups", #""sort":[{"by":"text"}],"sections":{"by":"g"}"#),
    ("match", #""match":{"query":"conf"}"#),
  ]

  /// Two orders of all items.
  static let orders = [#""sort":[{"by":"text"}]"#, #""sort":[{"by":"n","order":"descending"}]"#]

  /// Queries as a user types them, letter by letter, and clears them.
  static let queries = [
    "c", "co", "con", "conf", "confi", "", "srcmain", "usrlibpy", "t", "swift$ !test",
  ]

  private func item(_ number: Int, _ change: Int = 0) -> String {
    let n = (number * 7919 + change * 31) % 10007
    return #"{"id":\#(number),"text":"\#(paths[number])","n":\#(n),"g":"\#(n % 20)"}"#
  }

  var list: [UInt8] {
    let items = paths.indices.map { item($0) }.joined(separator: ",")
    return EditRequests.framed(
      "applySnapshot", #"{"list":"a","format":"none","items":[\#(items)]}"#)
  }

  /// Returns a request for a view that shows 40 items, or all.
  func compose(_ view: String, start: Int? = 0) -> [UInt8] {
    let window = start.map { #","window":{"start":\#($0),"count":40}"# } ?? ""
    return EditRequests.framed(
      "compose", #"{"list":"v","sources":["a"],"view":{\#(view)\#(window)}}"#)
  }

  /// Returns a request for a view with a query. The empty query matches all items.
  func compose(query: String) -> [UInt8] {
    compose(#""match":{"query":"\#(query)"}"#)
  }

  /// Returns a request that changes an item.
  func edit(_ round: Int) -> [UInt8] {
    let item = item(round * 7919 % paths.count, round + 1)
    return EditRequests.framed(
      "editSnapshot",
      #"{"list":"a","format":"none","edits":[{"edit":"updateItems","items":[\#(item)]}]}"#)
  }
}
