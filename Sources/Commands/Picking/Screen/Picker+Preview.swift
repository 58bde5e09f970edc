extension Picker {
  /// Runs the preview command for the line with the cursor if it differs from the one that was run.
  func updatePreview() {
    guard let template = previewCommand, !template.isEmpty, let area = areas.preview else { return }
    guard currentLine != nil || Placeholders.dependsOnQuery(template) else {
      if preview.command != nil {
        preview.clear()
        mustDraw = true
      }
      return
    }
    guard let command = command(template), command != preview.command else { return }
    setVariables()
    let window = options.previewWindow
    let inside = window.border.inside(area)
    // Other commands have the whole terminal.
    let size = [("LINES", inside.height), ("COLUMNS", inside.width)]
    let before = size.map { ($0.0, PickOptions.variable($0.0)) }
    for (name, value) in size { setenv(name, "\(value)", 1) }
    defer {
      for (name, value) in before {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
      }
    }
    var top = 0
    if !window.scroll.isEmpty {
      let scroll = (try? placeholders().replace(window.scroll, isQuoted: false)) ?? ""
      top = Preview.firstLine(scroll, height: inside.height)
    }
    preview.start(command, at: top)
  }

  /// Performs an action that is about the preview.
  func performInPreview(_ action: PickAction) {
    let page = max(1, (areas.preview?.height ?? 3) - 2)
    switch action.name {
    case .preview:
      previewCommand = action.argument
      options.previewWindow.isHidden = false
      preview.clear()
    case .changePreview:
      previewCommand = action.argument
      preview.clear()
    case .refreshPreview: preview.clear()
    case .togglePreview: options.previewWindow.isHidden.toggle()
    case .showPreview: options.previewWindow.isHidden = false
    case .hidePreview: options.previewWindow.isHidden = true
    case .togglePreviewWrap: options.previewWindow.wraps.toggle()
    case .changePreviewWindow: changePreviewWindow(next(of: action))
    case .previewUp: preview.top -= 1
    case .previewDown: preview.top += 1
    case .previewPageUp: preview.top -= page
    case .previewPageDown: preview.top += page
    case .previewHalfPageUp: preview.top -= page / 2
    case .previewHalfPageDown: preview.top += page / 2
    case .previewTop: preview.top = 0
    case .previewBottom: preview.top = preview.lines.count
    default: break
    }
  }

  private func changePreviewWindow(_ value: String) {
    var window = firstPreviewWindow
    do throws(CommandProblem) { try window.read(value) } catch {
      problem = error.words
      return
    }
    options.previewWindow = window
  }
}
