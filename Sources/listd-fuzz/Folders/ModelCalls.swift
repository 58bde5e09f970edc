import Folders

/// The calls by which a tree of files reads a `ModelFiles`, which may change before each of them.
final class ModelCalls {
  private let files: ModelFiles
  private var opened: [Int32: ModelFiles.File] = [:]

  /// The number of folders that cannot be opened because too many are.
  var refusals = 0

  /// What happens before a call, and after how many others.
  var races: [(after: Int, change: () -> Void)] = []

  init(_ files: ModelFiles) { self.files = files }

  /// Whether all folders were closed.
  var areClosed: Bool { opened.isEmpty }

  private func race() {
    guard !races.isEmpty else { return }
    races[0].after -= 1
    if races[0].after < 0 { races.removeFirst().change() }
  }

  /// Lets all happen that was to happen during calls.
  func finishRaces() {
    while !races.isEmpty { races.removeFirst().change() }
  }

  private func open(_ path: [UInt8], _ followsLink: Bool) throws(FileFailure) -> Int32 {
    race()
    if refusals > 0 {
      refusals -= 1
      throw ModelFiles.tooMany
    }
    let folder = try files.file(at: path, followsLink: followsLink)
    guard folder.kind == .folder else { throw ModelFiles.missing }
    guard folder.isReadable else { throw ModelFiles.forbidden }
    let number = (opened.keys.max() ?? 2) + 1
    opened[number] = folder
    return number
  }

  private func look(_ name: [UInt8], _ folder: ModelFiles.File) throws(FileFailure) -> FileFacts {
    race()
    guard folder.isSearchable else { throw ModelFiles.forbidden }
    guard let file = folder[name] else { throw ModelFiles.missing }
    return file.facts
  }

  private func content(_ name: [UInt8], _ number: Int32) -> [UInt8]? {
    race()
    guard let folder = opened[number], folder.isSearchable, let file = folder[name],
      file.kind == .file
    else { return nil }
    return file.content
  }

  private func forEachFile(
    _ number: Int32, _ body: (UnsafeRawBufferPointer, FolderCalls.Look) -> Void
  ) {
    guard let folder = opened.removeValue(forKey: number) else {
      preconditionFailure("the folder is not open")
    }
    race()
    let names = folder.entries.map { $0.name }
    for name in names {
      name.withUnsafeBytes { bytes in
        body(bytes) { () throws(FileFailure) in try look(name, folder) }
      }
    }
  }

  /// The calls, with notifications if `watches`.
  func calls(watches: Bool) -> FolderCalls {
    FolderCalls(
      facts: { path, followsLink throws(FileFailure) in
        self.race()
        return try self.files.file(at: path, followsLink: followsLink).facts
      },
      target: { path in
        self.race()
        guard let link = try? self.files.file(at: path, followsLink: false), link.kind == .link
        else { return nil }
        return link.content
      },
      checkPermissions: { path throws(FileFailure) in
        self.race()
        guard try self.files.file(at: path, followsLink: true).isOpenable else {
          throw ModelFiles.forbidden
        }
      },
      open: { path, followsLink throws(FileFailure) in try self.open(path, followsLink) },
      content: { self.content($0, $1) },
      forEachFile: { number, body throws(FileFailure) in self.forEachFile(number, body) },
      watch: watches ? watching : nil)
  }

  private var watching: FolderWatching {
    FolderWatching(
      isDetailed: files.watches.isDetailed,
      begin: { number, _ in
        self.race()
        return self.opened[number].map { self.files.watches.begin($0) } ?? -1
      },
      end: { self.files.watches.end($0) })
  }
}
