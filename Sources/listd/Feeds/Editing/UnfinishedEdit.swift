import ByteBuffers
import Commands
import Folders
import ListCompare

/// The steps of an edit of a folder, in a file in the folder while they are being made, so that names in
/// between are finished or undone if the daemon is killed.
struct UnfinishedEdit {
  /// Whether a name is that of such a file, or a name in between.
  static func isItsName(_ name: [UInt8]) -> Bool { name.starts(with: FolderTree.editPrefix) }

  /// A name that no other edit uses.
  static var newToken: [UInt8] {
    FolderTree.editPrefix + Array("\(getpid())-\(UInt64.random(in: 0..<(1 << 40)))".utf8)
  }

  private let path: [UInt8]

  /// The descriptor that keeps the file locked.
  private let number: Int32

  /// Writes the steps of an edit to a file, and locks it.
  init(_ steps: [FolderStep], token: [UInt8], root: [UInt8]) throws(System.MoveProblem) {
    path = root + [0x2F] + token
    number = path.withPath { System.openLocked($1, in: $0, O_RDWR | O_CREAT | O_EXCL) }
    guard number >= 0 else { throw .failed(errno) }
    var text = ByteBuffer()
    for step in steps { step.append(to: &text) }
    text.append("end")
    let isWritten = text.withUnsafeBytes { Descriptor(number: number).write($0) }
    guard isWritten else {
      let why = errno
      end()
      throw .failed(why)
    }
  }

  /// Records that the next step was made, or the last one undone.
  func note(isMade: Bool) {
    let mark: UInt8 = isMade ? 0x2B : 0x2D
    _ = withUnsafeBytes(of: mark) { Descriptor(number: number).write($0) }
  }

  /// Removes the file: no name in between is left.
  func end() {
    try? System.remove(path, isFolder: false)
    close(number)
  }

  /// Finishes or undoes the edits that killed daemons have left in a folder. Returns whether there were some.
  static func finish(_ names: [[UInt8]], in root: [UInt8]) -> Bool {
    // Names in between have a number after a dot.
    let tokens = names.filter { !$0.dropFirst().contains(0x2E) }
    var isFinished = false
    for token in tokens {
      let path = root + [0x2F] + token
      let number = path.withPath { System.openLocked($1, in: $0, O_RDWR) }
      guard number >= 0 else { continue }
      defer { close(number) }
      isFinished = true
      let content = (try? FileContents.read(Descriptor(number: number), "")).map {
        $0.withBytes { Array($0) }
      }
      let (steps, marks) = FolderStep.read(content ?? [])
      let undone = marks.count { $0 == 0x2D }
      let made = marks.count - 2 * undone
      guard made >= 0, made <= steps.count else { continue }
      var edit = FolderSteps(root: root) {
        Trash.find(for: root + [0x2F] + token, device: $0)
      }
      let kept = edit.resume(steps, made: made, isUndoing: undone > 0)
      for problem in kept { rescue(problem.step, root) }
      try? System.remove(path, isFolder: false)
    }
    return isFinished
  }

  /// Gives a file that neither its old nor its new name is free for one like the old one.
  static func rescue(_ step: FolderStep, _ root: [UInt8]) {
    let name = step.from.lastIndex(of: 0x2F).map { Array(step.from[($0 + 1)...]) } ?? step.from
    guard isItsName(name) else { return }
    for number in 1... {
      let new = root + [0x2F] + step.to + Array(".\(number)".utf8)
      do throws(System.MoveProblem) {
        return try System.moveAnyhow(root + [0x2F] + step.from, to: new)
      } catch {
        guard case .failed(EEXIST) = error else { return }
      }
    }
  }
}

extension FolderStep {
  /// Appends the fields of the step, each with a NUL at its end.
  fileprivate func append(to out: inout ByteBuffer) {
    let numbers = [identity, other].flatMap { identity in
      [String(identity.device), String(identity.number), String(identity.created)]
    }
    let words = ["\(kind.rawValue)", isFolder ? "1" : "0", isPlain ? "1" : "0"] + numbers
    for field in words.map({ Array($0.utf8) }) + [from, to] {
      out.append(contentsOf: field)
      out.append(0)
    }
  }

  /// Reads steps and the marks after them; none if the last ones are missing, because then none was made.
  fileprivate static func read(_ bytes: [UInt8]) -> (steps: [FolderStep], marks: [UInt8]) {
    let fields = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    let (count, end) = (11, Array("end".utf8))
    guard let last = fields.last, last.starts(with: end), fields.count % count == 1 else {
      return ([], [])
    }
    var steps: [FolderStep] = []
    for start in stride(from: 0, to: fields.count - 1, by: count) {
      let words = fields[start..<(start + 9)].map { String(decoding: $0, as: UTF8.self) }
      guard let kind = UInt8(words[0]).flatMap({ Kind(rawValue: $0) }) else { return ([], []) }
      func identity(_ index: Int) -> FileIdentity {
        FileIdentity(
          device: UInt64(words[index]) ?? 0, number: UInt64(words[index + 1]) ?? 0,
          created: UInt32(words[index + 2]) ?? 0)
      }
      var step = FolderStep(kind: kind, from: fields[start + 9], to: fields[start + 10])
      (step.identity, step.other) = (identity(3), identity(6))
      (step.isFolder, step.isPlain) = (words[1] == "1", words[2] == "1")
      steps.append(step)
    }
    return (steps, Array(last.dropFirst(end.count)))
  }
}

extension System {
  /// Opens and locks a file. Returns -1 if that fails, or another process has locked it.
  fileprivate static func openLocked(
    _ path: UnsafePointer<CChar>, in folder: Int32, _ flags: Int32
  ) -> Int32 {
    let number = openat(folder, path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0, flock(number, LOCK_EX | LOCK_NB) != 0 else { return number }
    let why = errno
    close(number)
    errno = why
    return -1
  }
}
