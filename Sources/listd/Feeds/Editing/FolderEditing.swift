import ByteBuffers
import Commands
import Folders
import JSONBytes

/// The edit of a folder: its plan, the steps that were made, and how the tree follows.
struct FolderEditing {
  private let plan: FolderPlan
  private var tree: FolderTree { plan.tree }
  private var steps: FolderSteps
  private var problems: [FolderPlan.Problem]

  /// Whether the folder was changed.
  private var isMade = false

  init(_ plan: FolderPlan) {
    self.plan = plan
    problems = plan.problems
    steps = FolderSteps(root: plan.tree.absolutePath) { plan.trash[$0] ?? nil }
  }

  /// Makes the steps of the plan, or none if one fails. Returns whether they were made.
  mutating func perform() -> Bool {
    guard problems.isEmpty else { return false }
    if make(isPlain: false) { return true }
    // Nothing was changed, and the file system lacks a call.
    if problems.isEmpty, make(isPlain: true) { return true }
    return false
  }

  /// Makes the steps. Returns false and keeps the problems if one fails: none if the file system lacks
  /// the calls that are not plain.
  private mutating func make(isPlain: Bool) -> Bool {
    let token = UnfinishedEdit.newToken
    let schedule = FolderSchedule(plan, isPlain: isPlain, token: token)
    var unfinished: UnfinishedEdit?
    // Without names in between and second names, every file has its old or its new name.
    if schedule.temporaries > 0 || isPlain && schedule.steps.contains(where: { $0.kind == .move }) {
      do throws(System.MoveProblem) {
        unfinished = try UnfinishedEdit(schedule.steps, token: token, root: steps.root)
      } catch {
        let step = schedule.steps[0]
        report(FolderSteps.Problem(step: step, why: error))
        return false
      }
    }
    if let unfinished { steps.note = { unfinished.note(isMade: $0) } }
    defer {
      unfinished?.end()
      steps.note = { _ in }
    }
    do throws(FolderSteps.Problem) {
      try steps.make(schedule.steps)
      isMade = true
      follow()
      return true
    } catch {
      if case .unsupported = error.why, !isPlain {} else { report(error) }
      undo()
      return false
    }
  }

  private mutating func report(_ problem: FolderSteps.Problem, _ words: String = "") {
    let id = plan.wishes[problem.step.wish].node?.id
    problems.append(FolderPlan.Problem(id: id, reason: words + problem.reason))
  }

  private mutating func undo() {
    for problem in steps.undo() {
      report(problem, "it stays at \(problem.step.from.text): ")
      UnfinishedEdit.rescue(problem.step, steps.root)
    }
  }

  /// Lets the tree follow the steps.
  private func follow() {
    var moves = FolderMoves()
    for wish in plan.wishes {
      let folder = wish.target.flatMap { plan.node(of: $0.folder) }
      switch (wish.node, wish.target) {
      case (let node?, let target?): moves.moved.append((node, folder, target.name))
      case (let node?, nil): moves.removed.append(node)
      case (nil, let target?): moves.made.append((folder, target.name))
      case (nil, nil): break
      }
    }
    tree.follow(moves)
  }

  private func look(_ place: FolderPlan.Place) {
    if let folder = plan.node(of: place.folder) { tree.look(at: place.name, in: folder) }
  }

  /// Ends the edit, which is kept or undone.
  mutating func finish(keeps: Bool) {
    if keeps { return tree.confirmSent() }
    undo()
    tree.restoreUnsent()
    for wish in plan.wishes {
      if let target = wish.target { look(target) }
      if let node = wish.node, let old = plan.origins[node.id] { look(old) }
    }
  }

  /// The message about the edit: the edits of the list, or the problems.
  func message(_ list: [UInt8]) -> SharedBytes {
    Self.message(about: plan, problems, list) { out in
      guard isMade else {
        let why = problems.first.map { $0.reason } ?? "nothing can be edited"
        return out.append(member: "why", string: why)
      }
      let (deleted, changed) = tree.takeChanges()
      out.append(member: "edits")
      out.append("[")
      if !deleted.isEmpty {
        out.append("{\"edit\":\"deleteItems\"")
        out.append(list: "items", deleted.count) { $1.append(string: deleted[$0]) }
        out.append("}")
      }
      if !changed.isEmpty {
        if !deleted.isEmpty { out.append(",") }
        out.append("{\"edit\":\"putItems\",\"items\":[")
        tree.append(changed, to: &out)
        out.append("]}")
      }
      out.append("]")
    }
  }

  /// The message about what a plan would do.
  static func message(about plan: FolderPlan, _ list: [UInt8]) -> SharedBytes {
    message(about: plan, plan.problems, list) { _ in }
  }

  private static func message(
    about plan: FolderPlan, _ problems: [FolderPlan.Problem], _ list: [UInt8],
    _ more: (inout ByteBuffer) -> Void
  ) -> SharedBytes {
    var out = ByteBuffer()
    out.append("{\"jsonrpc\":\"2.0\",\"method\":\"didFeed\",\"params\":{\"list\":")
    list.withUnsafeBytes { out.append(string: $0) }
    out.append(",\"edit\":{\"changes\":[")
    for (index, wish) in plan.wishes.enumerated() {
      out.append(index == 0 ? "{\"id\":" : ",{\"id\":")
      out.append(orNull: wish.node?.id)
      out.append(member: "from")
      out.append(orNull: wish.node.map { (plan.originPaths[$0.id] ?? []).text })
      out.append(member: "to")
      out.append(orNull: wish.target == nil ? nil : plan.finalPaths[index].text)
      out.append("}")
    }
    out.append("]")
    out.append(list: "problems", problems.count) { index, out in
      out.append("{\"id\":")
      out.append(orNull: problems[index].id)
      out.append(member: "reason", string: problems[index].reason)
      out.append("}")
    }
    more(&out)
    out.append("}}}")
    return out.shared()
  }
}

extension ByteBuffer {
  fileprivate mutating func append(orNull text: String?) {
    if let text { append(string: text) } else { append("null") }
  }
}
