/// The revisions of texts. Each is larger than those before, and no two texts of a list share one,
/// even if the lists outlive the process.
///
/// Every change records the largest number in the journal. Opening a text uses a number, too, but
/// changes nothing and is not recorded. Until the next change, each list is opened at most once, so
/// the numbers used since the last change are within the number of lists; and whichever process
/// used them, they belong to texts of the same lists. The first change in a process skips them.
struct TextRevisions {
  /// The largest number used.
  private(set) var last = 0

  /// The largest number in the journal.
  var journaled = 0

  /// The largest number that may have been used for the lists as they were restored.
  private var restored = 0

  /// Continues after a process that used numbers up to `last` and had `lists` lists.
  mutating func restore(last: Int, lists: Int) {
    self.last = last
    journaled = last
    restored = last + lists
  }

  /// Skips the numbers that may have been used for the restored lists, because they have changed.
  mutating func skipRestored() { last = max(last, restored) }

  /// Returns a new number.
  mutating func next() -> Int {
    last += 1
    return last
  }
}
