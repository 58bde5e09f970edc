import ListDiff
import ListStages

@testable import ListText

/// The content of a row in which each member is a word.
struct Words: TextContent {
  var members: [String: String] = [:]

  init(members: [String: String] = [:]) { self.members = members }

  /// Creates the content of a row with a text.
  init(text: String) { members = ["text": text] }

  func append(_ member: [UInt8], to text: inout [UInt8]) -> Bool {
    guard let word = members[String(decoding: member, as: UTF8.self)] else { return false }
    text.append(contentsOf: word.utf8)
    return true
  }

  func boolean(_ member: [UInt8]) -> Bool? {
    Bool(members[String(decoding: member, as: UTF8.self)] ?? "")
  }

  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger? {
    guard let word = members[String(decoding: member, as: UTF8.self)] else { return nil }
    let bounded = Int(word).map { min(max($0, bounds.lowerBound), bounds.upperBound) }
    return BoundedInteger(value: bounded, isExact: bounded != nil && bounded == Int(word))
  }
}

/// A section of rows of text, with an optional header and footer.
struct ModelSection {
  var id: UInt32 = 0
  var header: String?
  var footer: String?
  var rows: [(id: UInt32, text: String)] = []
}

/// A reference model of a list as text.
struct ModelList {
  var sections: [ModelSection]

  /// Parses `1=a 2=b | 3=c`, where `/` is a line break and `|` begins another section. A section
  /// may begin with `#header` and end with `.footer`.
  init(_ picture: String) {
    sections = picture.split(separator: "|", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      var section = ModelSection(id: UInt32(index))
      for word in part.split(separator: " ") {
        let text = word.dropFirst().replacing("/", with: "\n")
        switch word.first {
        case "#": section.header = String(text)
        case ".": section.footer = String(text)
        default:
          let both = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          section.rows.append((UInt32(both[0])!, String(both[1].replacing("/", with: "\n"))))
        }
      }
      return section
    }
  }

  init(sections: [ModelSection]) { self.sections = sections }

  var arrangement: Arrangement {
    var result = Arrangement(sections: sections.map(\.id), starts: [0])
    for section in sections {
      result.rows += section.rows.map(\.id)
      result.starts.append(Int32(result.rows.count))
    }
    result.hasRepeats = Set(result.rows).count < result.rows.count
    return result
  }

  var text: RenderedText {
    var builder = TextBuilder()
    for section in sections {
      builder.addHeader(section.header.map(Words.init(text:)), .plain) { _ in }
      for row in section.rows {
        builder.addRow(Words(text: row.text), .plain, RowMarks()) { _ in }
      }
      builder.addFooter(section.footer.map(Words.init(text:)), .plain) { _ in }
    }
    let text = builder.finish()
    text.checkInvariants()
    return text
  }

  /// Returns the pairs of the blocks of this list's text and of another list's.
  func pairs(with other: ModelList) -> RowPairs {
    var engine = DiffEngine()
    engine.match(arrangement, other.arrangement, universe: 1000)
    return RowPairs(text, other.arrangement.starts, engine.matching)
  }

  /// The lines, computed without `TextBuilder`.
  var lines: [String] {
    var texts: [String] = []
    for section in sections {
      if let header = section.header { texts.append(header) }
      texts += section.rows.map(\.text)
      if let footer = section.footer { texts.append(footer) }
    }
    return texts.flatMap {
      $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Returns the edits from this list's text to that of another list.
  func edits(to other: ModelList) -> [LineEdit] {
    text.difference(to: other.text, pairs(with: other)).edits
  }

  /// Returns this list's lines after edits whose new lines are those of another list.
  func lines(after edits: [LineEdit], from other: ModelList) -> [String] {
    var result = lines
    for edit in edits.reversed() {
      result.replaceSubrange(edit.old, with: other.lines[edit.new])
    }
    return result
  }
}
