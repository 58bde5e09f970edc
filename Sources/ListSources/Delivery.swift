/// Sends changes to closures in the order in which they were made, whichever source has changed.
///
/// A closure that receives a change may edit sources. Their changes are sent when all closures have
/// received the one at hand.
@MainActor enum Delivery {
  private static var waiting: [() -> Void] = []
  private static var isSending = false

  static func send(_ body: @escaping () -> Void) {
    waiting.append(body)
    if isSending { return }
    isSending = true
    while !waiting.isEmpty {
      let bodies = waiting
      waiting = []
      for body in bodies { body() }
    }
    isSending = false
  }
}
