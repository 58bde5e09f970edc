import ListState

/// An effect of a request, as a journal records it.
///
/// The line of a request holds an array of records, each a JSON object:
///
/// ```
/// {"list", "revision", "sections"?, MARKS}              a list; without sections if they are the same
/// {"list", "revision", "sources", MARKS}                a composite
/// {"list", "revision", "sources", "view", "windowItem"?, "expanded"?, "collapsed"?, MARKS}     a view
/// {"removed", "revision"}                               a list that was removed
/// {"templates": {NAME: SOURCE, …}, "for"?}              templates of all lists, or of one
/// {"textRevision"}                                      the largest revision of a text so far
///
/// MARKS:     "selection", "anchor"?, "extended"?, "cursor"?
/// sections:  [[START, COUNT] | {"own": OWN | INDEX, "items": [[START, COUNT] | ITEM | [ID, ITEM], …]}, …]
/// ```
///
/// `[START, COUNT]` is a range of the sections or items of the list before the request, and `INDEX`
/// is the section of that list whose own members these are. `[ID, ITEM]` is an item that
/// members identify which a request named, not an `id` of its own. Items are counted through all
/// sections, in `selection`, `extended`, `expanded` and `collapsed`, which are arrays of ranges, too.
enum JournalRecord {
  case list(ListRecord)
  case removed(list: [UInt8], revision: Int)
  case templates([[UInt8]: [UInt8]], list: [UInt8]?)
  case textRevision(Int)

  /// The state of a list after a request.
  struct ListRecord {
    var name: [UInt8]
    var revision: Int

    /// The sections if they have changed and the list is not a composite.
    var sections: Sections?

    /// The identities of the items that are written in the sections.
    var identities = KeyedIdentities()

    /// The sources of a composite.
    var sources: [[UInt8]]?

    /// The definition of a view as JSON.
    var view: [UInt8]?

    /// The item that the window of a view is anchored to.
    var windowItem: Int?

    /// Items of the sources of an outline that were expanded or collapsed explicitly.
    var expanded: [Range<Int>] = []
    var collapsed: [Range<Int>] = []
    var marks = Marks()
  }

  /// The sections of a list after a request.
  enum Sections {
    /// The sections in terms of those before.
    case edits(EditStep)
    /// The range of the sections in the journal that is being read.
    case json(Range<Int>)
  }
}
