// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Modules whose folders have a guide.
let guided = [
  "ListDiff", "ListSources", "ListAdapters", "FuzzyMatch", "Folders", "ListState", "ListViews",
  "ListText", "ListProtocol", "ListServer", "ListCompare", "Commands", "listd",
]

func guide(of name: String) -> [String] { guided.contains(name) ? ["README.md"] : [] }

/// The texts in the folder of `ListServer`, which `EmbeddedTexts` contains.
let texts = ["version.txt", "protocol.json", "shapes.txt"]

/// A module of the package: its name and the modules that it may import.
func module(
  _ name: String, _ imports: [String] = [], excluding texts: [String] = [],
  settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, exclude: guide(of: name) + texts,
    swiftSettings: strict + settings)
}

func program(_ name: String, _ imports: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: imports.map { .byName(name: $0) }, exclude: guide(of: name),
    swiftSettings: strict)
}

func tests(_ name: String, of imports: [String]) -> Target {
  .testTarget(
    name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: strict)
}

// The libraries run on older systems; listd needs the spans of macOS 26. Linux ignores platforms.
let platforms: [SupportedPlatform] =
  Context.environment["LISTD_DAEMON"] == nil
  ? [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]
  : [.macOS(.v26)]

let package = Package(
  name: "listd",
  platforms: platforms,
  products: [
    .library(name: "ListDiff", targets: ["ListDiff"]),
    .library(name: "ListSources", targets: ["ListSources"]),
    .library(name: "ListAdapters", targets: ["ListAdapters"]),
    .library(name: "FuzzyMatch", targets: ["FuzzyMatch"]),
    .executable(name: "listd", targets: ["listd"]),
  ],
  targets: [
    module("ListDiff", settings: [.enableExperimentalFeature("Lifetimes")]),
    module("SumTrees"),
    module("ListStages", ["ListDiff"]),
    module("ListSources", ["ListDiff", "ListStages", "SumTrees", "FuzzyMatch"]),
    module("ListAdapters", ["ListDiff", "ListSources"]),
    module("FuzzyMatch"),
    module("ByteBuffers"),
    module("JSONBytes", ["ByteBuffers"]),
    module("ListState", ["ListDiff", "ListStages", "ByteBuffers", "SumTrees"]),
    module("ListText", ["ListDiff"]),
    module("Folders", ["ByteBuffers", "JSONBytes"]),
    module("Terminals", ["ByteBuffers", "JSONBytes", "ListText"]),
    module("JSONRPC", ["ByteBuffers", "JSONBytes"]),
    module(
      "ListProtocol",
      [
        "ListDiff", "ListStages", "ListState", "ListText", "ListViews", "FuzzyMatch",
        "ByteBuffers", "JSONBytes", "JSONRPC",
      ]),
    module("ListViews", ["ListState", "FuzzyMatch", "ByteBuffers", "JSONBytes"]),
    module(
      "ListServer",
      [
        "ListDiff", "ListState", "ByteBuffers", "JSONBytes", "JSONRPC", "ListProtocol",
        "EmbeddedTexts",
      ],
      excluding: texts),
    .target(name: "EmbeddedTexts"),
    module("ListCompare", ["ListDiff", "ListStages", "ListText", "ByteBuffers", "JSONBytes"]),
    module(
      "Commands",
      [
        "ListCompare", "ListText", "FuzzyMatch", "Folders", "Terminals", "JSONRPC", "ByteBuffers",
        "JSONBytes",
      ]),
    program(
      "listd-fuzz",
      [
        "ListServer", "ListDiff", "ListStages", "FuzzyMatch", "Folders", "JSONRPC", "ByteBuffers",
        "JSONBytes",
      ]),
    program(
      "listd",
      [
        "ListServer", "Commands", "ListCompare", "ListProtocol", "Folders", "JSONRPC",
        "ByteBuffers", "JSONBytes",
      ]),
    program("listd-bench", ["ListDiff", "ListStages", "FuzzyMatch", "ByteBuffers", "JSONBytes"]),
    tests("ListDiffTests", of: ["ListDiff", "ListStages", "listd-bench", "listd-fuzz"]),
    tests(
      "ListSourcesTests", of: ["ListSources", "ListDiff", "ListState", "FuzzyMatch", "ByteBuffers"]),
    tests("ListAdaptersTests", of: ["ListAdapters", "ListSources", "ListDiff"]),
    tests("FuzzyMatchTests", of: ["FuzzyMatch", "listd-fuzz"]),
    tests("ListTextTests", of: ["ListText", "ListDiff", "ListStages"]),
    tests("ByteBuffersTests", of: ["ByteBuffers"]),
    tests("JSONBytesTests", of: ["ByteBuffers", "JSONBytes"]),
    tests("JSONRPCTests", of: ["JSONRPC", "ByteBuffers", "JSONBytes"]),
    tests("SumTreesTests", of: ["SumTrees", "listd-fuzz"]),
    tests(
      "ListStateTests", of: ["ListState", "ListDiff", "ListStages", "ByteBuffers", "JSONBytes"]),
    tests(
      "ListProtocolTests", of: ["ListProtocol", "ListState", "ByteBuffers", "JSONBytes", "JSONRPC"]),
    tests(
      "ListViewsTests", of: ["ListViews", "ListState", "FuzzyMatch", "ByteBuffers", "JSONBytes"]),
    tests(
      "ListServerTests", of: ["ListServer", "ListProtocol", "ByteBuffers", "JSONBytes", "JSONRPC"]),
    tests("ListCompareTests", of: ["ListCompare", "ByteBuffers", "JSONBytes"]),
    tests("FoldersTests", of: ["Folders", "listd-fuzz"]),
    tests("TerminalsTests", of: ["Terminals", "ByteBuffers"]),
    tests("ArchitectureTests", of: []),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x
)
