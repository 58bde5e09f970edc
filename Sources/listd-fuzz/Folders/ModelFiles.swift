import Folders

/// A file system in memory, with the notifications of one.
///
/// Folders are lists of names, and paths are followed from the top for each call.
final class ModelFiles {
  /// A file, folder or link, whatever its names are.
  final class File {
    /// Which file it is: no other file has this number, unlike that of the system.
    let serial: Int
    let kind: FileFacts.Kind
    let identity: FileIdentity
    var modified: Int

    /// What is in a file, and where a link leads.
    var content: [UInt8] = []

    /// What is in a folder, and the folder that it is in.
    var entries: [(name: [UInt8], file: File)] = []
    weak var parent: File?
    var isReadable = true
    var isSearchable = true

    /// The number of names, and whether there was ever more than one.
    var names = 0
    var hadNames = false

    /// Whether the content may have changed by a name that is not in the list, while there were others.
    var hasUnseenChange = false

    init(serial: Int, kind: FileFacts.Kind, identity: FileIdentity, modified: Int) {
      (self.serial, self.kind, self.identity) = (serial, kind, identity)
      self.modified = modified
    }

    /// Whether the files of a folder can be read and looked at.
    var isOpenable: Bool { isReadable && isSearchable }
    var size: Int { kind == .folder ? entries.count : content.count }

    var facts: FileFacts {
      FileFacts(kind: kind, size: size, modified: modified, identity: identity, names: names)
    }

    subscript(name: [UInt8]) -> File? { entries.first { $0.name == name }?.file }
  }

  /// The names of files with rules.
  static let rules = [".gitignore", ".ignore"].map { Array($0.utf8) }

  /// What cannot be done.
  static let missing = FileFailure(.missing, "missing")
  static let forbidden = FileFailure(.other, "forbidden")
  static let tooMany = FileFailure(.limit, "too many")

  /// The folder that has all others.
  let top: File

  /// The folder that is read, and one beside it.
  let root: File
  let outside: File

  /// Whether the times of creation are known. If so, the numbers of deleted files are used again.
  private let hasCreation: Bool
  private var unused: [UInt64] = []
  private var lastNumber: UInt64 = 0
  private var lastSerial = 0
  private var clock = 0

  /// What a folder reports.
  var watches: ModelWatches

  /// Whether there was ever a file with rules.
  private var hasRules = false

  /// Whether a folder or link was made, moved or deleted, or has other permissions: links may lead elsewhere.
  var mayLeadElsewhere = false

  init(hasCreation: Bool, watches: ModelWatches) {
    self.hasCreation = hasCreation
    self.watches = watches
    func folder(_ serial: Int, _ above: File?) -> File {
      let file = File(
        serial: -serial, kind: .folder,
        identity: FileIdentity(
          device: 1, number: UInt64(1_000_000 + serial), created: UInt32(serial)),
        modified: 0)
      file.parent = above
      return file
    }
    top = folder(1, nil)
    (root, outside) = (folder(2, top), folder(3, top))
    top.entries = [(Array("r".utf8), root), (Array("o".utf8), outside)]
  }

  /// All folders from the topmost two on, in the order of a walk.
  var folders: [File] {
    var found: [File] = []
    func add(_ folder: File) {
      found.append(folder)
      for (_, file) in folder.entries where file.kind == .folder { add(file) }
    }
    add(root)
    add(outside)
    return found
  }

  // MARK: Paths

  /// Returns the file at a path.
  func file(at path: [UInt8], followsLink: Bool) throws(FileFailure) -> File {
    var links = 0
    return try find(path[...], from: top, followsLink, &links)
  }

  private func find(
    _ path: ArraySlice<UInt8>, from start: File, _ followsLink: Bool, _ links: inout Int
  ) throws(FileFailure) -> File {
    var file = path.first == 0x2F ? top : start
    let parts = path.split(separator: 0x2F)
    for (index, part) in parts.enumerated() {
      guard file.kind == .folder else { throw Self.missing }
      guard file.isSearchable else { throw Self.forbidden }
      let folder = file
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        file = file.parent ?? top
        continue
      }
      guard let next = file[Array(part)] else { throw Self.missing }
      file = next
      if file.kind == .link, followsLink || index < parts.count - 1 {
        links += 1
        guard links < 8 else { throw Self.forbidden }
        file = try find(file.content[...], from: folder, true, &links)
      }
    }
    return file
  }

  // MARK: Changes

  private var now: Int {
    clock += 1
    return clock
  }

  private func make(_ kind: FileFacts.Kind) -> File {
    lastSerial += 1
    var number = lastNumber + 1
    if hasCreation, let free = unused.popLast() { number = free } else { lastNumber = number }
    let time = now
    return File(
      serial: lastSerial, kind: kind,
      identity: FileIdentity(device: 1, number: number, created: hasCreation ? UInt32(time) : 0),
      modified: time)
  }

  private func insert(_ file: File, _ name: [UInt8], into folder: File) {
    folder.entries.append((name, file))
    if file.kind != .file { mayLeadElsewhere = true }
    folder.modified = now
    file.names += 1
    if file.kind == .folder { file.parent = folder }
    watches.note(name, in: folder)
  }

  private func takeOut(_ name: [UInt8], of folder: File) {
    guard let index = folder.entries.firstIndex(where: { $0.name == name }) else { return }
    let file = folder.entries.remove(at: index).file
    file.names -= 1
    noteEnd(of: name, of: file, in: folder)
    folder.modified = now
    watches.note(name, in: folder)
  }

  private func noteEnd(of name: [UInt8], of file: File, in folder: File) {
    // If it was written by this name, nobody knows.
    if file.names > 0, watches.isWaiting(name, in: folder) { file.hasUnseenChange = true }
    if file.kind != .file { mayLeadElsewhere = true }
  }

  private func release(_ file: File) {
    guard file.names == 0 else { return }
    unused.append(file.identity.number)
    watches.forget(file)
  }

  /// Makes an empty file, a folder, or a link with a target.
  func make(_ kind: FileFacts.Kind, _ name: [UInt8], in folder: File, _ content: [UInt8] = []) {
    guard folder[name] == nil else { return }
    let file = make(kind)
    file.content = content
    insert(file, name, into: folder)
  }

  /// Writes a file, which is made if it is missing.
  func write(_ content: [UInt8], _ name: [UInt8], in folder: File) {
    if folder[name] == nil { make(.file, name, in: folder) }
    guard let file = folder[name], file.kind == .file else { return }
    file.content = content
    file.modified = now
    if name[0] == 0x2E { hasRules = true }
    if file.names > 1, name[0] == 0x2E || hasRules || !watches.areAdded(to: folder) {
      file.hasUnseenChange = true
    }
    watches.noteContent(of: name, in: folder)
  }

  /// Gives a file another name. Nothing reports that rules change by another name of their file.
  func link(_ old: [UInt8], in folder: File, to name: [UInt8], in other: File) {
    guard let file = folder[old], file.kind == .file, other[name] == nil,
      !Self.rules.contains(name),
      !Self.rules.contains(old)
    else { return }
    insert(file, name, into: other)
    file.hadNames = true
    watches.noteContent(of: old, in: folder)
  }

  /// Deletes a file, or a folder with all that is in it.
  func delete(_ name: [UInt8], in folder: File) {
    guard let file = folder[name] else { return }
    for (name, _) in file.entries.reversed() { delete(name, in: file) }
    takeOut(name, of: folder)
    release(file)
  }

  /// Moves a file, also over another one or an empty folder. Returns false if that is not possible.
  @discardableResult
  func move(
    _ old: [UInt8], in folder: File, to name: [UInt8], in other: File, replaces: Bool = true
  ) -> Bool {
    guard let file = folder[old], !isIn(other, file) else { return false }
    let there = other[name]
    if let there {
      guard replaces, there !== file, there.entries.isEmpty,
        (there.kind == .folder) == (file.kind == .folder)
      else { return false }
    }
    takeOut(old, of: folder)
    if let there {
      other.entries.removeAll { $0.name == name }
      there.names -= 1
      noteEnd(of: name, of: there, in: other)
    }
    insert(file, name, into: other)
    if let there { release(there) }
    return true
  }

  /// Exchanges two files.
  func exchange(_ old: [UInt8], in folder: File, with name: [UInt8], in other: File) -> Bool {
    guard let file = folder[old], let there = other[name], file !== there, !isIn(other, file),
      !isIn(folder, there)
    else { return false }
    takeOut(old, of: folder)
    takeOut(name, of: other)
    insert(there, old, into: folder)
    insert(file, name, into: other)
    return true
  }

  /// Lets a folder be read, or looked into, or not.
  func setPermissions(of folder: File, reads: Bool, searches: Bool) {
    (folder.isReadable, folder.isSearchable) = (reads, searches)
    mayLeadElsewhere = true
    watches.notePermissions(of: folder)
    if let above = folder.parent, let name = above.entries.first(where: { $0.file === folder }) {
      watches.noteContent(of: name.name, in: above)
    }
  }

  private func isIn(_ folder: File, _ file: File) -> Bool {
    var above: File? = folder
    while let current = above {
      if current === file { return true }
      above = current.parent
    }
    return false
  }
}
