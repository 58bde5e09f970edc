/// Why a command line is invalid, or a command has failed.
package struct CommandProblem: Error {
  package var words: String
  package var exitCode: Int32

  /// Whether the help of the command explains the correct form.
  package var isOfCommandLine: Bool

  package init(words: String, exitCode: Int32 = 2, isOfCommandLine: Bool = true) {
    self.words = words
    self.exitCode = exitCode
    self.isOfCommandLine = isOfCommandLine
  }
}
