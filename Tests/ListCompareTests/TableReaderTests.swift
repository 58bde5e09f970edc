import ByteBuffers
import Testing

@testable import ListCompare

/// Files become rows of a table, whose columns and identity are found.
@Suite struct TableReaderTests {
  /// The titles of the columns, and the content of the list.
  private static func read(
    _ texts: String..., named name: String = "f", options: ComparisonOptions = .init()
  ) throws -> (titles: [String], content: String) {
    var reader = TableReader(options)
    var content = SharedBytes(copying: EmptyCollection<UInt8>())
    for text in texts { content = try reader.read(file(text, named: name)) }
    return (
      reader.columns.map { $0.title },
      content.withBytes { String(decoding: $0, as: UTF8.self) }
    )
  }

  @Test func linesBelowAHeader() throws {
    let table = try Self.read(
      """
          PID %CPU COMMAND
            1  0.5 init -x
         1234 10.0 a b c

      """)
    #expect(table.titles == ["PID", "%CPU", "COMMAND"])
    #expect(
      table.content == """
        {"items":[{"id":"1","1":1,"2":0.5,"3":"init -x"},\
        {"id":"1234","1":1234,"2":10.0,"3":"a b c"}]}
        """)
  }

  @Test func columnsWithEmptyValuesAndTitlesOfSeveralWords() throws {
    let table = try Self.read(
      """
      CONTAINER ID   IMAGE   NAMES
      a1             nginx   web
      b2                     日本 x

      """)
    #expect(table.titles == ["CONTAINER ID", "IMAGE", "NAMES"])
    #expect(
      table.content == """
        {"items":[{"id":"a1","1":"a1","2":"nginx","3":"web"},{"id":"b2","1":"b2","3":"日本 x"}]}
        """)
  }

  @Test func linesWithoutAHeader() throws {
    for text in ["one two\nthree four\n", "[a] b\n[c] d\n", "\u{1B}[31mx\u{1B}[0m\r\n"] {
      let table = try Self.read(text)
      #expect(table.titles == [""] && !table.content.contains("\"id\""))
    }
  }

  @Test func theKeyStaysThatOfTheFirstFile() throws {
    let head = "NAME STATE\n"
    let table = try Self.read(head + "a 1\nb 2\n", head + "a 1\na 2\n")
    #expect(
      table.content == """
        {"items":[{"id":"a","1":"a","2":1},{"id":"a\\u0000\\u00001","1":"a","2":2}]}
        """)
  }

  @Test func recordsOfCSV() throws {
    let table = try Self.read("name,\"a,b\"\nx,\"1,2\"\ny,007\n", named: "f.csv")
    #expect(table.titles == ["name", "a,b"])
    #expect(
      table.content == """
        {"items":[{"id":"x","1":"x","2":"1,2"},{"id":"y","1":"y","2":"007"}]}
        """)
  }

  @Test func itemsOfJSON() throws {
    let table = try Self.read(
      #"[{"id":1,"a":{"b":2,"c":[1]}},{"id":2,"d":null}]"#, #"[{"id":3,"e":1}]"#)
    #expect(table.titles == ["id", "a.b", "a.c", "d", "e"])
    #expect(table.content == #"{"items":[{"id":3,"e":1}]}"#)
  }

  @Test func namedKinds() throws {
    var options = ComparisonOptions()
    options.input = .json
    #expect(throws: ComparisonFailure.self) { try Self.read("[a]\n", options: options) }
    options.input = .text
    options.keyFields = ["2"]
    #expect(
      try Self.read("a 1\nb\n", options: options).content
        == #"{"items":[{"id":"1","1":"a","2":1},{"1":"b"}]}"#)
    options.keyFields = ["9"]
    #expect(throws: ComparisonFailure.self) { try Self.read("a 1\n", options: options) }
  }

  @Test(
    arguments: [
      (#"{"id":"1","text":"1,Ann,5","name":"Ann","n":"5"}"#, true),
      (#"{"id":"Ann","text":"\"A \"\"x\"\"\";5","name":"A \"x\"","n":"5"}"#, true),
      (#"{"id":1,"text":"a10","n":1}"#, false), (#"{"id":1,"text":"buy milk"}"#, false),
      (#"{"id":1,"text":"5 or 6","n":5}"#, false), (#"{"id":1,"n":5}"#, false),
    ] as [(String, Bool)])
  func aTextThatIsMadeOfTheOtherMembersIsNoColumn(_ item: String, _ isDerived: Bool) {
    let list = Array("{\"items\":[\(item)]}".utf8)
    list.withUnsafeBytes { list in
      #expect(TableColumn.isTextDerived(inItems: list) == isDerived)
      let hasText = TableColumn.all(ofItems: list).contains { $0.member == "text" }
      #expect(hasText == (!isDerived && item.contains("text")))
    }
  }
}
