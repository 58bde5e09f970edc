/// The numbers that texts are told by: each larger than those before, and none given to two texts of
/// a list, also where the lists outlive the process.
///
/// With each change the largest number is written down. What is not written down is that a text was
/// opened, which gives it a number without changing anything. Until something changes each list is
/// opened once at most, so that all numbers given after a change lie within as many as there are
/// lists; whatever process gives them, they stand for texts of the same lists. The first change in a
/// process passes over them.
struct TextNumbers {
  /// The largest number that a text was given.
  private(set) var last = 0

  /// The largest number that was written down.
  var kept = 0

  /// The largest number that may have been given to a text of the lists as they were restored.
  private var restored = 0

  /// Begins where another process has ended, which had `lists` lists.
  mutating func restore(last: Int, lists: Int) {
    self.last = last
    kept = last
    restored = last + lists
  }

  /// Passes over the numbers of texts of the lists as they were restored, for they have changed.
  mutating func leaveRestored() { last = max(last, restored) }

  /// The number of a text that had none.
  mutating func next() -> Int {
    last += 1
    return last
  }
}
