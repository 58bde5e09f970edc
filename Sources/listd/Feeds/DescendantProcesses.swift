import Commands

/// The processes that this one has started, and those that these have started, in whatever group or session.
enum DescendantProcesses {
  /// A process, and its group.
  struct Process {
    var id: pid_t
    var group: pid_t
  }

  /// Lets this process be the parent of all descendants that lose theirs, so that `all` finds them. Returns
  /// false if the system cannot do that.
  static func adopt() -> Bool {
    #if os(Linux)
      let becomeSubreaper: Int32 = 36
      return control(becomeSubreaper, 1, third: 0, fourth: 0, fifth: 0) == 0
        && access("/proc/self/stat", R_OK) == 0
    #else
      return false
    #endif
  }

  /// Returns the descendants that run.
  static func all() -> [Process] {
    var children: [pid_t: [Process]] = [:]
    _ = System.forEachFile(inFolder: System.openFolder(Array("/proc".utf8))) { name, _ in
      guard let id = pid_t(String(decoding: name, as: UTF8.self)),
        let status = System.content(ofFile: Array("/proc/\(id)/stat".utf8), in: AT_FDCWD)
      else { return }
      // After the name of the program, which may have any characters: the state, the parent and the group.
      let words = status[(status.lastIndex(of: 0x29) ?? 0)...].split(separator: 0x20).dropFirst()
      let text = words.prefix(3).map { String(decoding: $0, as: UTF8.self) }
      guard text.count == 3, text[0] != "Z", let parent = pid_t(text[1]),
        let group = pid_t(text[2])
      else { return }
      children[parent, default: []].append(Process(id: id, group: group))
    }
    var found: [Process] = []
    var rest = [getpid()]
    while let parent = rest.popLast() {
      let here = children.removeValue(forKey: parent) ?? []
      found += here
      rest += here.map { $0.id }
    }
    return found
  }
}

#if os(Linux)
  @_silgen_name("prctl")
  private func control(
    _ option: Int32, _ value: UInt, third: UInt, fourth: UInt, fifth: UInt
  ) -> Int32
#endif
