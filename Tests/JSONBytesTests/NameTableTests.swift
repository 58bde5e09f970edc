import JSONBytes
import Testing

@Suite struct NameTableTests {
  private static let names = [
    "", "a", "list", "lists", "sections", "sectionIds", "ünï", "\u{1}\"", "sectionsOfTheList",
    "sectionsOfAllList", "sectionsOf2List",
  ]

  /// Returns the index of the name of the first member of an object.
  private func index(of object: String) throws -> Int? {
    let table = NameTable(Self.names)
    return try withBytes(Array(object.utf8)) { bytes throws in
      var reader = JSONReader(bytes)
      try reader.openObject()
      let name = try #require(try reader.nextMember())
      return table.index(of: name, in: reader)
    }
  }

  @Test func findsEachName() throws {
    for (index, name) in Self.names.enumerated() {
      let text = written { $0.append(string: name) }
      #expect(try self.index(of: "{\(text):1}") == index)
    }
    #expect(try index(of: #"{"\u006cist":1}"#) == 2)
  }

  @Test func findsNoOtherName() throws {
    for name in [
      "b", "lis", "liste", "sectionx", "sectionIdx", "Sections", "unï", "sectionsOf3List",
      "sectionsxfTheList", "sectionsOfTheLisx",
    ] {
      #expect(try index(of: "{\"\(name)\":1}") == nil)
    }
  }

  /// As many names as a table may have.
  @Test func holdsManyNames() throws {
    let table = NameTable((0..<128).map { "name\($0)" })
    for number in 0..<200 {
      let found = try withBytes(Array("{\"name\(number)\":0}".utf8)) { bytes throws in
        var reader = JSONReader(bytes)
        try reader.openObject()
        return table.index(of: try #require(try reader.nextMember()), in: reader)
      }
      #expect(found == (number < 128 ? number : nil))
    }
  }
}
