// swift-tools-version: 5.9
import PackageDescription

let package = Package(
  name: "OtherMatch", products: [.library(name: "FuzzyMatch", targets: ["FuzzyMatch"])],
  targets: [.target(name: "FuzzyMatch")])
