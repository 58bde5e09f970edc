// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// A module of the package: its name and the modules that it may import.
func module(_ name: String, _ imports: [String] = [], resources: [Resource] = []) -> Target {
  .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, resources: resources,
    swiftSettings: strict)
}

func program(_ name: String, _ imports: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: strict)
}

func tests(_ name: String, of imports: [String]) -> Target {
  .testTarget(
    name: name, dependencies: imports.map { .byName(name: $0) }, swiftSettings: strict)
}

let package = Package(
  name: "listd",
  // Where the standard library has `UInt128` and the span of a text.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "ListDiff", targets: ["ListDiff"]),
    .library(name: "FuzzyMatch", targets: ["FuzzyMatch"]),
    .executable(name: "listd", targets: ["listd"]),
  ],
  targets: [
    module("ListDiff"),
    module("FuzzyMatch"),
    module("JSONBytes"),
    module("ListState", ["ListDiff", "JSONBytes"]),
    module("ListText", ["ListDiff"]),
    module("JSONRPC", ["JSONBytes"]),
    module(
      "ListProtocol",
      ["ListDiff", "ListState", "ListText", "ListViews", "FuzzyMatch", "JSONBytes", "JSONRPC"]),
    module("ListViews", ["ListState", "FuzzyMatch", "JSONBytes"]),
    module(
      "ListServer", ["ListDiff", "ListState", "JSONBytes", "JSONRPC", "ListProtocol"],
      resources: [.embedInCode("version.txt"), .embedInCode("protocol.json")]),
    module("ListCompare", ["ListDiff", "JSONBytes", "ListProtocol"]),
    program("listd-fuzz", ["ListServer", "ListDiff", "FuzzyMatch", "JSONRPC", "JSONBytes"]),
    program("listd", ["ListServer", "ListCompare", "ListProtocol", "JSONRPC", "JSONBytes"]),
    program("listd-bench", ["ListDiff", "FuzzyMatch", "JSONBytes"]),
    tests("ListDiffTests", of: ["ListDiff", "listd-bench", "listd-fuzz"]),
    tests("FuzzyMatchTests", of: ["FuzzyMatch", "listd-fuzz"]),
    tests("ListTextTests", of: ["ListText", "ListDiff"]),
    tests("JSONBytesTests", of: ["JSONBytes"]),
    tests("JSONRPCTests", of: ["JSONRPC", "JSONBytes"]),
    tests("ListStateTests", of: ["ListState", "ListDiff", "JSONBytes"]),
    tests("ListProtocolTests", of: ["ListProtocol", "ListState", "JSONBytes", "JSONRPC"]),
    tests("ListViewsTests", of: ["ListViews", "ListState", "JSONBytes"]),
    tests("ListServerTests", of: ["ListServer", "ListProtocol", "JSONBytes", "JSONRPC"]),
    tests("ListCompareTests", of: ["ListCompare", "JSONBytes"]),
    tests("ArchitectureTests", of: []),
  ],
  swiftLanguageModes: [.v6]
)
