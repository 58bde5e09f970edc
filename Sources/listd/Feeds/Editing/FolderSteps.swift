import Commands
import Folders

/// The steps of an edit of a folder that have been made, and how they are undone.
struct FolderSteps {
  /// The path of the folder.
  let root: [UInt8]

  /// The trash for the files of a device.
  let trash: (UInt64) -> Trash?

  /// Called after a step was made, or undone.
  var note: (_ isMade: Bool) -> Void = { _ in }

  private var done: [(step: FolderStep, made: Made)] = []

  /// What a step has made.
  private enum Made {
    case nothing
    case file(FileIdentity)
    case trashed(Trash.Entry)
  }

  /// A step that failed, and why.
  struct Problem: Error {
    var step: FolderStep
    var why: System.MoveProblem

    var reason: String {
      switch why {
      case .unsupported: "the file system cannot move it without replacing another file"
      case .failed(ENOENT): "it is no longer there"
      case .failed(EEXIST), .failed(ENOTEMPTY): "\(step.to.text) exists"
      case .failed(EXDEV): "it cannot be moved to another file system"
      case .failed(let code): String(cString: strerror(code))
      }
    }
  }

  init(root: [UInt8], trash: @escaping (UInt64) -> Trash?) {
    self.root = root
    self.trash = trash
  }

  private func full(_ path: [UInt8]) -> [UInt8] { root + [0x2F] + path }

  private func identity(_ path: [UInt8]) -> FileIdentity? {
    System.facts(full(path), in: AT_FDCWD)?.identity
  }

  /// Makes steps in order. Those before one that fails stay made.
  mutating func make(_ steps: [FolderStep]) throws(Problem) {
    for step in steps {
      do throws(System.MoveProblem) { done.append((step, try make(step))) } catch {
        throw Problem(step: step, why: error)
      }
      note(true)
    }
  }

  private func make(_ step: FolderStep) throws(System.MoveProblem) -> Made {
    switch step.kind {
    case .makeFile, .makeFolder:
      try System.make(full(step.to), isFolder: step.isFolder)
      return identity(step.to).map { .file($0) } ?? .nothing
    case .trash:
      try check(step.from, step.identity)
      guard let trash = trash(step.identity.device) else { throw .failed(EXDEV) }
      return .trashed(try trash.take(full(step.from)))
    case .move:
      try check(step.from, step.identity)
      try move(step.from, to: step.to, step)
      return .nothing
    case .exchange:
      try check(step.from, step.identity)
      try check(step.to, step.other)
      try System.exchange(full(step.from), full(step.to))
      // Another program may have replaced one of them in between.
      guard identity(step.to) == step.identity, identity(step.from) == step.other else {
        try System.exchange(full(step.from), full(step.to))
        throw .failed(ENOENT)
      }
      return .nothing
    }
  }

  private func check(_ path: [UInt8], _ expected: FileIdentity) throws(System.MoveProblem) {
    guard identity(path) == expected else { throw .failed(ENOENT) }
  }

  private func move(
    _ old: [UInt8], to new: [UInt8], _ step: FolderStep
  ) throws(System.MoveProblem) {
    if step.isPlain {
      return try System.moveInSteps(full(old), to: full(new), isFolder: step.isFolder)
    }
    try System.move(full(old), to: full(new))
  }

  /// Undoes the steps that were made, the last one first. Returns those that could not be undone, with
  /// the reason.
  mutating func undo() -> [Problem] {
    var problems: [Problem] = []
    while let (step, made) = done.popLast() {
      do throws(System.MoveProblem) { try undo(step, made) } catch {
        var back = step
        (back.from, back.to) = (step.to, step.from)
        problems.append(Problem(step: back, why: error))
      }
      note(false)
    }
    return problems
  }

  private func undo(_ step: FolderStep, _ made: Made) throws(System.MoveProblem) {
    switch step.kind {
    case .makeFile, .makeFolder:
      guard case .file(let expected) = made else { return }
      // What another program has written to it since is kept.
      let facts = System.facts(full(step.to), in: AT_FDCWD)
      guard let facts, facts.identity == expected, step.isFolder || facts.size == 0 else {
        throw .failed(facts == nil ? ENOENT : EEXIST)
      }
      try System.remove(full(step.to), isFolder: step.isFolder)
    case .trash:
      if case .trashed(let entry) = made { try Trash.putBack(entry, to: full(step.from)) }
    case .move:
      try check(step.to, step.identity)
      try move(step.to, to: step.from, step)
    case .exchange:
      try check(step.to, step.identity)
      try check(step.from, step.other)
      try System.exchange(full(step.from), full(step.to))
    }
  }

  /// Continues with steps, of which a number was made before the process that began them was killed; if
  /// it undid them, undoes the rest. Returns the steps that could neither be made nor undone.
  mutating func resume(_ steps: [FolderStep], made count: Int, isUndoing: Bool) -> [Problem] {
    done = steps.prefix(count).map { ($0, .nothing) }
    if isUndoing {
      // The last one may have been undone already.
      if let last = done.last?.step, isAtStart(last) { done.removeLast() }
      return undo()
    }
    var rest = steps.dropFirst(count)
    if let next = rest.first {
      if isAtEnd(next) {
        done.append((next, .nothing))
        rest.removeFirst()
      } else if next.isPlain, next.isFolder, isAtStart(next) {
        // An empty folder was made, and not replaced yet.
        try? System.remove(full(next.to), isFolder: true)
      }
    }
    do throws(Problem) {
      try make(Array(rest))
      return []
    } catch { return undo() }
  }

  /// Whether a step was not made, or only a second name was.
  private func isAtStart(_ step: FolderStep) -> Bool { identity(step.from) == step.identity }

  /// Whether a step was made. A second name is removed.
  private func isAtEnd(_ step: FolderStep) -> Bool {
    switch step.kind {
    case .makeFile, .makeFolder: return identity(step.to) != nil
    case .trash: return !isAtStart(step)
    case .move, .exchange:
      guard identity(step.to) == step.identity else { return false }
      if step.isPlain, isAtStart(step) {
        do throws(System.MoveProblem) {
          try System.remove(full(step.from), isFolder: false)
        } catch { return false }
      }
      return true
    }
  }
}
