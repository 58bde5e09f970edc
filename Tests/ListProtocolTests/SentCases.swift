import ListProtocol

/// Requests whose answers are checked number by number and content by content.
struct SentCases {
  let before: [CheckedLists.Request]
  let method: Method
  let params: String

  /// Whether the request changes the content of the lists that are subscribed to.
  var isChange = false

  static let initial: [CheckedLists.Request] = [
    (
      .registerTemplates,
      #"{"templates":{"Cell":"{selected:*|-}{cursor:>| } {v} {g:2#Group}\n{id:#Number}"}}"#
    ),
    (
      .applySnapshot,
      #"{"list":"l","sections":[{"id":"s","selectionMode":"multiple","header":"h","items":["#
        + #"{"id":1,"v":"a","g":1},{"id":2,"v":"b","g":2},{"id":3,"v":"c"},{"id":4,"v":"d","g":1}]},"#
        + #"{"id":"t","selectionMode":"multiple","items":[{"id":5,"v":"e"},{"id":6,"v":"f","g":2}]}],"#
        + #""selected":[2,5],"cursor":3}"#
    ),
    (.applySnapshot, #"{"list":"m","items":[{"id":7,"v":"g"}]}"#),
    (
      .applySnapshot,
      #"{"list":"files","items":[{"id":1,"v":"a"},{"id":2,"v":"b","in":1},{"id":3,"v":"c","in":2},"#
        + #"{"id":4,"v":"d","in":1,"lazy":true},{"v":"e","in":1,"lazy":true}]}"#
    ),
  ]

  static let edits =
    #""edits":[{"edit":"moveItems","items":[4],"before":1},{"edit":"deleteItems","items":[2]},"#
    + #"{"edit":"updateItems","items":[{"id":6,"v":"F"}]},"#
    + #"{"edit":"insertItems","items":[{"id":8,"v":"h"},{"id":9,"v":"i"}],"after":5},"#
    + #"{"edit":"appendSections","sections":[{"id":"u","items":[{"id":10,"v":"j"}]}]}]"#

  /// Edits that move rows without changing their contents.
  private static let moves =
    #""edits":[{"edit":"moveItems","items":[4],"before":1},{"edit":"deleteItems","items":[2]},"#
    + #"{"edit":"insertItems","items":[{"id":8,"v":"h","g":1}],"after":5}]"#

  private static let snapshot =
    #""sections":[{"id":"t","selectionMode":"multiple","items":[{"id":6,"v":"f","g":2},{"id":5,"v":"E"}]},"#
    + #"{"id":"s","selectionMode":"multiple","header":"H","items":[{"id":3,"v":"c"},"#
    + #"{"id":1,"v":"a","g":1},{"id":11,"v":"k"}]}]"#

  private static func view(_ name: String, _ view: String, of sources: String = #""l","m""#)
    -> CheckedLists.Request
  {
    (.compose, #"{"list":"\#(name)","sources":[\#(sources)],"view":\#(view)}"#)
  }

  private static let outline = view(
    "outline", #"{"tree":{"parent":"in"},"window":{"start":0,"count":4}}"#,
    of: #""files""#)
  private static let expand =
    #"{"list":"outline","edits":[{"edit":"expandItems","items":[1]},"#
    + #"{"edit":"expandItems","items":[2,4,{"path":[0,3]}]}]}"#

  /// A composite and views of each kind.
  static let made: [CheckedLists.Request] = [
    (.compose, #"{"list":"c","sources":["m","l"]}"#),
    view(
      "sorted", #"{"where":{"member":"v","from":"b"},"sort":[{"by":"v","order":"descending"}]}"#),
    view("grouped", #"{"sections":{"by":"g"}}"#),
    view("window", #"{"sort":[{"by":"v"}],"window":{"start":1,"count":5}}"#),
    view("merged", #"{"match":{"query":"f","members":["v"]},"sections":"merge","sort":[]}"#),
    view("of a view", #"{"sort":[{"by":"v"}]}"#, of: #""sorted","c""#),
    view("outline", #"{"tree":{"parent":"g"}}"#),
  ]

  /// Returns an edit that changes the content of an item, which all lists derived from the list
  /// show.
  static func update(_ change: Int) -> String {
    #"{"list":"l","edits":[{"edit":"updateItems","items":[{"id":6,"v":"f\#(change)","g":\#(change)},"#
      + #"{"id":1,"v":"a\#(change)","g":\#(change)}]}]}"#
  }

  static let all: [SentCases] = changes + views + texts + readings

  private static let changes: [SentCases] = {
    var cases: [SentCases] = []
    let compose: CheckedLists.Request = (.compose, #"{"list":"c","sources":["m","l"]}"#)
    for format in ["stages", "ops", "jsonPatch", "textEdits"] {
      for content in format == "stages" ? ["false", "true"] : ["true"] {
        let how =
          format == "textEdits"
          ? #""format":"textEdits","spans":true"#
          : #""format":"\#(format)","content":\#(content)"#
        let more = format == "textEdits" ? how + #","selectedLines":true"# : how
        func add(
          _ before: [CheckedLists.Request], _ method: Method, _ params: String,
          isChange: Bool = false
        ) {
          cases.append(
            SentCases(before: before, method: method, params: "{\(params)}", isChange: isChange))
        }
        add([], .editSnapshot, #""list":"l",\#(more),\#(edits)"#)
        add([], .editSnapshot, #""list":"l",\#(more),"cursor":1,\#(edits)"#)
        add([], .applySnapshot, #""list":"l",\#(more),\#(snapshot)"#)
        add([], .applySnapshot, #""list":"new",\#(more),\#(snapshot)"#)
        add([], .compose, #""list":"c","sources":["l","m"],\#(more)"#)
        add([], .diff, #""from":{"list":"l"},"to":{\#(snapshot)},\#(how)"#)
        add([], .diff, #""from":{"list":"l","revision":1,\#(moves)},"to":{"list":"l"},\#(how)"#)
        let subscribe: CheckedLists.Request = (.subscribe, #"{"list":"l",\#(more)}"#)
        add([subscribe], .editSnapshot, #""list":"l",\#(edits)"#, isChange: true)
        add([subscribe], .applySnapshot, #""list":"l",\#(snapshot)"#, isChange: true)
        let ofComposite: [CheckedLists.Request] = [
          compose, (.subscribe, #"{"list":"c",\#(more)}"#),
        ]
        add(ofComposite, .editSnapshot, #""list":"l",\#(edits)"#, isChange: true)
        if format != "jsonPatch" {
          // Either of two sections may be deleted first.
          add(ofComposite, .removeList, #""list":"l""#, isChange: true)
        }
        if format != "textEdits" {
          add(
            [(.editSnapshot, #"{"list":"l",\#(edits)}"#)], .subscribe,
            #""list":"l","since":1,\#(how)"#)
        }
      }
    }
    for format in [#""ops""#, #""textEdits","spans":true,"selectedLines":true"#] {
      let select = #"{"list":"l","items":[1,3,5],"cursor":6,"format":\#(format)}"#
      cases.append(SentCases(before: [], method: .select, params: select))
      let subscribe = format == #""ops""# ? "" : #","format":\#(format)"#
      cases.append(
        SentCases(
          before: [(.subscribe, #"{"list":"l"\#(subscribe)}"#)], method: .select, params: select))
    }
    return cases
  }()

  private static let views: [SentCases] = {
    var cases: [SentCases] = []
    for request in made + [outline] {
      cases.append(SentCases(before: [], method: request.method, params: request.params))
    }
    let follow = made.map { request in
      let name = request.params.split(separator: "\"")[3]
      return (Method.subscribe, #"{"list":"\#(name)"}"#) as CheckedLists.Request
    }
    // At the second edit, views are kept as trees.
    let edit: CheckedLists.Request = (.editSnapshot, update(3))
    for before in [made + follow, made + follow + [edit]] {
      cases.append(
        SentCases(
          before: before, method: .editSnapshot, params: #"{"list":"l",\#(moves)}"#, isChange: true)
      )
    }
    cases.append(
      SentCases(
        before: made + [edit, (.subscribe, #"{"list":"window"}"#)], method: .compose,
        params: #"{"list":"window","view":{"sort":[{"by":"v"}],"window":{"start":2,"count":3}}}"#,
        isChange: true))
    let watched: [CheckedLists.Request] = [outline, (.subscribe, #"{"list":"outline"}"#)]
    cases.append(
      SentCases(before: watched, method: .editSnapshot, params: expand, isChange: true))
    cases.append(
      SentCases(
        before: watched + [(.editSnapshot, expand)], method: .editSnapshot,
        params: #"{"list":"files","edits":[{"edit":"deleteItems","items":[3]}]}"#, isChange: true))
    return cases
  }()

  private static let texts: [SentCases] = {
    let follow: CheckedLists.Request = (
      .subscribe, #"{"list":"l","format":"textEdits","spans":true,"selectedLines":true}"#
    )
    return [
      SentCases(
        before: [follow], method: .registerTemplates,
        params: #"{"templates":{"Cell":"{id}\n{v:#Value}!"}}"#),
      SentCases(
        before: [follow], method: .registerTemplates,
        params: #"{"list":"l","templates":{"Cell":"{selected:*|-}{cursor:>| } {v} {g:2#G}"}}"#),
      SentCases(before: [], method: .subscribe, params: follow.params),
      SentCases(
        before: [], method: .getText, params: #"{"list":"l","spans":true,"selectedLines":true}"#),
      SentCases(
        before: [follow], method: .getText,
        params: #"{"list":"l","spans":true,"lines":{"start":3,"count":4}}"#),
      SentCases(before: [], method: .getText, params: #"{"list":"new"}"#),
    ]
  }()

  private static let readings: [SentCases] = {
    var cases: [SentCases] = []
    let edited: [CheckedLists.Request] = [(.editSnapshot, #"{"list":"l",\#(edits)}"#)]
    let parts: CheckedLists.Request = (
      .applySnapshot,
      #"{"list":"l","items":[{"id":1,"v":"x","parts":["a",{"v":"y"}]},2],"selected":[1]}"#
    )
    let lists: [(String, [CheckedLists.Request])] = [
      ("l", []), ("l", edited), ("c", edited + made), ("c", [parts, made[0]]), ("window", made),
      ("window", made + edited), ("outline", [outline]),
      ("outline", [outline, (.editSnapshot, expand)]),
    ]
    for (name, before) in lists {
      let list = #""list":"\#(name)""#
      func add(_ method: Method, _ params: String) {
        cases.append(SentCases(before: before, method: method, params: "{\(params)}"))
      }
      add(.getSnapshot, list)
      add(.getSnapshot, #"\#(list),"window":{"start":1,"count":5}"#)
      add(.getSnapshot, #""list":"l","revision":1"#)
      add(.getSelection, list)
      add(.getText, list)
      add(.getLists, "")
      add(.subscribe, list)
      add(.locate, #"\#(list),"items":[6,1,99,{"path":[0,1]}]"#)
      let references =
        #""items":[5],"paths":[[0,0],[9,0],[0,2]],"sections":["t","?"],"lines":[0,3,99]"#
      add(.locate, #"\#(list),\#(references),"text":true"#)
      let match = #""match":{"query":"a|f","members":["v"]}"#
      add(.locate, #"\#(list),\#(references),\#(match),"text":true"#)
      add(.locate, #"\#(list),\#(match),"count":3"#)
      add(.locate, #"\#(list),\#(match),"from":{"path":[0,0]},"direction":"backward","count":9"#)
    }
    return cases
  }()
}
