/// A time of a clock that nobody sets.
///
/// `ContinuousClock` does the same, but it links the runtime of Swift's concurrency and Dispatch,
/// which nothing else here uses: together half a megabyte of the static program.
package struct MonotonicTime: InstantProtocol {
  /// The time since a fixed one.
  private let time: Duration

  package static var now: MonotonicTime {
    var time = timespec()
    // This fails only for a clock that does not exist.
    precondition(clock_gettime(CLOCK_MONOTONIC, &time) == 0)
    return MonotonicTime(time: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  /// Returns the time after a duration.
  package func advanced(by duration: Duration) -> MonotonicTime {
    MonotonicTime(time: time + duration)
  }
  /// Returns the duration until another time.
  package func duration(to other: MonotonicTime) -> Duration { other.time - time }
  package static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.time < b.time }
}
