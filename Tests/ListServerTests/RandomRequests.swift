/// Requests that apply snapshots, in unusual spellings.
func unusuallySpelledRequests() -> [String] {
  let items = #""items":["a",{"id":1,"t":"x"},{"v":[1.50,"\u00e9"]},7]"#
  let sections = #""sections":[{"id":"s","items":["a",{"id":1,"t":"x"}],"header":"H"}]"#
  func apply(_ params: String, _ more: String = "") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"applySnapshot","params":{\#(params)}\#(more)}"#
  }
  return [
    apply(#""list":"l",\#(items)"#), apply(#"\#(items),"list":"l""#),
    apply(#""list":"l",\#(items),\#(items)"#), apply(#""list":"l",\#(items),"items":["b"]"#),
    apply(#""list":"l",\#(items),\#(sections)"#), apply(#""list":"l",\#(items),"sections":null"#),
    apply(#""list":"l","items":null,\#(sections)"#), apply(#""list":"l",\#(sections)"#),
    apply(#""list":"l",\#(items),"list":"m""#), apply(#""list":"m",\#(sections),"list":"l""#),
    apply(#""list":"l",\#(items),"list":null"#), apply(#""list":7,\#(items)"#),
    apply(#""list":"l",\#(items),"itms":1"#), apply(#""list":"l",\#(items),"_x":{"items":1}"#),
    apply(#""l\u0069st":"l","\u0069tems":["q"]"#), apply(#""list":"\u006c",\#(items)"#),
    apply(#""list":"l",\#(items)"#, #","params":{"list":"l","items":["other"]}"#),
    apply(#""list":"l",\#(items)"#, #","params":null"#),
    apply(#""list":"l",\#(items)"#, #","method":"getLists""#),
    apply(#""list":"l",\#(items)"#, #","id":"later""#),
    apply(#""list":"l",\#(items)"#, #","id":[]"#),
    apply(#""list":"l",\#(items)"#, #","jsonrpc":"1.0""#),
    apply(
      #""list":"l","snapshot":{"list":"l","revision":0}"#,
      "}" + String(repeating: " ", count: 200) + "{"),
    apply(#""list":"l",\#(items)"#, ",\"x\":"), apply(#""list":"l",\#(items)"#, "}"),
    #"{"params":{"list":"l",\#(items)},"method":"applySnapshot","id":2,"jsonrpc":"2.0"}"#,
    #"{"method":"applySnapshot","params":{"list":"l",\#(items)},"id":3,"jsonrpc":"2.0"}"#,
    apply(#""list":"l","items":[{"id":1},{"id":1}]"#), apply(#""list":"l","items":[true]"#),
    apply(#""list":"l","items":[1,]"#), apply(#""list":"l","items":{}"#),
    apply(#""list":"l","sections":[]"#), apply(#""list":"l","sections":[{}]"#),
    apply(#""list":"l",\#(items),"selected":[1],"cursor":"a""#),
    apply(#""list":"l",\#(items),"baseRevision":99"#), request("9", "getLists"),
    request("10", "getSnapshot", #"{"list":"l"}"#),
    request("11", "getSnapshot", #"{"list":"m"}"#),
  ]
}

/// Writes random requests that apply snapshots, each similar to the last one of its list.
struct RandomRequests {
  var random: SeededGenerator
  private var lists: [String: [[String]]] = [:]

  init(_ random: SeededGenerator) { self.random = random }

  mutating func request(_ number: Int) -> String {
    let name = ["a", "b", "c\\u0063"].randomElement(using: &random)!
    if chance(10) {
      return #"{"jsonrpc":"2.0","id":0,"method":"getSnapshot","params":{"list":"a"}}"#
    }
    if chance(6) {
      let row = Int.random(in: 0..<4, using: &random)
      let edits = #"[{"edit":"deleteItems","items":[{"path":[0,\#(row)]}]}]"#
      return ListServerTests.request("0", "editSnapshot", #"{"list":"\#(name)","edits":\#(edits)}"#)
    }
    var sections = lists[name] ?? [[]]
    for _ in 0..<Int.random(in: 0...4, using: &random) { edit(&sections) }
    lists[name] = sections
    var params = [#""list":"\#(name)""#, snapshot(sections)]
    if chance(3) { params.append(#""content":true"#) }
    if chance(8) { params.append(#""list":"b""#) }
    if chance(8) { params.append(snapshot(sections)) }
    if chance(8) { params.append(#""selected":["w1"]"#) }
    if chance(4) { params.shuffle(using: &random) }
    let text =
      #"{"jsonrpc":"2.0","id":\#(number),"method":"applySnapshot","params":{"#
      + params.joined(separator: chance(4) ? " , " : ",") + "}}"
    return chance(12) ? damaged(text) : text
  }

  private mutating func chance(_ odds: Int) -> Bool {
    Int.random(in: 0..<odds, using: &random) == 0
  }

  private mutating func edit(_ sections: inout [[String]]) {
    if chance(8) { return sections.append([]) }
    let section = Int.random(in: 0..<sections.count, using: &random)
    if chance(3), !sections[section].isEmpty {
      let index = Int.random(in: 0..<sections[section].count, using: &random)
      let item = sections[section].remove(at: index)
      if chance(2) { sections[section].append(item) }
      return
    }
    let id = Int.random(in: 0..<30, using: &random)
    let item = [
      #""w\#(id)""#, "\(id)", #"{"id":"w\#(id)","t":[1,{"a":\#(id)}]}"#, #"{"v":\#(id)}"#,
      #"{"id":\#(id),"parts":["p",{"id":1}]}"#, #"{"id":"w\#(id)","template":"T"}"#,
      #"{"id":"\u0077\#(id)","selectable":false}"#,
    ].randomElement(using: &random)!
    let index = Int.random(in: 0...sections[section].count, using: &random)
    sections[section].insert(item, at: index)
  }

  private mutating func snapshot(_ sections: [[String]]) -> String {
    let separator = chance(5) ? ", " : ","
    if sections.count == 1, chance(2) {
      return #""items":["# + sections[0].joined(separator: separator) + "]"
    }
    let texts = sections.enumerated().map { index, items in
      #"{"id":\#(index),"items":["# + items.joined(separator: separator)
        + (chance(2) ? #"],"selectionMode":"multiple"}"# : "]}")
    }
    return #""sections":["# + texts.joined(separator: separator) + "]"
  }

  private mutating func damaged(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let index = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes.remove(at: index)
    case 1: bytes[index] = "{}[],:\"\\0a ".utf8.randomElement(using: &random)!
    default: bytes.insert(bytes[index], at: index)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
