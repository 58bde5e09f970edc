import Foundation
import Testing

/// Checks the rules of `Sources/README.md` about modules against the sources.
///
/// Promise: Imports, error codes, addresses, classes: the rules of `Sources/README.md`.
@Suite struct ArchitectureTests {
  let sources: [SourceFile]

  init() throws { sources = try SourceFile.sources.get() }

  /// The imports that each module may have, including the C library and Foundation.
  static let imports: [String: Set<String>] = {
    let lists: Set = ["ListDiff"]
    let stages = lists.union(["ListStages"])
    let bytes: Set = ["ByteBuffers"]
    let state = stages.union(bytes).union(["SumTrees", "Synchronization"])
    let json = bytes.union(["JSONBytes"])
    let views = json.union(["ListState", "FuzzyMatch"])
    let wire = stages.union(json).union([
      "JSONRPC", "ListState", "ListText", "ListViews", "FuzzyMatch",
    ])
    let server = wire.union(["ListProtocol"])
    let system: Set = ["Glibc", "Musl", "Darwin"]
    let compare = stages.union(json).union(["ListText"])
    let commands = compare.subtracting(stages).union([
      "ListCompare", "FuzzyMatch", "Folders", "Terminals", "JSONRPC", "Synchronization",
    ])
    let all = server.union(commands).union(["ListServer", "Commands"])
    return [
      "ListDiff": [], "SumTrees": [], "ListStages": lists,
      "ListSources": stages.union(["SumTrees", "FuzzyMatch"]),
      "ListAdapters": lists.union(["ListSources", "UIKit", "AppKit", "Observation"]),
      "FuzzyMatch": [],
      "ByteBuffers": ["Synchronization"], "JSONBytes": bytes, "ListState": state,
      "Folders": json.union(["Synchronization"]),
      "ListText": lists, "ListViews": views, "Terminals": json.union(["ListText"]),
      "JSONRPC": json, "ListProtocol": wire,
      "ListServer": server.union(["EmbeddedTexts"]), "ListCompare": compare,
      "Commands": commands.union(system), "listd": all.union(system),
      "listd-fuzz": all.union(["Foundation"]), "listd-bench": all.union(["Foundation"]),
    ]
  }()

  /// The modules that may use descriptors, threads and memory: what makes up programs.
  private static func isOfAProgram(_ module: String) -> Bool {
    module.hasPrefix("listd") || module == "Commands"
  }

  @Test func importsFollowTheLevels() throws {
    let pattern = /^\s*(?:@\w+\s+)*(?:public |package |internal )?import ((?:\w+ )?[\w.]+)/
    for file in sources {
      let allowed = try #require(Self.imports[file.module], "\(file.path) is in an unknown module")
      for (index, line) in file.code.enumerated() {
        guard let name = try pattern.firstMatch(in: line)?.1 else { continue }
        #expect(
          allowed.contains(String(name)),
          "\(file.location(index)): \(file.module) may not import \(name)")
      }
    }
  }

  /// The code map has a row for each module, with its imports.
  @Test func theCodeMapListsTheImports() throws {
    let map = try SourceFile.text(of: "Sources/README.md")
    let levels = try #require(map.split(separator: "```").dropFirst().first)
    for module in Set(sources.map(\.module)) {
      #expect(levels.contains(module), "no level for \(module)")
      let row = map.split(separator: "\n").first { $0.hasPrefix("| `\(module)` |") }
      let cell = try #require(row, "no row for \(module)").split(separator: "|").last ?? ""
      guard !cell.contains("all of the above") else { continue }
      let listed = cell.matches(of: /`([^`]+)`/).map { String($0.1) }
      #expect(Set(listed) == Self.imports[module], "the row of \(module)")
    }
  }

  /// Modules below the program use no descriptors, clocks or threads: a session is a value. Only sources
  /// for apps and what shows them belong to the main actor.
  @Test func onlyTheProgramUsesTheSystem() throws {
    let below = sources.filter {
      !Self.isOfAProgram($0.module) && !["ListSources", "ListAdapters"].contains($0.module)
    }
    let rule = try Rule(
      "uses the system",
      against: #"\b(print|debugPrint)\(|\bCommandLine\b|\bTask\b|\basync\b|\bawait\b"#
        + #"|\bactor\b|Clock\b|pthread_"#)
    let breaches = rule.breaches(in: below)
    #expect(breaches == [])
  }

  @Test func listModulesDoNotUseJSON() throws {
    let lists = sources.filter {
      ["ListDiff", "ListStages", "SumTrees", "ListState", "ListText"].contains($0.module)
    }
    let rule = try Rule(
      "uses JSON",
      against: #"\bJSON|\bMember(Keys|Ranges)\b|\bByteBuffer\b"#)
    let breaches = rule.breaches(in: lists)
    #expect(breaches == [])
  }

  @Test func onlyTheProtocolChoosesAnErrorCode() throws {
    let others = sources.filter {
      $0.module != "ListProtocol" && $0.path != "Sources/JSONRPC/ErrorCode.swift"
    }
    let rule = try Rule("chooses an error code", against: #"\bErrorCode\b|-3[12]\d\d\d\b"#)
    let breaches = rule.breaches(in: others)
    #expect(breaches == [])
  }

  /// Views of bytes with bounds may be used anywhere from the frame to the lists; only a few files use
  /// addresses and memory.
  @Test func onlyAFewFilesAreUnsafe() throws {
    let owned = [
      "Sources/ListDiff/Tables/Array+View.swift", "Sources/ListDiff/Tables/IDHash+Text.swift",
    ]
    let views = sources.filter {
      ["ListDiff", "ListStages", "SumTrees", "ListSources", "ListText"].contains($0.module)
        && !owned.contains($0.path)
    }
    let unsafe = try Rule("is unsafe", against: #"Unsafe|Unmanaged|unsafe[A-Z]"#)
    let breaches = unsafe.breaches(in: views)
    #expect(breaches == [])

    let owners = ["ByteBuffers", "JSONBytes"]
    let files =
      [
        "Sources/JSONRPC/FrameReader.swift", "Sources/ListState/Identifiers/IDTable",
        "Sources/FuzzyMatch/Kernels/",
      ] + owned
    let others = sources.filter { source in
      !Self.isOfAProgram(source.module) && !owners.contains(source.module)
        && !files.contains(where: source.path.hasPrefix)
    }
    let addresses = try Rule(
      "uses addresses",
      against: #"UnsafeMutable|Unsafe(Raw)?Pointer\b|Unmanaged|unsafeBitCast|loadUnaligned"#
        + #"|baseAddress|\bassumingMemoryBound\b"#)
    let moreBreaches = addresses.breaches(in: others)
    #expect(moreBreaches == [])
  }

  /// Swift 6.3.1 may lose a store to an array or a tuple that exists only for a call that reads its
  /// bytes, once that call is inlined.
  @Test func temporariesAreNotReadAsBytes() throws {
    let nested = #"(?:[^\[\]]|\[[^\[\]]*\])*"#
    let rule = try Rule(
      "reads a temporary value as bytes",
      against: #"(?:^|[^\w\])}>?!])\[\#(nested)\]\.withUnsafe|^\s*\]\.withUnsafe"#
        + #"|\bwithUnsafe(?:Bytes|Pointer)\((?:of|to): (?!\w+\))"#)
    let text = """
      _ = [x, y].withUnsafeBytes { $0.count }
      return [x[0], y].withUnsafeBytes(sum)
      ].withUnsafeBufferPointer {
      withUnsafeBytes(of: (x, y)) { sum($0) }
      withUnsafePointer(to: entry.pair) { sum($0) }
      """
    let wrong = SourceFile(path: "Sources/X/Y.swift", text: text)
    #expect(rule.breaches(in: [wrong]).count == wrong.lines.count)
    let right = SourceFile(
      path: "Sources/X/Y.swift",
      text: "names[index].withUnsafeBytes { $0 }\na[b[0]].withUnsafeBytes { $0 }\n"
        + "withUnsafeBytes(of: value) { $0 }\nwithUnsafeMutableBytes(of: &a.b) { $0 }")
    #expect(rule.breaches(in: [right]) == [])
    #expect(try rule.breaches(in: sources + SourceFile.all(in: "Tests")) == [])
  }

  @Test func onlyAFewTypesAreClasses() throws {
    let owners = [
      "SharedBytes", "Pairing", "MemberKeys", "SharedColumns", "SharedParts", "SharedContents",
      "SharedTree", "ItemBlock", "ItemsBehind", "SnapshotChange", "ListChange",
      "TermProgram",
      "ListSource", "Composed", "SourcePart", "SourceRecorder", "SectionSource",
      "DerivedSource", "FilteredSource", "SortedSource", "GroupedSource", "SearchedSource",
      "TextSearch", "OutlineSource", "NestedSource",
      "WindowSource", "SourceState", "Token", "RequestContext", "ListPresenter",
      "TerminalList",
      "TableDisplay", "CollectionDisplay", "AppKitTableDisplay", "ObservedList",
      "ObservedDisplay", "FolderTree", "FolderNodes", "Content", "IgnoreRules",
      "RenderedText", "TextNode", "SharedStep",
    ]
    let pattern = /^\s*(?:@\w+\s+)*(?:\w+ )*class (\w+)/
    for file in sources where !Self.isOfAProgram(file.module) {
      for (index, line) in file.code.enumerated() where !line.contains("import class") {
        guard let name = try pattern.firstMatch(in: line)?.1, name != "func" else { continue }
        #expect(owners.contains(String(name)), "\(file.location(index)): class \(name)")
      }
    }
  }

  /// The libraries use nothing that is newer than the systems in the manifest, but for an observed list,
  /// which only newer systems have.
  ///
  /// Promise: The libraries support macOS 13, iOS 16 and the corresponding systems, and build with
  ///   library evolution. Also `Tests/library`.
  @Test func theLibrariesTakeOldSystems() throws {
    let libraries = sources.filter {
      ["ListDiff", "ListStages", "SumTrees", "ListSources", "ListAdapters", "FuzzyMatch"]
        .contains($0.module)
        && $0.path != "Sources/ListAdapters/ObservedList.swift"
    }
    let rule = try Rule(
      "needs a newer system",
      against: #"\bInlineArray\b|\bU?Int128\b|\bmutableSpan\b|utf8\.span|isolated deinit"#
        + #"|import (Synchronization|Observation)"#)
    #expect(rule.breaches(in: libraries) == [])
    // The span of an array is newer than that of a contiguous one, which has the same name.
    let spans = try Rule("needs a newer system", against: #"\.span\b"#)
    let others = libraries.filter { file in
      !["Changes+Computing", "Pairing+Items", "ListDiffer", "ListDiff/Tables/IDTable"].contains {
        file.path.contains($0)
      } && file.path != "Sources/FuzzyMatch/TextStore.swift"
    }
    #expect(spans.breaches(in: others) == [])
  }

  /// Only the rows of a presenter may have any type.
  @Test func nothingTrapsOrForces() throws {
    let rule = try Rule(
      "traps or forces", against: #"\bfatalError\b|\btry!|\bas!|\bunowned\b|-Ounchecked"#)
    let breaches = rule.breaches(in: sources)
    #expect(breaches == [])
    let types = try Rule("may have any type", against: #"\bAny\b|\bAnyObject\b"#)
    let others = types.breaches(in: sources.filter { $0.module != "ListAdapters" })
    #expect(others == [])
  }
}
