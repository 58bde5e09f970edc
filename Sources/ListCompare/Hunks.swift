/// Steps that are drawn together, and their ranges of rows on both sides.
struct Hunk {
  var old = 0..<0
  var new = 0..<0

  /// A heading and unchanged rows before the first of `steps`, and unchanged rows after the last.
  fileprivate var heading: ChangeStep?
  fileprivate var lead: ChangeStep?
  fileprivate var tail: ChangeStep?
  fileprivate var steps: ArraySlice<ChangeStep>

  /// Creates a hunk without ranges of rows.
  init(_ steps: ArraySlice<ChangeStep>) { self.steps = steps }

  private var first: Int { (heading == nil ? 0 : 1) + (lead == nil ? 0 : 1) }

  var count: Int { first + steps.count + (tail == nil ? 0 : 1) }

  subscript(index: Int) -> ChangeStep {
    if index >= first {
      let offset = index - first
      return offset < steps.count ? steps[steps.startIndex + offset] : tail!
    }
    return index == 0 ? heading ?? lead! : lead!
  }
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
    var hunk = Hunk(steps[..<0])
    while index < steps.count {
      let step = steps[index]
      if step.isHeading {
        if hunk.count > 0 { return hunk }
        lead = nil
        heading = step.kind == .same ? step : nil
        if step.kind != .same { hunk.heading = step }
      } else if step.kind != .same {
        if hunk.steps.isEmpty {
          hunk.heading = hunk.heading ?? heading
          hunk.steps = steps[index..<index]
          if let lead, context > 0 {
            let shown = Self.last(context, of: lead)
            hunk.lead = shown
            extend(&hunk, by: shown)
          }
        }
        heading = nil
        lead = nil
        add(step, to: &hunk)
      } else if hunk.steps.isEmpty {
        lead = step
      } else if index + 1 < steps.count, !steps[index + 1].isHeading, step.count <= 2 * context {
        add(step, to: &hunk)
      } else {
        advance(past: step)
        let shown = min(context, step.count)
        if shown > 0 {
          let part = Self.first(shown, of: step)
          hunk.tail = part
          extend(&hunk, by: part)
        }
        lead = step.count > shown ? Self.last(step.count - shown, of: step) : nil
        return hunk
      }
      advance(past: step)
    }
    return hunk.count == 0 ? nil : hunk
  }

  private mutating func advance(past step: ChangeStep) {
    index += 1
    guard !step.isHeading else { return }
    if step.kind != .inserted, step.kind != .arrived { position.old += step.count }
    if step.kind != .deleted, step.kind != .departed { position.new += step.count }
  }

  /// Adds the step at `index`.
  private func add(_ step: ChangeStep, to hunk: inout Hunk) {
    hunk.steps = steps[hunk.steps.startIndex...index]
    extend(&hunk, by: step)
  }

  /// Extends the ranges of a hunk by the rows of a step.
  private func extend(_ hunk: inout Hunk, by step: ChangeStep) {
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
