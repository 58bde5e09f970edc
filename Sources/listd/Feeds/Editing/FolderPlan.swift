import Commands
import Folders
import ListProtocol

/// What an edit of a folder changes, and the problems that it has.
struct FolderPlan {
  /// A name in a folder, which has the identifier of its item: empty for the topmost one, and another
  /// word for one that the edit makes.
  struct Place: Hashable {
    var folder: String
    var name: [UInt8]
  }

  /// What becomes of a file, or a file that is made.
  struct Wish {
    /// The file; `nil` if it is made.
    var node: FolderNode?

    /// The identifier of the file, or the word for one that is made.
    var id: String
    var isFolder: Bool

    /// Where it will be; `nil` if in the trash.
    var target: Place?
  }

  struct Problem {
    /// The identifier of the file; `nil` if it is to be made.
    var id: String?
    var reason: String
  }

  let tree: FolderTree

  /// Where the files are and will be, as the list shows paths: by their identifiers, and by wishes.
  private(set) var origins: [String: Place] = [:]
  private(set) var originPaths: [String: [UInt8]] = [:]
  private(set) var finalPaths: [[UInt8]] = []
  private(set) var wishes: [Wish] = []
  private(set) var problems: [Problem] = []

  /// The wishes by the identifiers of files.
  private(set) var wishOf: [String: Int] = [:]

  /// The trash for the files of a device, if it was looked for and is there.
  private(set) var trash: [UInt64: Trash?] = [:]

  /// The files whose folders are named by paths, and not found yet.
  private var later: [(wish: Int, folder: [ArraySlice<UInt8>], name: [UInt8])] = []

  init(_ edit: FolderEdit, of tree: FolderTree) {
    self.tree = tree
    for change in edit.changes {
      switch change {
      case .update(let id, let names): update(id, names)
      case .insert(let name, let isFolder, let parent): insert(name, isFolder, in: parent)
      case .delete(let id):
        guard let node = existing(id) else { continue }
        setWish(Wish(node: node, id: id, isFolder: node.facts.kind == .folder))
      }
    }
    findFolders()
    wishes.removeAll { wish in wish.node.map { $0.place == wish.target } ?? false }
    wishOf = [:]
    for (index, wish) in wishes.enumerated() {
      wishOf[wish.id] = index
      guard let node = wish.node else { continue }
      (origins[node.id], originPaths[node.id]) = (node.place, node.path)
    }
    check()
    finalPaths = wishes.map { finalPath(of: $0, depth: 0) ?? [] }
  }

  private mutating func report(_ wish: Wish, _ reason: String) {
    problems.append(Problem(id: wish.node?.id, reason: reason))
  }

  /// Returns the file with an identifier that has no other wish yet than another name.
  private mutating func existing(_ id: String) -> FolderNode? {
    guard let node = tree.nodes[id] else {
      problems.append(Problem(id: id, reason: "it is not in the list"))
      return nil
    }
    if let index = wishOf[id], wishes[index].target == nil {
      problems.append(Problem(id: id, reason: "it is deleted by an earlier edit"))
      return nil
    }
    return node
  }

  private mutating func setWish(_ wish: Wish) {
    later.removeAll { wishOf[wish.id] == $0.wish }
    if let index = wishOf[wish.id] {
      wishes[index] = wish
    } else {
      wishOf[wish.id] = wishes.count
      wishes.append(wish)
    }
  }

  private mutating func insert(_ name: [UInt8], _ isFolder: Bool, in parent: String?) {
    if let parent, tree.nodes[parent]?.isFolder != true {
      problems.append(Problem(id: nil, reason: "\(parent) is not a folder of the list"))
      return
    }
    let target = Place(folder: parent ?? "", name: name)
    setWish(Wish(id: "+\(wishes.count)", isFolder: isFolder, target: target))
  }

  private mutating func update(_ id: String, _ names: FolderEdit.Names) {
    guard let node = existing(id) else { return }
    let (shown, shownPath) = (node.name.shown, node.path.shown)
    var name: [UInt8]?
    if let given = names.name, given != shown { name = given }
    if let exact = names.bytes, exact != node.name { name = exact }
    let old = node.place
    var wish = Wish(node: node, id: id, isFolder: node.facts.kind == .folder, target: old)
    guard let path = names.path, path != shownPath else {
      if let name { wish.target!.name = name }
      return setWish(wish)
    }
    var parts = path.split(separator: 0x2F, omittingEmptySubsequences: false)
    let last = Array(parts.removeLast())
    if let name, name.shown != last { return report(wish, "its name and its path disagree") }
    let newName = name ?? (last == shown ? node.name : last)
    guard parts.allSatisfy({ !$0.isEmpty && Array($0).nameProblem == nil }) else {
      return report(wish, "\(path.text) is not a path below the folder")
    }
    setWish(wish)
    later.append((wishOf[id]!, parts, newName))
  }

  /// Returns the identifier of the folder that is at a path.
  private func folder(at parts: [ArraySlice<UInt8>]) -> String? {
    var node = tree.root
    for part in parts {
      guard let next = node.child(shownAs: Array(part)), next.isFolder else { return nil }
      node = next
    }
    return node.id
  }

  /// Finds the folders of paths: as they are after the edit, or if there is none then, as they are before.
  private mutating func findFolders() {
    while !later.isEmpty {
      let waiting = Set(later.map { $0.wish })
      var places: [Place: String] = [:]
      for (index, wish) in wishes.enumerated() where !waiting.contains(index) {
        if let target = wish.target, wish.node?.isFolder ?? wish.isFolder {
          places[target] = wish.id
        }
      }
      var rest: [(wish: Int, folder: [ArraySlice<UInt8>], name: [UInt8])] = []
      for entry in later {
        if let folder = folder(at: entry.folder, after: places) {
          wishes[entry.wish].target = Place(folder: folder, name: entry.name)
        } else {
          rest.append(entry)
        }
      }
      let isStuck = rest.count == later.count
      later = rest
      guard isStuck else { continue }
      for entry in later {
        let path = Array(entry.folder.joined(separator: [0x2F]))
        guard let folder = folder(at: entry.folder) else {
          report(wishes[entry.wish], "there is no folder \(path.text)")
          continue
        }
        wishes[entry.wish].target = Place(folder: folder, name: entry.name)
      }
      later = []
    }
  }

  /// Returns the identifier of the folder that will be at a path, if some files will be at places.
  private func folder(at parts: [ArraySlice<UInt8>], after places: [Place: String]) -> String? {
    var folder = ""
    for part in parts {
      let place = Place(folder: folder, name: Array(part))
      if let id = places[place] {
        folder = id
      } else if let node = node(of: folder)?.child(shownAs: place.name), node.isFolder,
        wishOf[node.id] == nil
      {
        folder = node.id
      } else {
        return nil
      }
    }
    return folder
  }

  func node(of folder: String) -> FolderNode? { folder.isEmpty ? tree.root : tree.nodes[folder] }

  /// Where a wish leads, below the folder; `nil` if to the trash.
  private func finalPath(of wish: Wish, depth: Int) -> [UInt8]? {
    wish.target.map { finalPath($0, depth: depth) }
  }

  private func finalPath(_ place: Place, depth: Int) -> [UInt8] {
    let id = place.folder
    // A folder that would be in itself has no path.
    guard !id.isEmpty, depth < 1 << 10 else { return place.name }
    let above =
      if let index = wishOf[id] {
        finalPath(of: wishes[index], depth: depth + 1) ?? []
      } else {
        finalPath(tree.nodes[id]!.place, depth: depth + 1)
      }
    return above.isEmpty ? place.name : above + [0x2F] + place.name
  }

  /// Finds why the wishes cannot come true.
  private mutating func check() {
    var users: [Place: Int] = [:]
    for wish in wishes { if let target = wish.target { users[target, default: 0] += 1 } }
    for wish in wishes {
      if let reason = problem(of: wish, users) ?? missing(wish) { report(wish, reason) }
    }
  }

  private mutating func problem(of wish: Wish, _ users: [Place: Int]) -> String? {
    guard let target = wish.target else {
      let device = wish.node!.facts.identity.device
      if trash[device] == nil {
        trash[device] = .some(
          Trash.find(for: tree.absolutePath + [0x2F] + wish.node!.path, device: device))
      }
      return trash[device]! == nil ? "there is no trash for it" : nil
    }
    if let reason = target.name.nameProblem { return reason }
    let name = target.name.text
    if users[target]! > 1 { return "several files would be called \(name)" }
    var folder: String? = target.folder
    var isMoved = wish.node?.place.folder == target.folder
    while let id = folder, !id.isEmpty {
      if id == wish.id { return "a folder cannot be moved into itself" }
      let above = wishOf[id].map { wishes[$0] }
      if let above, above.target == nil { return "its folder is deleted" }
      folder = above?.target?.folder ?? tree.nodes[id]?.place.folder
      isMoved = isMoved || above?.node == nil && above != nil
    }
    guard let parent = node(of: target.folder) else { return nil }
    if let node = wish.node, !isMoved,
      System.facts(tree.fullPath(parent), in: AT_FDCWD)?.identity.device
        != node.facts.identity.device, !parent.leadsToFolder
    {
      return "it cannot be moved to another file system"
    }
    if let there = parent.child(target.name), wishOf[there.id] != nil { return nil }
    let path = tree.fullPath(parent) + [0x2F] + target.name
    return System.facts(path, in: AT_FDCWD) == nil ? nil : "\(name) exists"
  }

  /// Returns why a file is not where the list has it; `nil` if it is.
  private func missing(_ wish: Wish) -> String? {
    guard let node = wish.node else { return nil }
    let facts = System.facts(tree.fullPath(node), in: AT_FDCWD)
    return facts?.identity == node.facts.identity ? nil : "it is no longer there"
  }
}

extension FolderNode {
  /// Where the file is.
  var place: FolderPlan.Place { FolderPlan.Place(folder: parent?.id ?? "", name: name) }

  /// Returns the file that the list shows by a name.
  func child(shownAs name: [UInt8]) -> FolderNode? {
    child(name) ?? children.first { $0.name.shown == name && $0.name != name }
  }
}

extension [UInt8] {
  /// Why no file can have the name; `nil` if one can.
  fileprivate var nameProblem: String? {
    if isEmpty { return "a name cannot be empty" }
    if self == [0x2E] || self == [0x2E, 0x2E] { return "\(text) is not a name" }
    if contains(0x2F) { return "a name has no slash" }
    if contains(0) { return "a name has no NUL" }
    if count > 255 { return "the name is too long" }
    return UnfinishedEdit.isItsName(self) ? "names like \(text) are those of edits" : nil
  }
}
