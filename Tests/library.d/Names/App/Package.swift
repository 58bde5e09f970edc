// swift-tools-version: 6.2
import PackageDescription

// A package that depends on two others with modules of the same names as those of listd.
let package = Package(
  name: "App",
  dependencies: [
    .package(path: "../listd"),
    .package(path: "../OtherDiff"),
    .package(path: "../OtherMatch"),
  ],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [
        .product(
          name: "ListSources", package: "listd", moduleAliases: ["ListDiff": "ListdDiff"]),
        .product(
          name: "FuzzyMatch", package: "listd", moduleAliases: ["FuzzyMatch": "ListdMatch"]),
        .product(name: "ListDiff", package: "OtherDiff"),
        .product(name: "FuzzyMatch", package: "OtherMatch"),
      ])
  ])
