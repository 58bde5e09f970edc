/// The options of commands that measure a daemon with lists of some sizes.
struct DaemonOptions {
  private(set) var sizes: [Int] = []
  private(set) var daemon = Daemon.builtPath

  /// Reads the options; `nil` if one is unknown, or if a size is less than the least one. `sizes` are the
  /// default.
  init?(
    _ arguments: ArraySlice<String>, leastSize: Int,
    sizes defaults: [Int] = [1_000, 100_000, 1_000_000]
  ) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size >= leastSize else { return nil }
        sizes.append(size)
      case "--daemon":
        guard let path = rest.popFirst() else { return nil }
        daemon = path
      default: return nil
      }
    }
    if sizes.isEmpty { sizes = defaults }
  }
}
