/// Steps that are drawn together, and their ranges of rows on both sides.
struct Hunk {
  var steps: [ChangeStep] = []
  var old = 0..<0
  var new = 0..<0
}

/// Splits steps into hunks with up to `context` unchanged rows around changes.
struct Hunks {
  private let steps: [ChangeStep]
  private let context: Int
  private var index = 0

  /// The rows before the next step.
  private var position = (old: 0, new: 0)

  /// The unchanged rows before the next change.
  private var lead: ChangeStep?

  /// A heading after which nothing was drawn yet.
  private var heading: ChangeStep?

  init(_ steps: [ChangeStep], context: Int) {
    self.steps = steps
    self.context = context
  }

  /// Returns the next hunk, or nil at the end.
  mutating func next() -> Hunk? {
    var hunk = Hunk()
    while index < steps.count {
      let step = steps[index]
      if step.isHeading {
        if !hunk.steps.isEmpty { return hunk }
        lead = nil
        heading = step.kind == .same ? step : nil
        if step.kind != .same { append(step, to: &hunk) }
      } else if step.kind != .same {
        if let heading { append(heading, to: &hunk) }
        if let lead, context > 0 { append(Self.last(context, of: lead), to: &hunk) }
        heading = nil
        lead = nil
        append(step, to: &hunk)
      } else if !hunk.steps.contains(where: { !$0.isHeading }) {
        lead = step
      } else if index + 1 < steps.count, !steps[index + 1].isHeading, step.count <= 2 * context {
        append(step, to: &hunk)
      } else {
        advance(past: step)
        let shown = min(context, step.count)
        if shown > 0 { append(Self.first(shown, of: step), to: &hunk) }
        lead = step.count > shown ? Self.last(step.count - shown, of: step) : nil
        return hunk
      }
      advance(past: step)
    }
    return hunk.steps.isEmpty ? nil : hunk
  }

  private mutating func advance(past step: ChangeStep) {
    index += 1
    guard !step.isHeading else { return }
    if step.kind != .inserted, step.kind != .arrived { position.old += step.count }
    if step.kind != .deleted, step.kind != .departed { position.new += step.count }
  }

  private func append(_ step: ChangeStep, to hunk: inout Hunk) {
    if !step.isHeading {
      if hunk.old.isEmpty, hunk.new.isEmpty {
        let isSame = step.kind == .same
        let old = isSame ? step.old : position.old
        let new = isSame ? step.new : position.new
        hunk.old = old..<old
        hunk.new = new..<new
      }
      if step.kind != .inserted, step.kind != .arrived {
        hunk.old = hunk.old.lowerBound..<hunk.old.upperBound + step.count
      }
      if step.kind != .deleted, step.kind != .departed {
        hunk.new = hunk.new.lowerBound..<hunk.new.upperBound + step.count
      }
    }
    hunk.steps.append(step)
  }

  private static func first(_ count: Int, of step: ChangeStep) -> ChangeStep {
    var part = step
    part.count = min(count, step.count)
    return part
  }

  private static func last(_ count: Int, of step: ChangeStep) -> ChangeStep {
    var part = step
    part.count = min(count, step.count)
    part.old += step.count - part.count
    part.new += step.count - part.count
    return part
  }
}
