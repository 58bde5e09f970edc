extension LiveOutline {
  /// The properties of a node other than its position in the tree.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// The sources have the item.
    static let present = Traits(rawValue: 1)

    /// The view has the item because of the item itself, not only because of a descendant.
    static let accepted = Traits(rawValue: 2)

    /// The item may get children later.
    static let lazy = Traits(rawValue: 4)

    /// The item is its own ancestor.
    static let cyclic = Traits(rawValue: 8)

    /// The children of the item are shown if the item is.
    static let open = Traits(rawValue: 16)

    /// The expansion of the node before the change is recorded.
    static let isRecorded = Traits(rawValue: 32)
  }

  /// An item. Nodes that name the same parent are a linked list.
  struct Node: Sendable {
    var key: UInt32

    /// The number of the name of its parent; -1 if it names none.
    var named: Int32 = -1
    var nextNaming: Int32 = -1
    var previousNaming: Int32 = -1

    /// The number of the tree of its children; -1 if it has never had any.
    var children: Int32 = -1
    var level: Int32 = 0
    var traits: Traits = []

    /// Removes what depends on the definition of the view.
    mutating func unlink() {
      children = -1
      level = 0
      traits.formIntersection([.present, .lazy, .cyclic])
    }
  }

  /// An identity that items name as their parent.
  struct Name: Sendable {
    let key: UInt32

    /// The node of the first item with the identity; -1 if the sources have none.
    var first: Int32 = -1

    /// The first of the nodes that have the name.
    var firstNaming: Int32 = -1
  }

  /// The items of the view as they were evaluated, whose nodes are not linked yet.
  struct Unlinked: Sendable {
    let outline: Outline

    /// The node at each position of the outline.
    let order: [Int32]

    /// The position of the first node of each section, and the key of the section.
    let starts: [Int32]
    let sectionKeys: [UInt32]
  }

  /// A step of a change, with what undoes it.
  enum Step: Sendable {
    case updated(Int, Node)
    case renamed(Int, Name)
    case ranked(Int, ItemRank)
    case linked(Int)
    case unlinked(Int, tree: Int, after: Int?)
  }
}

extension LiveOutline.Traits {
  func count(_ trait: Self) -> Int { contains(trait) ? 1 : 0 }
}
