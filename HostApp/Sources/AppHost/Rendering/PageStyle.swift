public import Console
import PluginCore
import PluginRuntime
import Registry
import TerminalImages

/// The style of a page's parts, taken from a theme on a terminal.
///
/// Elsewhere no theme applies, so that the output that scripts read does not depend on it.
public struct PageStyle {
    private let terminal: Terminal
    private let marks: Theme.Marks
    private let colors: Theme.Colors?
    /// The number of columns by which lines are indented afterwards.
    private var indentation = 0

    /// Creates a style.
    ///
    /// - Parameters:
    ///   - terminal: the destination of pages; if it isn't a terminal, the theme is ignored.
    ///   - theme: the app's theme; `nil` if there is none.
    ///   - variant: the variant of the theme.
    public init(terminal: Terminal, theme: Theme? = nil, variant: Theme.Variant = .dark) {
        self.terminal = terminal
        let theme = terminal.isTerminal ? theme : nil
        marks = theme?.marks ?? Theme.Marks()
        colors = theme.map { $0.variants[variant] ?? Theme.Colors() }
    }

    /// The width at which lines are wrapped; `nil` if the output isn't a terminal.
    var width: Int? { terminal.wrappingWidth.map { max(1, $0 - indentation) } }
    /// A Boolean value that indicates whether people see the output as it is, so that it may contain drawings.
    var isDrawn: Bool { terminal.allowsStyle }
    /// The style for lines that are indented by two columns.
    var indented: PageStyle {
        var style = self
        style.indentation += 2
        return style
    }

    func title(_ text: String) -> String { terminal.styled(text, .bold, in: colors?.title) }
    func text(_ text: String) -> String { terminal.styled(text, in: colors?.text) }
    func action(_ text: String) -> String { terminal.styled(text, in: colors?.action) }
    func muted(_ text: String) -> String {
        terminal.styled(text, colors?.muted == nil ? .dim : [], in: colors?.muted)
    }

    /// Returns the line below a title of the given width in columns.
    func underline(_ width: Int) -> String { muted(String(repeating: marks.rule ?? "=", count: width), if: marks.rule) }
    /// The line that divides a page.
    var divider: String { muted(marks.rule.map { String(repeating: $0, count: 3) } ?? "---", if: marks.rule) }
    /// The mark before a row of a list.
    var bullet: String { marks.bullet ?? "-" }
    /// The mark before an action's number, at least two columns wide.
    var mark: String { marks.selection.map { " \($0)" } ?? "  " }
    /// Returns the mark before an action in the color of actions.
    func selection(_ mark: String) -> String { marks.selection == nil ? mark : " " + action(String(mark.dropFirst())) }
    /// Returns the line that repeats the user's action.
    func echo(_ text: String) -> String {
        let line = "\(marks.arrow ?? ">") \(text)"
        return colors?.action == nil ? terminal.styled(line, .cyan) : action(line)
    }

    /// Returns a line in the muted color if it is the theme's own; the default lines have no color.
    private func muted(_ line: String, if mark: String?) -> String { mark == nil ? line : muted(line) }
}

extension HostCall {
    /// The style that pages are drawn with.
    ///
    /// The app's theme is used if its bundle is installed and output goes to a terminal. If the theme cannot be read, a note is
    /// printed once and pages are drawn without it.
    func pageStyle() async -> PageStyle {
        let theme = if let theme { theme } else { await readTheme() }
        self.theme = .some(theme)
        return PageStyle(
            terminal: terminal, theme: theme,
            variant: Theme.Variant(forTerminalSaying: environment.variable("COLORFGBG")))
    }

    /// The colors in which the terminal draws the images of pages; nil if their texts are shown.
    var imageColors: ColorDepth? {
        ColorDepth(isTerminal: terminal.allowsStyle) { environment.variable($0) }
    }

    private func readTheme() async -> Theme? {
        guard let identifier = themeIdentifier.flatMap({ BundleIdentifier($0) }), terminal.isTerminal, !isJSON else {
            return nil
        }
        do {
            guard try manager.registry.active.bundle(identifier) != nil else { return nil }
            return try Theme(try await manager.resources(of: identifier))
        } catch {
            let report = Failure(error).report
            let facts = [report.message] + report.details
            StandardOutput.note(
                localized("note: pages are shown without the theme of \(printable(identifier.text)): ")
                    + facts.map { printable($0) }.joined(separator: "; ") + "\n")
            return nil
        }
    }
}
