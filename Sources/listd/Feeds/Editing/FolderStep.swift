import ByteBuffers
import Commands
import Folders

/// One step of the edit of a folder. Paths are below the folder, as they are when the step is made.
struct FolderStep {
  enum Kind: UInt8 {
    case move, exchange, trash, makeFile, makeFolder
  }

  var kind: Kind
  var from: [UInt8] = []
  var to: [UInt8] = []

  /// What identifies the file that is moved, and the one that it is exchanged with.
  var identity = FileIdentity(device: 0, number: 0, created: 0)
  var other = FileIdentity(device: 0, number: 0, created: 0)
  var isFolder = false

  /// Whether it is made of several system calls, because the file system has no call that never replaces
  /// a file.
  var isPlain = false

  /// The index of the wish that the step is for.
  var wish = 0
}

/// Puts the wishes of a plan in an order in which no name is used twice.
///
/// Files whose names form a cycle are exchanged, or one of them gets a name in between.
struct FolderSchedule {
  private let plan: FolderPlan
  private let isPlain: Bool

  /// The name of files that have a name in between, without its number.
  private let token: [UInt8]

  private(set) var steps: [FolderStep] = []

  /// The number of names in between.
  private(set) var temporaries = 0

  private var isDone: [Bool]

  /// Where the files are that have been moved, and what is at places that have changed.
  private var places: [String: FolderPlan.Place] = [:]
  private var occupants: [FolderPlan.Place: String?] = [:]

  /// The wishes for files in folders that are deleted, by the wishes for these.
  private var inside: [Int: [Int]] = [:]

  init(_ plan: FolderPlan, isPlain: Bool, token: [UInt8]) {
    self.plan = plan
    self.isPlain = isPlain
    self.token = token
    isDone = Array(repeating: false, count: plan.wishes.count)
    for (index, wish) in plan.wishes.enumerated() {
      var above = wish.node?.parent
      while let folder = above {
        if let other = plan.wishOf[folder.id], plan.wishes[other].target == nil {
          inside[other, default: []].append(index)
        }
        above = folder.parent
      }
    }
    for index in plan.wishes.indices { fulfill(index) }
  }

  /// Appends the steps for a wish, and before them those that have to be made first.
  private mutating func fulfill(_ index: Int) {
    var stack = [index]
    while let current = stack.last {
      if isDone[current] {
        stack.removeLast()
      } else if let first = obstacle(of: current) {
        if let start = stack.firstIndex(of: first) {
          breakCycle(Array(stack[start...]))
          stack = [index]
        } else {
          stack.append(first)
        }
      } else {
        make(current)
        stack.removeLast()
      }
    }
  }

  /// Returns a wish that has to be fulfilled before another one; `nil` if there is none.
  private func obstacle(of index: Int) -> Int? {
    let wish = plan.wishes[index]
    guard let target = wish.target else {
      return inside[index]?.first {
        !isDone[$0] && isInside(place(of: plan.wishes[$0].id).folder, wish.id)
      }
    }
    if let folder = plan.wishOf[target.folder], plan.wishes[folder].node == nil, !isDone[folder] {
      return folder
    }
    if let there = occupant(of: target), there != wish.id { return plan.wishOf[there]! }
    // One of the folders in between has to leave.
    var above = target.folder
    var pending: Int?
    while !above.isEmpty {
      if above == wish.id { return pending ?? index }
      if let other = plan.wishOf[above], !isDone[other] { pending = other }
      above = place(of: above).folder
    }
    return nil
  }

  private func place(of id: String) -> FolderPlan.Place { places[id] ?? plan.tree.nodes[id]!.place }

  private func occupant(of place: FolderPlan.Place) -> String? {
    if let known = occupants[place] { return known }
    let node = plan.node(of: place.folder)?.child(place.name)
    return node.flatMap { plan.wishOf[$0.id] == nil ? nil : $0.id }
  }

  private func path(of place: FolderPlan.Place) -> [UInt8] {
    place.folder.isEmpty
      ? place.name : path(of: self.place(of: place.folder)) + [0x2F] + place.name
  }

  private func isInside(_ folder: String, _ id: String) -> Bool {
    var above = folder
    while !above.isEmpty {
      if above == id { return true }
      above = place(of: above).folder
    }
    return false
  }

  private mutating func move(_ id: String, to place: FolderPlan.Place) {
    if plan.wishes[plan.wishOf[id]!].node != nil { occupants[self.place(of: id)] = .some(nil) }
    places[id] = place
    occupants[place] = id
  }

  private mutating func append(_ index: Int, _ kind: FolderStep.Kind, to place: FolderPlan.Place?) {
    let wish = plan.wishes[index]
    var step = FolderStep(kind: kind, isFolder: wish.isFolder, isPlain: isPlain, wish: index)
    if let node = wish.node {
      step.from = path(of: self.place(of: wish.id))
      step.identity = node.facts.identity
    }
    if let place { step.to = path(of: place) }
    steps.append(step)
  }

  private mutating func make(_ index: Int) {
    let wish = plan.wishes[index]
    isDone[index] = true
    guard let target = wish.target else {
      append(index, .trash, to: nil)
      occupants[place(of: wish.id)] = .some(nil)
      return
    }
    append(
      index, wish.node != nil ? .move : wish.isFolder ? .makeFolder : .makeFile, to: target)
    move(wish.id, to: target)
  }

  /// Exchanges two files that wait for each other's name, or gives one of several a name in between.
  private mutating func breakCycle(_ cycle: [Int]) {
    let areFiles = cycle.allSatisfy { plan.wishes[$0].node != nil }
    if !isPlain, cycle.count == 2, areFiles {
      let (first, second) = (plan.wishes[cycle[0]], plan.wishes[cycle[1]])
      let (there, here) = (place(of: second.id), place(of: first.id))
      if first.target == there, second.target == here, !isInside(there.folder, first.id),
        !isInside(here.folder, second.id)
      {
        append(cycle[0], .exchange, to: there)
        steps[steps.count - 1].other = second.node!.facts.identity
        places[first.id] = there
        places[second.id] = here
        (occupants[there], occupants[here]) = (first.id, second.id)
        (isDone[cycle[0]], isDone[cycle[1]]) = (true, true)
        return
      }
    }
    func isPossible(_ index: Int) -> Bool {
      let wish = plan.wishes[index]
      guard let target = wish.target, wish.node != nil else { return false }
      // A folder that is not made yet is nowhere.
      if let folder = plan.wishOf[target.folder], places[target.folder] == nil,
        plan.wishes[folder].node == nil
      {
        return false
      }
      return !isInside(target.folder, wish.id)
    }
    let moved = cycle.filter { plan.wishes[$0].node != nil && plan.wishes[$0].target != nil }
    let index = moved.first(where: isPossible)
    let chosen = index ?? moved[0]
    let folder = index.map { plan.wishes[$0].target!.folder } ?? ""
    temporaries += 1
    let between = FolderPlan.Place(
      folder: folder, name: token + [0x2E] + Array("\(temporaries)".utf8))
    append(chosen, .move, to: between)
    move(plan.wishes[chosen].id, to: between)
  }
}
