import Foundation

/// The target that the environment names; `session` if it names none.
private let chosen = getenv("LISTD_FUZZ").flatMap { Target(rawValue: String(cString: $0)) }

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  (chosen ?? .session).run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

#if LIBFUZZER
  @_silgen_name("LLVMFuzzerMutate")
  private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int

  /// Called by libFuzzer to mutate an input.
  @_cdecl("LLVMFuzzerCustomMutator")
  public func mutateInput(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: UInt32
  ) -> Int {
    var random = SplitMix(state: UInt64(seed))
    // One time in eight the bytes are mutated without regard to their meaning.
    guard (chosen ?? .session).isLines, random.next(below: 8) > 0 else {
      return mutate(bytes, count, room)
    }
    var lines = RequestLines(UnsafeRawBufferPointer(start: bytes, count: count))
    lines.mutate(&random)
    return write(lines.text, to: bytes, room)
  }

  /// Called by libFuzzer to combine two inputs.
  @_cdecl("LLVMFuzzerCustomCrossOver")
  public func crossInputs(
    _ first: UnsafePointer<UInt8>, _ firstCount: Int, _ second: UnsafePointer<UInt8>,
    _ secondCount: Int, _ out: UnsafeMutablePointer<UInt8>, _ room: Int, _ seed: UInt32
  ) -> Int {
    var random = SplitMix(state: UInt64(seed))
    let first = UnsafeRawBufferPointer(start: first, count: firstCount)
    let second = UnsafeRawBufferPointer(start: second, count: secondCount)
    guard (chosen ?? .session).isLines else {
      let head = Array(first.prefix(random.next(below: firstCount + 1)))
      return write(head + second.dropFirst(random.next(below: secondCount + 1)), to: out, room)
    }
    var lines = RequestLines(first)
    lines.insert(from: RequestLines(second), &random)
    return write(lines.text, to: out, room)
  }

  private func write(
    _ bytes: some Sequence<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ room: Int
  ) -> Int {
    var count = 0
    for byte in bytes.prefix(room) {
      out[count] = byte
      count += 1
    }
    return count
  }
#else
  @main
  enum Replaying {
    /// Runs the target that the first argument names on files.
    static func main() {
      let words = CommandLine.arguments.dropFirst()
      guard let target = words.first.flatMap(Target.init) else {
        let names = Target.allCases.map(\.rawValue).joined(separator: "|")
        fputs("Usage: listd-fuzz \(names) FILE...\n", stderrFile())
        exit(2)
      }
      for path in words.dropFirst() {
        print(path)
        let bytes = read(path)
        bytes.withUnsafeBytes { target.run($0) }
      }
    }

    private static func stderrFile() -> UnsafeMutablePointer<FILE>? { fdopen(2, "w") }

    private static func read(_ path: String) -> [UInt8] {
      guard let file = fopen(path, "r") else {
        print("cannot read \(path)")
        exit(1)
      }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
    }
  }
#endif
