/// Consecutive rows. A run from the section itself has the largest number of rows in an increasing
/// sequence of such runs that ends with it, and its predecessor there, or -1.
struct Run: BitwiseCopyable {
  var from = ListPath(section: 0, row: 0)
  var to = 0
  var count = 0
  var weight = 0
  var last = -1
  var stays = false
}

/// The rows of a section that were in the old list, as maximal runs in their new order.
struct Runs: ~Escapable {
  private var runs: MutableArrayView<Run>
  private var count = 0
  private var section = 0

  @_lifetime(copy memory)
  init(memory: consuming MutableArrayView<Run>) { runs = memory }

  @_lifetime(self: copy self)
  mutating func begin(section: Int) {
    self.section = section
    count = 0
  }

  @_lifetime(self: copy self)
  mutating func appendAligned(old: Int, new: Int, count: Int) {
    if count > 0 { append(ListPath(section: section, row: old), to: new, count: count) }
  }

  @_lifetime(self: copy self)
  mutating func append(_ from: ListPath, to row: Int, count rows: Int) {
    let isHome = from.section == section
    var run = Run(from: from, to: row, count: rows)
    if count > 0 {
      let last = count &- 1
      if runs[last].from.section == from.section,
        runs[last].from.row &+ runs[last].count == from.row,
        runs[last].to &+ runs[last].count == row
      {
        runs[last].count &+= rows
        runs[last].weight &+= isHome ? rows : 0
        return
      }
      var index = isHome ? 0 : count
      while index < count {
        if runs[index].weight >= run.weight, runs[index].from.section == section,
          runs[index].from.row < from.row
        {
          run.weight = runs[index].weight
          run.last = index
        }
        index &+= 1
      }
    }
    if isHome { run.weight &+= rows }
    runs[count] = run
    count &+= 1
  }

  /// Appends moves of the runs that are not in an increasing sequence with the most rows.
  @_lifetime(self: copy self)
  mutating func appendMoves(to stage: inout Stage, _ counts: inout Counts) {
    var staying = 0
    var index = 1
    while index < count {
      if runs[index].weight >= runs[staying].weight { staying = index }
      index &+= 1
    }
    while staying >= 0, staying < count, runs[staying].weight > 0 {
      runs[staying].stays = true
      staying = runs[staying].last
    }
    index = 0
    while index < count {
      if !runs[index].stays {
        counts.moves &+= runs[index].count
        stage.ops.append(
          .moveItems(
            from: runs[index].from, to: ListPath(section: section, row: runs[index].to),
            count: runs[index].count))
      }
      index &+= 1
    }
  }
}
