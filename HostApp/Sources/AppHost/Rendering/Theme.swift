import PluginRuntime
import Registry
import HostSystem
public import Console
public import PluginCore
import TerminalImages

/// The appearance of an app's pages in a terminal, read from a bundle's theme resource.
///
/// The file is `Resources/theme.json`. Every field is optional and has the default of a page without a theme.
///
/// ```json
/// {
///   "formatVersion": 1, "name": "@theme.name",
///   "marks": { "bullet": "•", "rule": "─", "arrow": "→", "selection": "›" },
///   "variants": {
///     "light": { "name": "@theme.light", "title": 130, "action": "blue" },
///     "dark": { "name": "@theme.dark", "title": 215, "action": "bright cyan", "muted": "bright black" }
///   }
/// }
/// ```
///
/// A color is `default`, the name of one of the 16 standard colors, or the number of one of the 256 colors. A name that starts with
/// `@` is a key of the bundle's localized texts.
public struct Theme: Equatable, Sendable {
    /// The marks that separate and precede the parts of a page.
    enum Mark: String, CaseIterable {
        /// The mark before a row of a list.
        case bullet
        /// The mark that is repeated below a title and across the page; one column wide.
        case rule
        /// The mark before a line that repeats the user's action.
        case arrow
        /// The mark before an action of the page.
        case selection
    }

    /// The parts of a page that have colors; a part without one has the terminal's default color.
    enum Part: String, CaseIterable {
        case title, text, action, muted
    }

    /// A theme's variant for the terminal's background.
    public enum Variant: String, CaseIterable, Sendable {
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    var marks: [Mark: String] = [:]
    var variants: [Variant: [Part: TextColor]] = [:]

    /// Creates a theme that changes nothing.
    public init() {}
}

extension Theme.Variant {
    /// Selects the variant for a terminal.
    ///
    /// - Parameter colors: the value of `COLORFGBG`, which rxvt, Konsole and others set to the numbers of the foreground and
    ///   background colors. Most terminals do not set it, and most have a dark background.
    public init(forTerminalSaying colors: String?) {
        let background = colors?.split(separator: ";").last.flatMap { Int($0) }
        self = background == 7 || background.map { 9...15 ~= $0 } == true ? .light : .dark
    }
}

extension Theme {
    /// Reads the theme from a bundle's resources.
    ///
    /// - Throws: ``AtriumError`` with code `resourceInvalid`, listing every problem, or `resourceUnknown` if the bundle has no
    ///   theme.
    public init(_ resources: BundleResources) throws(AtriumError) {
        let bytes = try resources.bytes(of: "theme.json")
        self = try ManifestFields.read(bytes, of: "theme.json", .resourceInvalid, tooNew: "themeTooNew") { fields in
            var theme = Theme()
            _ = fields.text("name")
            let marks = fields.object("marks") { fields in
                Mark.allCases.reduce(into: [:]) { $0[$1] = fields.mark($1.rawValue, widest: $1 == .rule ? 1 : 3) }
            }
            theme.marks = marks ?? [:]
            fields.entries("variants") { entries, key in
                guard let variant = Variant(rawValue: key) else {
                    return entries.report(key, "oneOfExpected", ["known": .list(Variant.allCases.map(\.rawValue))])
                }
                theme.variants[variant] = entries.object(key) { fields in
                    _ = fields.text("name")
                    return Part.allCases.reduce(into: [:]) { $0[$1] = fields.color($1.rawValue) }
                }
            }
            return theme
        }
    }
}

extension ManifestFields {
    fileprivate func mark(_ name: String, widest: Int) -> String? {
        guard let mark = text(name) else { return nil }
        // `printable` escapes control characters, so a mark that contains some is not equal to its printable text.
        guard printable(mark) == mark, 1...widest ~= displayWidth(of: mark) else {
            report(name, widest == 1 ? "oneColumnExpected" : "columnsExpected", ["most": .integer(widest)])
            return nil
        }
        return mark
    }

    fileprivate func color(_ name: String) -> TextColor? {
        let text = value(name, ifOf: String.self)
        guard contains(name), text != "default" else { return nil }
        let number = value(name, ifOf: UInt8.self)
        let color = text.flatMap { TextColor(named: $0) } ?? number.map { TextColor(number: $0) }
        if color == nil { report(name, "colorExpected") }
        return color
    }
}

/// The style of a page's parts, taken from a theme on a terminal.
///
/// Elsewhere no theme applies, so that the output that scripts read does not depend on it.
public struct PageStyle {
    private let terminal: Terminal
    private let marks: [Theme.Mark: String]
    private let colors: [Theme.Part: TextColor]
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
        marks = theme?.marks ?? [:]
        colors = theme?.variants[variant] ?? [:]
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

    func title(_ text: String) -> String { terminal.styled(text, .bold, in: colors[.title]) }
    func text(_ text: String) -> String { terminal.styled(text, in: colors[.text]) }
    func action(_ text: String) -> String { terminal.styled(text, in: colors[.action]) }
    func muted(_ text: String) -> String {
        terminal.styled(text, colors[.muted] == nil ? .dim : [], in: colors[.muted])
    }

    /// Returns the line below a title of the given width in columns.
    func underline(_ width: Int) -> String { line(of: marks[.rule] ?? "=", width) }
    /// The line that divides a page.
    var divider: String { line(of: marks[.rule] ?? "-", 3) }
    /// The mark before a row of a list.
    var bullet: String { marks[.bullet] ?? "-" }
    /// The mark before an action's number, at least two columns wide.
    var mark: String { marks[.selection].map { " \($0)" } ?? "  " }
    /// Returns the mark before an action in the color of actions.
    func selection(_ mark: String) -> String {
        marks[.selection] == nil ? mark : " " + action(String(mark.dropFirst()))
    }
    /// Returns the line that repeats the user's action.
    func echo(_ text: String) -> String {
        let line = "\(marks[.arrow] ?? ">") \(text)"
        return colors[.action] == nil ? terminal.styled(line, .cyan) : action(line)
    }

    /// Returns a line in the muted color if it is the theme's own; the default lines have no color.
    private func line(of mark: String, _ count: Int) -> String {
        let line = String(repeating: mark, count: count)
        return marks[.rule] == nil ? line : muted(line)
    }
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
        guard terminal.isTerminal, !isJSON, let name = try? composition().theme,
            let identifier = BundleIdentifier(name)
        else { return nil }
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
