import JSONBytes
import ListState

/// A folder whose files are the items of a list.
package struct FeedFolder: Sendable {
  package var path: String

  /// The number of levels that are read; `nil` if all are, or if each is read when it is expanded.
  package var levels: Int?

  /// Whether folders are read when an outline of the list expands them.
  package var isLazy = true

  /// Whether names that begin with a dot, and files that ignore rules leave out, are in the list.
  package var showsHidden = false
  package var showsIgnored = false

  /// Whether the list follows changes.
  package var watches = true

  /// Whether items have a template for each type.
  package var hasTemplates = false

  /// Whether a file that takes the place of another one has its identifier.
  package var keepsNames = false
}

extension FeedFolder {
  init(_ params: borrowing Params) throws(Failure) {
    path = try params.require(.folder).requireText()
    if let depth = params[.depth] {
      let word = depth.text
      levels = depth.integer
      isLazy = word == "lazy"
      guard levels ?? 0 > 0 || isLazy || word == "all" else {
        throw depth.failure(expected: "a number of levels that is 1 or more, \"all\" or \"lazy\"")
      }
    }
    showsHidden = try params[.hidden]?.requireBoolean() ?? false
    showsIgnored = try params[.ignored]?.requireBoolean() ?? false
    watches = try params[.watch]?.requireBoolean() ?? true
    hasTemplates = try params[.templates]?.requireBoolean() ?? false
    keepsNames = try params[.identity]?.requireWord("file", "name") == 1
  }
}

extension ListService {
  /// Finds which folders of fed lists the outlines have expanded, and keeps those that have changed for
  /// the program.
  ///
  /// - Complexity: O(*f* *l* + *k*), where *f* is the number of fed folders, *l* that of lists and *k* that of
  ///   expanded items.
  mutating func noteExpansion() {
    for (name, feed) in fed.lists {
      guard case .folder = feed.source.kind else { continue }
      var folders: Set<String> = []
      for outline in store.names
      where store.isOutline(outline) && store.lists(behind: [outline]).contains(name) {
        for key in store.peek(outline)?.keys(inState: .expanded) ?? [] {
          let key = store.ids.original(key)
          guard store.ids.kind(of: key) == .string else { continue }
          folders.insert(String(decoding: store.ids.bytes(of: key), as: UTF8.self))
        }
      }
      fed.note(folders, ofFeed: feed.number)
    }
  }

  /// Removes and returns the numbers of feeds whose expanded folders have changed, with their identifiers.
  package mutating func takeExpansions() -> [(feed: Int, folders: Set<String>)] {
    fed.takeExpansions()
  }
}
