import Folders

/// A folder that changes as the bytes say, and a list that follows it: whenever it has settled, the list has what
/// reading the folder anew finds, and no identifier was lost or used for another file.
///
/// Promise: The list of a folder follows whatever happens in the folder, before, while and after it is read; an
///   identifier stays with its file. Also `test_random_changes`.
enum FoldersTarget {
  /// Which files are in the list.
  struct Options {
    var levels: Int?
    var isLazy: Bool
    var showsHidden: Bool
    var showsIgnored: Bool

    /// Whether a file that takes the place of another one has its identifier.
    var keepsNames: Bool

    var tree: FolderTree.Options {
      var options = FolderTree.Options(
        levels: levels, isLazy: isLazy, showsHidden: showsHidden, showsIgnored: showsIgnored)
      options.keepsNames = keepsNames
      return options
    }
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let folder = FollowedFolder(Steps(Array(bytes)))
    folder.run()
  }
}
