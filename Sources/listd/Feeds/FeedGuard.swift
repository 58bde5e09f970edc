import Commands
import Synchronization

/// The process between the daemon and a command of a feed.
///
/// It runs the command in a process group of its own, and ends the command and all that it has started when the
/// daemon closes a pipe: also when the daemon was killed, so that no process of a feed outlives it.
enum FeedGuard {
  /// The first word of the command line of a guard. Users do not call it.
  static let word = "feed-guard"

  /// The descriptor that ends when the group is to be ended, and that of reports.
  private static let (lifeline, reports): (Int32, Int32) = (3, 4)

  /// The other ends of the command's output and errors, which are open as long as the guard runs, so that a
  /// command can say something while it is being ended.
  private static let outputs: [Int32] = [5, 6]

  /// What a guard reports: the kind and a number.
  enum Report {
    /// The command runs, with a process ID.
    case started(pid_t)
    /// The folder could not be entered, or the command not be started, for a reason of `errno`.
    case noFolder(Int32)
    case noCommand(Int32)
    /// The command has ended with a status of `waitpid`.
    case ended(Int32)

    init?(_ kind: Int32, _ number: Int32) {
      switch kind {
      case 0: self = .started(number)
      case 1: self = .noFolder(number)
      case 2: self = .noCommand(number)
      case 3: self = .ended(number)
      default: return nil
      }
    }

    var words: (Int32, Int32) {
      switch self {
      case .started(let process): (0, process)
      case .noFolder(let why): (1, why)
      case .noCommand(let why): (2, why)
      case .ended(let status): (3, status)
      }
    }
  }

  /// The words of the command line of a guard.
  static func words(
    _ command: [String], in directory: String?, _ environment: [(name: String, value: String?)]
  ) -> [String] {
    [word, directory.map { "+\($0)" } ?? "", "\(environment.count)"]
      + environment.map { name, value in value.map { "\(name)=\($0)" } ?? name } + command
  }

  /// Runs the command of a command line. Returns the exit code.
  static func run(_ words: ArraySlice<String>) -> Int32 {
    // Only the daemon ends a guard.
    let ignored = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]
    for number in ignored { signal(number, SIG_IGN) }
    for number in [lifeline, reports] + outputs { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    var words = words
    guard let folder = words.popFirst(), let count = words.popFirst().flatMap({ Int($0) }),
      words.count > count
    else { return 2 }
    for variable in words.prefix(count) { set(variable) }
    if !folder.isEmpty, chdir(String(folder.dropFirst())) != 0 {
      report(.noFolder(errno))
      return 1
    }
    let command = Array(words.dropFirst(count))
    let adopts = DescendantProcesses.adopt()
    let started = System.start(
      command, output: Descriptor.output.number, errors: nil, inOwnGroup: true,
      plain: ignored + [SIGXFSZ])
    guard let process = started else {
      report(.noCommand(errno))
      return 1
    }
    report(.started(process))
    // Only the command writes to these.
    let null = System.openFile("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(null, Descriptor.output.number)
    dup2(null, Descriptor.error.number)
    let children = Children()
    System.startThread { children.waitForAll(process) }
    var byte: UInt8 = 0
    while withUnsafeMutableBytes(of: &byte, { Descriptor(number: lifeline).read(into: $0) }) > 0 {}
    end(process, children, adopts: adopts)
    return 0
  }

  /// The command, and processes that have lost their parents.
  private final class Children: Sendable {
    private let haveEnded = Atomic(false)

    /// Waits until all have ended, and reports how the command has.
    func waitForAll(_ command: pid_t) {
      while true {
        var status: Int32 = 0
        let process = waitpid(-1, &status, 0)
        if process == command { report(.ended(status)) }
        if process < 0, errno != EINTR { break }
      }
      haveEnded.store(true, ordering: .releasing)
    }

    var areOver: Bool { haveEnded.load(ordering: .acquiring) }
  }

  /// Ends the processes of a group and, if it `adopts` those that have lost their parents, all others
  /// that the command has started: asks them to end, and kills them a second later.
  private static func end(_ group: pid_t, _ children: Children, adopts: Bool) {
    // A group exists as long as its first process was not waited for.
    var isOver: Bool { children.areOver && (adopts || kill(-group, 0) != 0) }
    func send(_ signal: Int32) {
      guard adopts else {
        kill(-group, signal)
        return
      }
      let processes = DescendantProcesses.all()
      if processes.contains(where: { $0.group == group }) { kill(-group, signal) }
      for process in processes where process.group != group { kill(process.id, signal) }
    }
    if isOver { return }
    send(SIGTERM)
    for round in 0..<200 {
      if isOver { return }
      // Processes that are being killed may still start others.
      if round >= 100 { send(SIGKILL) }
      usleep(10_000)
    }
  }

  /// Sets a variable of the environment, or removes it if there is no value.
  private static func set(_ variable: String) {
    guard let sign = variable.utf8.firstIndex(of: 0x3D) else {
      unsetenv(variable)
      return
    }
    setenv(String(variable[..<sign]), String(variable[variable.index(after: sign)...]), 1)
  }

  private static func report(_ report: Report) {
    let words = report.words
    _ = withUnsafeBytes(of: words) { Descriptor(number: reports).write($0) }
  }
}
