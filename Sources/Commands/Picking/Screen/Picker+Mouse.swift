import Terminals

extension Picker {
  /// Performs what a user does with the mouse.
  func handleMouse(_ action: MouseAction, _ x: Int, _ y: Int, _ modifiers: KeyModifiers) {
    let isInPreview = areas.preview.map { $0.contains(x, y) } ?? false
    let shift = modifiers.contains(.shift) ? "shift-" : ""
    switch action {
    case .wheelUp: perform(.mouse(isInPreview ? "preview-scroll-up" : shift + "scroll-up"))
    case .wheelDown: perform(.mouse(isInPreview ? "preview-scroll-down" : shift + "scroll-down"))
    case .press(let button):
      guard let place = areas.place(atRow: y), let result, place < result.count,
        areas.list.contains(x, y)
      else { return }
      moveCursor(to: place)
      let now = MonotonicTime.now
      let isDouble = lastClick.map {
        $0.line == place && $0.time.duration(to: now) < .milliseconds(500)
      }
      lastClick = (place, now)
      switch button {
      case 0 where isDouble == true: perform(.mouse("double-click"))
      case 0: perform(.mouse(shift + "left-click"))
      case 2: perform(.mouse(shift + "right-click"))
      default: break
      }
    case .release, .drag: break
    }
  }
}
