#if canImport(Glibc)
  /// Code that runs before the Swift runtime starts.
  ///
  /// If `/proc` is missing, the runtime of a static program ends the process unless `SWIFT_ROOT` is
  /// set, and `CommandLine` has no arguments.
  package enum ProgramStart {
    typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    nonisolated(unsafe) fileprivate static var count: Int32 = 0
    nonisolated(unsafe) fileprivate static var words: Words?

    /// The words of the command line. The first one is the program's name.
    package static var arguments: [String] {
      guard let words else { return CommandLine.arguments }
      return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
    }
  }

  @section(".preinit_array") @used
  private let prepare: @convention(c) (Int32, ProgramStart.Words?) -> Void = { count, words in
    guard access("/proc/self/exe", F_OK) != 0 else { return }
    setenv("SWIFT_ROOT", "/", 0)
    ProgramStart.count = count
    ProgramStart.words = words
  }
#else
  /// The command line.
  package enum ProgramStart {
    /// The words of the command line. The first one is the program's name.
    package static var arguments: [String] { CommandLine.arguments }
  }
#endif
