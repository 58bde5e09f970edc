import Folders

/// What a list of a folder has to show: each time, the folder is read anew.
struct ModelRows {
  private let files: ModelFiles
  private let options: FoldersTarget.Options
  private let wanted: Set<String>

  /// The items by their paths.
  private let items: [[UInt8]: (id: String, value: PlainValue)]

  /// Whether all folders were just read, also those that nothing reports changes of.
  private let isWhole: Bool

  /// The file of each item.
  private(set) var found: [(id: String, file: ModelFiles.File)] = []

  /// The paths of folders that cannot be read now: what is below them is as it was.
  private(set) var unreadable: [[UInt8]] = []

  /// Whether files may not be in the list because of that.
  private(set) var hasUnread = false

  /// Compares the items of a list with a folder.
  init(
    _ mirror: FolderMirror, _ files: ModelFiles, _ options: FoldersTarget.Options,
    wanted: Set<String>, isWhole: Bool
  ) {
    (self.files, self.options, self.wanted, self.isWhole) = (files, options, wanted, isWhole)
    var items: [[UInt8]: (id: String, value: PlainValue)] = [:]
    for (id, value) in mirror.items {
      let path = value["path"]?.text ?? []
      precondition(items.updateValue((id, value), forKey: path) == nil, "a path is there twice")
    }
    self.items = items
    check(files.root, [], nil, ModelRules())
    let paths = Set(found.map { mirror.items[$0.id]?["path"]?.text ?? [] })
    for path in items.keys where !paths.contains(path) {
      precondition(
        unreadable.contains { $0.isEmpty || path.starts(with: $0 + [0x2F]) },
        "\(path.shownText) is not in the folder")
    }
  }

  /// The path of a list's item as the list shows it.
  private static func shown(_ path: [[UInt8]]) -> [UInt8] {
    let texts = path.map { name in
      name.flatMap { byte -> [UInt8] in byte == 0xFF ? Array("\\xff".utf8) : [byte] }
    }
    return Array(texts.joined(separator: [0x2F]))
  }

  private mutating func check(
    _ folder: ModelFiles.File, _ path: [[UInt8]], _ parent: String?, _ above: ModelRules
  ) {
    guard folder.isOpenable else {
      unreadable.append(Self.shown(path))
      hasUnread =
        hasUnread || !folder.isReadable || folder.entries.contains { !isHidden($0.name) }
      return
    }
    var rules = above
    if !options.showsIgnored {
      for name in ModelFiles.rules {
        guard let file = folder[name], file.kind == .file else { continue }
        rules.add(file.content, depth: path.count)
      }
    }
    for (name, file) in folder.entries {
      let below = path + [name]
      if isHidden(name) { continue }
      if !options.showsIgnored, rules.ignores(below, isFolder: file.kind == .folder) { continue }
      check(item: file, below, parent, rules)
    }
  }

  private func isHidden(_ name: [UInt8]) -> Bool {
    name.starts(with: ".listd-edit-".utf8) || name[0] == 0x2E && !options.showsHidden
      || !options.showsIgnored && name == Array(".git".utf8)
  }

  private mutating func check(
    item file: ModelFiles.File, _ path: [[UInt8]], _ parent: String?, _ rules: ModelRules
  ) {
    let shown = Self.shown(path)
    guard let (id, value) = items[shown] else {
      preconditionFailure("\(shown.shownText) is not in the list")
    }
    found.append((id, file))
    func expect(_ member: String, _ expected: [UInt8]?) {
      let text = value[member]?.text
      precondition(
        text == expected, "\(shown.shownText) has \(member) \(text?.shownText ?? "-")")
    }
    let type = file.kind == .file ? "file" : file.kind == .folder ? "folder" : "link"
    expect("type", Array(type.utf8))
    expect("name", Self.shown([path.last!]))
    expect("parent", parent.map { Array($0.utf8) })
    expect("target", file.kind == .link ? file.content : nil)
    expect("bytes", path.last!.contains(0xFF) ? Array("eP8=".utf8) : nil)
    var folder = file.kind == .folder ? file : nil
    if file.kind == .link {
      let full = Array("/r/".utf8) + Array(path.joined(separator: [0x2F]))
      folder = try? files.file(at: full, followsLink: true)
      if folder?.kind != .folder { folder = nil }
    }
    let isLazy = folder != nil && (file.kind == .link || options.isLazy)
    let saysLazy = if case .bool(true) = value["lazy"] { true } else { false }
    precondition(saysLazy == isLazy, "\(shown.shownText) is lazy: \(saysLazy), not \(isLazy)")
    let isRead =
      folder != nil
      && (isLazy ? wanted.contains(id) : options.levels.map { path.count < $0 } ?? true)
    // Nothing reports the changes of folders that are not read, and of names that are not in the list.
    if isWhole || file.kind == .file && !file.hasUnseenChange || isRead && folder!.isOpenable {
      let found = (value["size"]?.number, value["modified"]?.number)
      precondition(
        found == (file.size, file.modified),
        "\(shown.shownText) has \(found), not \((file.size, file.modified))")
    }
    if isRead { check(folder!, path, id, rules) }
  }
}

extension [UInt8] {
  /// The bytes as text.
  fileprivate var shownText: String { String(decoding: self, as: UTF8.self) }
}
