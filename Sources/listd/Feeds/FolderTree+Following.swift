extension FolderTree {
  /// Looks at what has changed. Calls `step` after each folder that is read.
  ///
  /// - Complexity: O(*e* + *f*), where *e* is the number of events and *f* that of files in folders that are
  ///   read.
  func look<E: Error>(
    at events: [FolderWatch.Event], _ step: () throws(E) -> Void
  ) throws(E) {
    var seen: Set<[UInt8]> = []
    for event in events {
      switch event {
      case .file(let watch, let name):
        guard let folder = watched[watch],
          seen.insert(Array(folder.id.utf8) + [0x2F] + name).inserted
        else { continue }
        try look(at: name, in: folder, step)
      case .permissions(let watch):
        guard let folder = watched[watch] else { continue }
        try readIfPossible(folder, step)
      case .overflow: break
      }
    }
  }
}

extension FolderWatch {
  /// Whether changes were lost.
  static func hasLost(_ events: [Event]) -> Bool {
    events.contains { if case .overflow = $0 { true } else { false } }
  }
}
