/// Times what is done, as often as it takes for a median that means something.
struct Measurement {
  /// The median of the times, in milliseconds.
  let milliseconds: Double

  /// Runs `body` for about half a second, at least three times and at most 101, after a first time
  /// that is not counted.
  init(_ body: () -> Void) {
    let clock = ContinuousClock()
    let first = clock.measure(body)
    let rounds = min(101, max(3, Int(0.5 / max(first.seconds, 1e-6))))
    var times = (0..<rounds).map { _ in clock.measure(body).seconds * 1000 }
    times.sort()
    milliseconds = times[rounds / 2]
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
