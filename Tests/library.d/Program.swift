import Foundation

/// A program of a package of its own, which uses every public declaration of the libraries.
@main struct Program {
  static func main() async throws {
    try callDiff()
    try callMatch()
    try await callSources()
    print("every call does what it says")
  }
}

/// Ends the program if a condition is false.
func expect(_ condition: @autoclosure () throws -> Bool, _ what: String) rethrows {
  if try condition() { return }
  FileHandle.standardError.write(Data("wrong: \(what)\n".utf8))
  exit(1)
}
