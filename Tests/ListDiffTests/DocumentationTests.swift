import Foundation
import Testing

/// The documentation comments of the libraries: their examples and summaries.
///
/// Promise: The Swift examples in the library's comments and in `README.md` are run; every public
///   declaration is documented. Also `ExampleTests`.
@Suite struct DocumentationTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Each example in a comment of the sources is compiled and run by an `ExampleTests`.
  @Test func examplesOfTheSourcesAreRun() throws {
    let compiled = try compiled()
    var examples = 0
    for (name, text) in try sources() {
      for part in text.components(separatedBy: "/// ```swift\n").dropFirst() {
        let lines = part.components(separatedBy: "/// ```")[0].components(separatedBy: "///")
        let isRun = compiled.contains(normalized(lines.joined()))
        #expect(isRun, "\(name): \(lines.joined())")
        examples += 1
      }
    }
    #expect(examples >= 12)
  }

  /// Each paragraph of an example in the README is compiled and run, too.
  @Test func examplesOfTheReadmeAreRun() throws {
    let compiled = try compiled()
    let examples = try text(of: "README.md").components(separatedBy: "```swift\n").dropFirst()
    #expect(!examples.isEmpty)
    for example in examples {
      let code = example.components(separatedBy: "```")[0]
      for paragraph in code.components(separatedBy: "\n\n") {
        let isRun = compiled.contains(normalized(paragraph))
        #expect(isRun, "README.md: \(paragraph)")
      }
    }
  }

  /// Each paragraph of an example in the articles of `ListAdapters` is compiled and run by
  /// `Tests/library`.
  @Test func examplesOfTheScreensAreRun() throws {
    let compiled = try normalized(text(of: "Tests/library.d/Views/Run/Tutorials.swift"))
    for article in ["ListAdapters", "Screens"] {
      let text = try text(of: "Sources/ListAdapters/ListAdapters.docc/\(article).md")
      let examples = text.components(separatedBy: "```swift\n").dropFirst()
      #expect(!examples.isEmpty)
      for example in examples {
        for paragraph in example.components(separatedBy: "```")[0].components(separatedBy: "\n\n") {
          let isRun = compiled.contains(normalized(paragraph))
          #expect(isRun, "\(article): \(paragraph)")
        }
      }
    }
  }

  /// The first example of each document, and each that shows a change in a view, is compiled against models of
  /// UIKit, and run, by `Tests/library`.
  @Test func examplesOfViewsAreCompiledForUIKit() throws {
    let folder = "Tests/library.d/Views/Run"
    let compiled = try ["Examples", "Tutorials"]
      .map { try normalized(text(of: "\(folder)/\($0).swift")) }.joined(separator: "\n")
    var examples = try sources().flatMap { name, text in
      text.components(separatedBy: "/// ```swift\n").dropFirst().map {
        (name, $0.components(separatedBy: "/// ```")[0].replacing("///", with: ""))
      }
    }.filter { $0.1.contains(/(tableView|collectionView)\./) }
    #expect(examples.count >= 7)
    for document in ["README.md"] + (try articles()) {
      let parts = try text(of: document).components(separatedBy: "```swift\n").dropFirst()
      for (index, part) in parts.enumerated() {
        let code = part.components(separatedBy: "```")[0]
        guard index == 0 || code.contains(/(tableView|collectionView)\./) else { continue }
        examples += code.components(separatedBy: "\n\n").map { (document, $0) }
      }
    }
    for (name, code) in examples {
      #expect(compiled.contains(normalized(code)), "\(name): \(code)")
    }
  }

  /// The comment of each public declaration begins with one sentence, also of cases, properties and
  /// operators.
  @Test func publicDeclarationsHaveASummary() throws {
    var described = 0
    for (name, text) in try sources() {
      let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      var isPublicEnum = false
      for (index, line) in lines.enumerated() {
        if line.contains(/\benum\b/) { isPublicEnum = line.hasPrefix("public enum") }
        let isCase = isPublicEnum && line.contains(/^case \w+\(.*\)$/)
        let isRequirement = line.hasPrefix("var ") && line.hasSuffix("{ get set }")
        guard isCase || isRequirement || line.contains(/^(@inlinable )?public (?!extension)/)
        else { continue }
        let comment = lines[..<index].reversed().drop { $0.hasPrefix("@") }
          .prefix { $0.hasPrefix("///") }.reversed().map { $0.dropFirst(3) }
        let summary = comment.prefix { !$0.isEmpty }.joined()
        let isSentence = summary.hasSuffix(".") && !summary.contains(". ")
        #expect(isSentence, "\(name): \(line): \(summary)")
        described += 1
      }
    }
    #expect(described > 50)
  }

  private static let libraries = ["ListDiff", "ListSources", "ListAdapters", "FuzzyMatch"]

  /// The normalized text of all compiled examples.
  private func compiled() throws -> String {
    try Self.libraries.map { try normalized(text(of: "Tests/\($0)Tests/ExampleTests.swift")) }
      .joined(separator: "\n")
  }

  private func sources() throws -> [(name: String, text: String)] {
    try Self.libraries.flatMap { library in
      let folder = root.appending(path: "Sources/\(library)").path
      return try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".swift") }
        .map { ($0, try text(of: "Sources/\(library)/\($0)")) }
    }
  }

  /// The articles of the documentation.
  private func articles() throws -> [String] {
    try Self.libraries.flatMap { library in
      let folder = "Sources/\(library)/\(library).docc"
      return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private func normalized(_ code: String) -> String {
    code.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
