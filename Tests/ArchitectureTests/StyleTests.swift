import Foundation
import Testing

/// Checks the rules of style that the formatter does not check. `Tests/style` checks the English.
@Suite struct StyleTests {
  let sources: [SourceFile]

  init() throws { sources = try SourceFile.sources.get() }

  @Test func filesHaveAtMost400Lines() throws {
    for file in try sources + SourceFile.all(in: "Tests") {
      #expect(file.lines.count <= 401, "\(file.path) has more than 400 lines")
    }
  }

  @Test func typesAreNouns() throws {
    let modules = Set(ArchitectureTests.imports.keys)
    let pattern = /\b(?:struct|enum|class|actor|protocol|typealias) (\w+)/
    for file in sources {
      for (index, line) in file.code.enumerated() where !line.contains("import ") {
        guard let name = try pattern.firstMatch(in: line).map({ String($0.1) }) else { continue }
        #expect(!modules.contains(name), "\(file.location(index)): a type with its module's name")
        for word in ["Manager", "Helper", "Util", "Utils", "Impl", "Utilities"] {
          #expect(!name.hasSuffix(word), "\(file.location(index)): not a noun: \(name)")
        }
      }
    }
  }

  /// Public and package types and functions have a summary, except for operators.
  @Test func sharedDeclarationsHaveASummary() throws {
    let pattern = try Regex(
      #"^\s*(?:@\w+(?:\([^)]*\))? )*(?:package|public) (?:(?:static|mutating|consuming|borrowing"#
        + #"|final|nonisolated|indirect) )*(?:func \w|struct|enum|class|protocol|typealias"#
        + #"|subscript)"#)
    for file in sources {
      for (index, line) in file.code.enumerated() where line.firstMatch(of: pattern) != nil {
        let above = file.lines[..<index].reversed().first { !$0.contains(/^\s*@/) } ?? ""
        #expect(above.contains("///"), "\(file.location(index)): no summary: \(file.lines[index])")
      }
    }
  }

  @Test func thereAreNoReminders() throws {
    let words = try Regex(#"\b(TODO|FIXME|XXX|HACK)\b"#)
    for file in try sources + SourceFile.all(in: "Tests")
    where !file.path.hasPrefix("Tests/ArchitectureTests") {
      for (index, line) in file.lines.enumerated() {
        #expect(line.firstMatch(of: words) == nil, "\(file.location(index)): \(line)")
      }
    }
  }

  /// Comments and strings do not break rules.
  @Test func commentsAndStringsAreNotCode() throws {
    let file = SourceFile(
      path: "Sources/X/Y.swift", text: "let a = \"fatalError\" // as!\nlet b = \"\\\"\"; as!")
    #expect(try Rule("", against: "fatalError|as!").breaches(in: [file]).count == 1)
    #expect(file.code[0].count == file.lines[0].count && file.module == "X")
  }
}
