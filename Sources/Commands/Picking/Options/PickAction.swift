import Terminals

/// What a key does.
struct PickAction: Sendable {
  let name: Name
  var argument = ""

  /// The actions, by their names in fzf.
  enum Name: String, CaseIterable, Sendable {
    case abort, accept, bell, cancel, close, down, up, first, last, best, exclude, ignore, jump,
      put,
      top, toggle, trigger, wait, yank
    case acceptNonEmpty = "accept-non-empty"
    case acceptOrPrintQuery = "accept-or-print-query"
    case backwardChar = "backward-char"
    case backwardDeleteChar = "backward-delete-char"
    case backwardDeleteCharOrEnd = "backward-delete-char/eof"
    case backwardKillWord = "backward-kill-word"
    case backwardWord = "backward-word"
    case beginningOfLine = "beginning-of-line"
    case become
    case changeBorderLabel = "change-border-label"
    case changeFooter = "change-footer"
    case changeGhost = "change-ghost"
    case changeHeader = "change-header"
    case changeMulti = "change-multi"
    case changeNth = "change-nth"
    case changePointer = "change-pointer"
    case changePreview = "change-preview"
    case changePreviewLabel = "change-preview-label"
    case changePreviewWindow = "change-preview-window"
    case changePrompt = "change-prompt"
    case changeQuery = "change-query"
    case changeWithNth = "change-with-nth"
    case clearMulti = "clear-multi"
    case clearQuery = "clear-query"
    case clearScreen = "clear-screen"
    case clearSelection = "clear-selection"
    case deleteChar = "delete-char"
    case deleteCharOrEnd = "delete-char/eof"
    case deselect
    case deselectAll = "deselect-all"
    case disableSearch = "disable-search"
    case downMatch = "down-match"
    case downSelected = "down-selected"
    case enableSearch = "enable-search"
    case endOfLine = "end-of-line"
    case excludeMulti = "exclude-multi"
    case execute
    case executeSilent = "execute-silent"
    case forwardChar = "forward-char"
    case forwardWord = "forward-word"
    case halfPageDown = "half-page-down"
    case halfPageUp = "half-page-up"
    case hideHeader = "hide-header"
    case hidePreview = "hide-preview"
    case jumpAccept = "jump-accept"
    case killLine = "kill-line"
    case killWord = "kill-word"
    case nextSelected = "next-selected"
    case offsetDown = "offset-down"
    case offsetMiddle = "offset-middle"
    case offsetUp = "offset-up"
    case pageDown = "page-down"
    case pageUp = "page-up"
    case pos, preview
    case previewBottom = "preview-bottom"
    case previewDown = "preview-down"
    case previewHalfPageDown = "preview-half-page-down"
    case previewHalfPageUp = "preview-half-page-up"
    case previewPageDown = "preview-page-down"
    case previewPageUp = "preview-page-up"
    case previewTop = "preview-top"
    case previewUp = "preview-up"
    case previousSelected = "prev-selected"
    case print
    case printQuery = "print-query"
    case rebind
    case refreshPreview = "refresh-preview"
    case reload
    case reloadSync = "reload-sync"
    case replaceQuery = "replace-query"
    case search, select
    case selectAll = "select-all"
    case showHeader = "show-header"
    case showPreview = "show-preview"
    case toggleAll = "toggle-all"
    case toggleBind = "toggle-bind"
    case toggleDown = "toggle-down"
    case toggleHeader = "toggle-header"
    case toggleIn = "toggle-in"
    case toggleOut = "toggle-out"
    case togglePreview = "toggle-preview"
    case togglePreviewWrap = "toggle-preview-wrap"
    case toggleSearch = "toggle-search"
    case toggleSort = "toggle-sort"
    case toggleTrack = "toggle-track"
    case toggleTrackCurrent = "toggle-track-current"
    case toggleUp = "toggle-up"
    case trackCurrent = "track-current"
    case transform
    case transformBorderLabel = "transform-border-label"
    case transformFooter = "transform-footer"
    case transformGhost = "transform-ghost"
    case transformHeader = "transform-header"
    case transformNth = "transform-nth"
    case transformPointer = "transform-pointer"
    case transformPreviewLabel = "transform-preview-label"
    case transformPrompt = "transform-prompt"
    case transformQuery = "transform-query"
    case transformSearch = "transform-search"
    case transformWithNth = "transform-with-nth"
    case unbind
    case untrackCurrent = "untrack-current"
    case unixLineDiscard = "unix-line-discard"
    case unixWordRubout = "unix-word-rubout"
    case upMatch = "up-match"
    case upSelected = "up-selected"

    /// Whether a command, a text or a number may follow in parentheses, and whether it must.
    var takesArgument: Bool {
      switch self {
      case .put, .changeMulti: true
      default: needsArgument
      }
    }

    var needsArgument: Bool {
      switch self {
      case .become, .changeBorderLabel, .changeFooter, .changeGhost, .changeHeader, .changeNth,
        .changePointer, .changePreview, .changePreviewLabel, .changePreviewWindow, .changePrompt,
        .changeQuery, .changeWithNth, .execute, .executeSilent, .pos, .preview, .print, .rebind,
        .reload, .reloadSync, .search, .toggleBind, .transform, .trigger, .unbind:
        true
      default: transformed != nil
      }
    }

    /// The action that is performed with the output of a command as its argument; nil if the action runs
    /// none.
    var transformed: Name? {
      switch self {
      case .transformBorderLabel: .changeBorderLabel
      case .transformFooter: .changeFooter
      case .transformGhost: .changeGhost
      case .transformHeader: .changeHeader
      case .transformNth: .changeNth
      case .transformPointer: .changePointer
      case .transformPreviewLabel: .changePreviewLabel
      case .transformPrompt: .changePrompt
      case .transformQuery: .changeQuery
      case .transformSearch: .search
      case .transformWithNth: .changeWithNth
      default: nil
      }
    }
  }

  /// The actions of keys that are not bound otherwise: those of fzf, and more to mark all lines and
  /// to go to the first and the last one.
  static let standard: [PickKey: [PickAction]] = {
    let table: [(String, Name)] = [
      ("ctrl-c", .abort), ("ctrl-g", .abort), ("ctrl-q", .abort), ("esc", .abort),
      ("enter", .accept), ("double-click", .accept), ("ctrl-b", .backwardChar),
      ("left", .backwardChar), ("ctrl-h", .backwardDeleteChar), ("bspace", .backwardDeleteChar),
      ("ctrl-bspace", .backwardDeleteChar), ("alt-bs", .backwardKillWord), ("alt-b", .backwardWord),
      ("shift-left", .backwardWord), ("alt-left", .backwardWord), ("ctrl-left", .backwardWord),
      ("ctrl-a", .beginningOfLine), ("home", .beginningOfLine), ("ctrl-l", .clearScreen),
      ("del", .deleteChar), ("ctrl-d", .deleteCharOrEnd), ("ctrl-j", .down), ("down", .down),
      ("ctrl-n", .downMatch), ("alt-down", .downMatch), ("ctrl-e", .endOfLine), ("end", .endOfLine),
      ("ctrl-f", .forwardChar), ("right", .forwardChar), ("alt-f", .forwardWord),
      ("shift-right", .forwardWord), ("alt-right", .forwardWord), ("ctrl-right", .forwardWord),
      ("alt-d", .killWord), ("pgdn", .pageDown), ("pgup", .pageUp), ("shift-down", .previewDown),
      ("shift-up", .previewUp), ("tab", .toggleDown), ("shift-tab", .toggleUp),
      ("ctrl-u", .unixLineDiscard), ("ctrl-w", .unixWordRubout), ("ctrl-k", .up), ("up", .up),
      ("ctrl-p", .upMatch), ("alt-up", .upMatch), ("ctrl-y", .yank), ("scroll-up", .up),
      ("scroll-down", .down), ("right-click", .toggle), ("shift-left-click", .toggle),
      ("preview-scroll-up", .previewUp), ("preview-scroll-down", .previewDown),
      ("alt-a", .selectAll), ("alt-n", .deselectAll), ("alt-<", .first), ("alt->", .last),
    ]
    var bindings: [PickKey: [PickAction]] = [:]
    for (key, name) in table { bindings[PickKey(key)!] = [PickAction(name: name)] }
    return bindings
  }()
}
