import Folders

/// The bytes of an input, one after the other.
struct Steps {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset >= bytes.count }

  /// Returns the next byte; 0 at the end.
  mutating func next() -> Int {
    guard !isAtEnd else { return 0 }
    offset += 1
    return Int(bytes[offset - 1])
  }

  /// The names of files; the upper half of a byte is for the folder.
  private static let names: [[UInt8]] =
    [
      "a", "b", "c", "d", "e", "a.o", "b.o", "aa", "ab", ".h", ".gitignore", ".ignore", ".git",
      ".listd-edit-1-2", "f",
    ].map { Array($0.utf8) } + [[0x78, 0xFF]]

  /// Where links lead.
  private static let targets = [
    "a", "b", "../a", "..", ".", "a/b", "/r", "/o", "/r/a", "nothing", "c/../a", "x", "/r/b/c",
    "../c", "/o/a", "d",
  ].map { Array($0.utf8) }

  private static let signs = Array("ab.*?/![]\\-^# \nofc*/ah".utf8)

  /// A name in one of the folders.
  private struct Place {
    var folder: Int
    var name: [UInt8]

    func folder(_ files: ModelFiles) -> ModelFiles.File {
      let folders = files.folders
      return folders[folder % folders.count]
    }
  }

  private mutating func nextPlace() -> Place {
    let byte = next()
    return Place(folder: byte >> 4, name: Self.names[byte & 15])
  }

  /// Reads a change of files, which is made when the function is called.
  mutating func nextChange(_ kind: Int) -> (ModelFiles) -> Void {
    let place = nextPlace()
    switch kind % 12 {
    case 0: return { $0.make(.file, place.name, in: place.folder($0)) }
    case 1:
      let size = next() & 7
      return {
        $0.write(Array(repeating: 0x61, count: size), place.name, in: place.folder($0))
      }
    case 2: return { $0.make(.folder, place.name, in: place.folder($0)) }
    case 3:
      let other = nextPlace()
      return {
        $0.move(place.name, in: place.folder($0), to: other.name, in: other.folder($0))
      }
    case 4:
      let other = nextPlace()
      return {
        _ = $0.exchange(place.name, in: place.folder($0), with: other.name, in: other.folder($0))
      }
    case 5: return { $0.delete(place.name, in: place.folder($0)) }
    case 6:
      let size = next() & 7
      return { files in
        let new = Array("new".utf8)
        let folder = size & 1 == 0 ? place.folder(files) : files.outside
        files.write(Array(repeating: 0x62, count: size), new, in: folder)
        files.move(new, in: folder, to: place.name, in: place.folder(files))
        files.delete(new, in: folder)
      }
    case 7:
      let bits = next()
      return {
        $0.setPermissions(of: place.folder($0), reads: bits & 1 == 0, searches: bits & 2 == 0)
      }
    case 8:
      let other = nextPlace()
      return {
        $0.link(place.name, in: place.folder($0), to: other.name, in: other.folder($0))
      }
    case 9:
      let target = Self.targets[next() & 15]
      return { $0.make(.link, place.name, in: place.folder($0), target) }
    case 10:
      let length = next() & 15
      let rules = (0..<length).map { _ in Self.signs[next() % Self.signs.count] }
      let name = Array((place.name.count % 2 == 0 ? ".ignore" : ".gitignore").utf8)
      return { $0.write(rules, name, in: place.folder($0)) }
    default:
      let other = nextPlace()
      return {
        let folder = place.folder($0)
        $0.move(place.name, in: folder, to: other.name, in: folder)
      }
    }
  }
}
