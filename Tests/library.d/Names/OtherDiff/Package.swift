// swift-tools-version: 5.9
import PackageDescription

let package = Package(
  name: "OtherDiff", products: [.library(name: "ListDiff", targets: ["ListDiff"])],
  targets: [.target(name: "ListDiff")])
