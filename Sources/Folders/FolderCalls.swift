/// The calls of the system by which a `FolderTree` reads folders.
package struct FolderCalls {
  /// Returns what is known about the file at a path, or about the link there unless that is followed.
  package var facts: (_ path: [UInt8], _ followsLink: Bool) throws(FileFailure) -> FileFacts

  /// Returns the target of the link at a path; `nil` if that fails.
  package var target: (_ link: [UInt8]) -> [UInt8]?

  /// Checks whether the files of the folder at a path may be read and looked at.
  package var checkPermissions: (_ folder: [UInt8]) throws(FileFailure) -> Void

  /// Opens the folder at a path, or the one that a link there leads to if it is followed. Returns its descriptor.
  package var open: (_ folder: [UInt8], _ followsLink: Bool) throws(FileFailure) -> Int32

  /// Returns the content of the file with a name in an open folder; `nil` if it cannot be read.
  package var content: (_ name: [UInt8], _ folder: Int32) -> [UInt8]?

  /// Returns what is known about a file in a folder that is being read.
  package typealias Look = () throws(FileFailure) -> FileFacts

  /// Calls the function with the name of each file of an open folder, which is closed.
  package var forEachFile:
    (_ folder: Int32, _ body: (_ name: UnsafeRawBufferPointer, _ look: Look) -> Void)
      throws(FileFailure) -> Void

  /// What reports changes; `nil` if nothing does.
  package var watch: FolderWatching?

  package init(
    facts: @escaping (_ path: [UInt8], _ followsLink: Bool) throws(FileFailure) -> FileFacts,
    target: @escaping (_ link: [UInt8]) -> [UInt8]?,
    checkPermissions: @escaping (_ folder: [UInt8]) throws(FileFailure) -> Void,
    open: @escaping (_ folder: [UInt8], _ followsLink: Bool) throws(FileFailure) -> Int32,
    content: @escaping (_ name: [UInt8], _ folder: Int32) -> [UInt8]?,
    forEachFile:
      @escaping (_ folder: Int32, _ body: (_ name: UnsafeRawBufferPointer, _ look: Look) -> Void)
      throws(FileFailure) -> Void,
    watch: FolderWatching?
  ) {
    (self.facts, self.target, self.checkPermissions) = (facts, target, checkPermissions)
    (self.open, self.content, self.forEachFile) = (open, content, forEachFile)
    self.watch = watch
  }
}

/// What reports changes in folders.
package struct FolderWatching {
  /// Whether changes name the files, and contents that change are among them.
  package var isDetailed: Bool

  /// Watches an open folder at a path. Returns the number of the watch, which is the same for the same folder; -1 if
  /// that fails.
  package var begin: (_ folder: Int32, _ path: [UInt8]) -> Int32

  /// Ends a watch.
  package var end: (_ watch: Int32) -> Void

  package init(
    isDetailed: Bool, begin: @escaping (_ folder: Int32, _ path: [UInt8]) -> Int32,
    end: @escaping (_ watch: Int32) -> Void
  ) {
    (self.isDetailed, self.begin, self.end) = (isDetailed, begin, end)
  }
}

/// A change in the folder of a watch.
package enum FolderEvent {
  /// Of the file with a name.
  case file(watch: Int32, name: [UInt8])
  /// Of the permissions of the folder itself; unless the watch is detailed, any change.
  case permissions(watch: Int32)
  /// Changes were lost.
  case overflow
}
