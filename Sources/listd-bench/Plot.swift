import Foundation

/// An SVG plot of figures: dots on a logarithmic scale of milliseconds.
struct Plot {
  /// The colours of a drawing on a light or a dark page.
  struct Palette {
    let text: String
    let faint: String
    let grid: String

    /// The colours of the series, by index.
    let series: [String]

    static let light = Palette(
      text: "#1f2328", faint: "#59636e", grid: "#d1d9e0",
      series: ["#0969da", "#8250df", "#1a7f37", "#bc4c00"])
    static let dark = Palette(
      text: "#f0f6fc", faint: "#9198a1", grid: "#3d444d",
      series: ["#4493f8", "#ab7df8", "#3fb950", "#f0883e"])
  }

  /// A group of rows with the same series.
  struct Panel {
    let title: String
    let series: [String]
    var rows: [(label: String, values: [Double?])] = []
  }

  let panels: [Panel]
  let palette: Palette

  private static let width = 860
  private static let left = 300
  private static let right = 810
  private static let rowHeight = 25
  private static let headHeight = 62
  private static let footHeight = 34

  private func height(of panel: Panel) -> Int {
    Self.headHeight + panel.rows.count * Self.rowHeight + Self.footHeight
  }

  var svg: String {
    let height = panels.reduce(8) { $0 + self.height(of: $1) }
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" \
      width="\(Self.width)" height="\(height)" role="img" \
      font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" \
      font-size="13">
      <title>Milliseconds that a change takes, less is better</title>

      """
    var top = 8
    for panel in panels {
      text += draw(panel, top: top)
      top += self.height(of: panel)
    }
    return text + "</svg>\n"
  }

  private func draw(_ panel: Panel, top: Int) -> String {
    let values = panel.rows.flatMap { $0.values.compactMap { $0 } }
    let low = Int((log10(values.min() ?? 1) - 0.1).rounded(.down))
    let high = Int((log10(values.max() ?? 1) + 0.1).rounded(.up))
    func x(_ value: Double) -> Double {
      let share = (log10(value) - Double(low)) / Double(high - low)
      return Double(Self.left) + share * Double(Self.right - Self.left)
    }
    var text = words(panel.title, x: 16, y: top + 22, "font-size=\"16\" font-weight=\"600\"")
    text += legend(panel, y: top + 44)
    let first = top + Self.headHeight
    let end = first + panel.rows.count * Self.rowHeight
    for power in low...high {
      let value = pow(10, Double(power))
      let gridX = Self.digits(x(value))
      text += """
        <line x1="\(gridX)" x2="\(gridX)" y1="\(first)" y2="\(end)" stroke="\(palette.grid)"/>

        """
      let label = Self.label(value) + (power == high ? " ms" : "")
      let style = "fill=\"\(palette.faint)\" text-anchor=\"middle\" font-size=\"12\""
      text += words(label, x: Int(x(value)), y: end + 17, style)
    }
    for (index, row) in panel.rows.enumerated() {
      let y = first + index * Self.rowHeight + Self.rowHeight / 2
      text += words(row.label, x: Self.left - 14, y: y + 4, "text-anchor=\"end\"")
      text += draw(row.values, y: y, x)
    }
    return text
  }

  /// Draws a line between the least and the greatest value, and a dot for each value.
  private func draw(_ values: [Double?], y: Int, _ x: (Double) -> Double) -> String {
    let known = values.compactMap { $0 }
    var text = ""
    if let low = known.min(), let high = known.max(), low < high {
      text += """
        <line x1="\(Self.digits(x(low)))" x2="\(Self.digits(x(high)))" y1="\(y)" y2="\(y)" \
        stroke="\(palette.grid)" stroke-width="3"/>

        """
    }
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      let color = palette.series[index]
      text += """
        <circle cx="\(Self.digits(x(value)))" cy="\(y)" r="5.5" fill="\(color)"/>

        """
      // Only the least and the greatest value are labelled, beside their dots.
      let isFirst = value == known.min()
      let isLast = value == known.max()
      guard isFirst || isLast else { continue }
      let anchor = isLast && known.count > 1 || known.count == 1 ? "start" : "end"
      let labelX = Int(x(value)) + (anchor == "start" ? 10 : -10)
      text += words(
        Self.label(value), x: labelX, y: y + 4,
        "text-anchor=\"\(anchor)\" font-size=\"12\" fill=\"\(color)\" font-weight=\"600\"")
    }
    return text
  }

  private func legend(_ panel: Panel, y: Int) -> String {
    var text = ""
    var x = 16
    for (index, name) in panel.series.enumerated() {
      text += """
        <circle cx="\(x + 6)" cy="\(y - 4)" r="5.5" fill="\(palette.series[index])"/>

        """
      text += words(name, x: x + 17, y: y, "fill=\"\(palette.faint)\"")
      x += 38 + name.count * 7
    }
    return text
  }

  private func words(_ words: String, x: Int, y: Int, _ style: String) -> String {
    let escaped = words.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    let fill = style.contains("fill=") ? "" : " fill=\"\(palette.text)\""
    return "<text x=\"\(x)\" y=\"\(y)\" \(style)\(fill)>\(escaped)</text>\n"
  }

  /// A coordinate with one decimal place.
  private static func digits(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// A number of milliseconds with two significant digits; large ones have thousands separators.
  private static func label(_ value: Double) -> String {
    guard value < 10 else {
      let whole = Int(value.rounded())
      return whole < 1000
        ? "\(whole)" : "\(whole / 1000)," + String(format: "%03d", whole % 1000)
    }
    return value == value.rounded() && value < 1 ? "0" : String(format: "%g", value)
  }
}
