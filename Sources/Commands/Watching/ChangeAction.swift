import ByteBuffers
import ListCompare

/// A command that is run when rows have changed. It reads the changes, each a JSON object on a line.
///
/// Changes while it runs are one change afterwards.
final class ChangeAction {
  private let command: String
  private let comparison: ComparisonOptions

  /// Whether the command's output is left out.
  private let isSilent: Bool

  /// The rows up to which the last run has read changes, and the present ones.
  private var known: ComparedFile?
  private var present: ComparedFile?
  private var process: pid_t = 0

  init(_ command: String, _ comparison: ComparisonOptions, isSilent: Bool) {
    self.command = command
    self.comparison = comparison
    self.isSilent = isSilent
  }

  /// When it is to be asked again whether the command has ended; nil if it does not run.
  var deadline: MonotonicTime? {
    process > 0 ? MonotonicTime.now.advanced(by: .milliseconds(50)) : nil
  }

  /// Takes the present rows, and runs the command if they are others than those that it knows.
  func add(_ file: ComparedFile) {
    present = file
    if known == nil { known = file }
    start()
  }

  /// Looks whether the command has ended, and runs it again if rows have changed meanwhile. Returns
  /// why it failed.
  func finish() -> String? {
    guard process > 0 else { return nil }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    process = 0
    start()
    guard status != 0 else { return nil }
    let words =
      status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "ended by signal \(status & 0x7F)"
    return "--exec: \(words)"
  }

  /// Waits until the command has been run for the last change. Returns why it failed.
  func end() -> String? {
    var problem: String?
    while process > 0 {
      if let words = finish() { problem = words }
      _ = Waiting.wait(for: [], .milliseconds(20))
    }
    return problem
  }

  private func start() {
    guard process == 0, let known, let present,
      let change = try? Comparison(known, present, comparison)
    else { return }
    self.known = present
    guard !change.isSame else { return }
    var changes = ByteBuffer()
    change.append(.ndjson, named: (known.name, present.name), to: &changes) { _ in }
    guard let input = Self.file(changes) else { return }
    defer { _ = System.closeFile(input) }
    setenv("LISTD_CHANGE", change.summary, 1)
    let null = isSilent ? System.openFile("/dev/null", O_WRONLY | O_CLOEXEC) : -1
    defer { if null >= 0 { _ = System.closeFile(null) } }
    process =
      System.start(
        ["/bin/sh", "-c", command], input: input,
        output: isSilent ? nil : Descriptor.output.number, errors: null >= 0 ? null : nil,
        inOwnSession: false) ?? 0
  }

  /// Opens a file without a name that has the given content.
  private static func file(_ content: borrowing ByteBuffer) -> Int32? {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/listd-XXXXXX".utf8CString)
    let number = path.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
    guard number >= 0 else { return nil }
    path.withUnsafeBufferPointer { _ = unlink($0.baseAddress!) }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard content.withUnsafeBytes({ Descriptor(number: number).write($0) }),
      lseek(number, 0, SEEK_SET) == 0
    else {
      _ = System.closeFile(number)
      return nil
    }
    return number
  }
}
