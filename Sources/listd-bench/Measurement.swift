/// Measures the time of a body, repeating it until the median is reliable.
struct Measurement {
  /// The median of the times, in milliseconds.
  let milliseconds: Double

  /// Runs `body` for about half a second, but 3 to 101 times, after a first run that is not
  /// counted.
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
