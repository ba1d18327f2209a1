public import Console

/// How the parts of a page are written to a place: with a theme where a person looks at a terminal, else as ever, so that what
/// scripts read stays the same.
public struct PageStyle {
    private let terminal: Terminal
    private let marks: Theme.Marks
    private let colours: Theme.Colours?

    /// The style for a place.
    ///
    /// - Parameters:
    ///   - terminal: where pages go; off a terminal no theme is used.
    ///   - theme: the app's; `nil` for none.
    ///   - variant: which of its variants.
    public init(terminal: Terminal, theme: Theme? = nil, variant: Theme.Variant = .dark) {
        self.terminal = terminal
        let theme = terminal.isTerminal ? theme : nil
        marks = theme?.marks ?? Theme.Marks()
        colours = theme.map { $0.variants[variant] ?? Theme.Colours() }
    }

    /// Where lines are broken; `nil` where nobody looks at a terminal.
    var width: Int? { terminal.wrappingWidth }

    func title(_ text: String) -> String { terminal.styled(text, .bold, in: colours?.title) }
    func text(_ text: String) -> String { terminal.styled(text, in: colours?.text) }
    func action(_ text: String) -> String { terminal.styled(text, in: colours?.action) }
    func muted(_ text: String) -> String {
        terminal.styled(text, colours?.muted == nil ? .dim : [], in: colours?.muted)
    }

    /// The line under a title of so many columns.
    func underline(_ width: Int) -> String { muted(String(repeating: marks.rule ?? "=", count: width), if: marks.rule) }
    /// The line across a page.
    var divider: String { muted(marks.rule.map { String(repeating: $0, count: 3) } ?? "---", if: marks.rule) }
    /// What stands before a row.
    var bullet: String { marks.bullet ?? "-" }
    /// What stands before an action's number, in two columns or more.
    var mark: String { marks.selection.map { " \($0)" } ?? "  " }
    /// That in its colour.
    func selection(_ mark: String) -> String { marks.selection == nil ? mark : " " + action(String(mark.dropFirst())) }
    /// What the user has done.
    func echo(_ text: String) -> String {
        let line = "\(marks.arrow ?? ">") \(text)"
        return colours?.action == nil ? terminal.styled(line, .cyan) : action(line)
    }

    /// Only a theme's lines are set back: those of old are as they were.
    private func muted(_ line: String, if mark: String?) -> String { mark == nil ? line : muted(line) }
}
