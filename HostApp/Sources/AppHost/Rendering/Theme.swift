import Console
public import PluginCore

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
    struct Marks: Equatable, Sendable {
        /// The mark before a row of a list.
        var bullet: String?
        /// The mark that is repeated below a title and across the page; one column wide.
        var rule: String?
        /// The mark before a line that repeats the user's action.
        var arrow: String?
        /// The mark before an action of the page.
        var selection: String?
    }

    /// The colors of the parts of a page; a part without one has the terminal's default color.
    struct Colors: Equatable, Sendable {
        var title: TextColor?
        var text: TextColor?
        var action: TextColor?
        var muted: TextColor?
    }

    /// A theme's variant for the terminal's background.
    public enum Variant: String, CaseIterable, Sendable {
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    var marks = Marks()
    var variants: [Variant: Colors] = [:]

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
    /// The path of the theme in a bundle's resources.
    private static let file = "theme.json"

    /// Reads the theme from a bundle's resources.
    ///
    /// - Throws: ``AtriumError`` with code `resourceInvalid`, listing every problem, or `resourceUnknown` if the bundle has no
    ///   theme.
    public init(_ resources: BundleResources) throws(AtriumError) {
        let bytes = try resources.bytes(of: Self.file)
        self = try CompositionFields.read(bytes, of: Self.file, .resourceInvalid, tooNew: "themeTooNew") { fields in
            var theme = Theme()
            _ = fields.optionalText("name")
            if let value = fields.optional("marks") {
                theme.marks = fields.object(value, in: "marks") {
                    Marks(
                        bullet: $0.mark("bullet"), rule: $0.mark("rule", widest: 1), arrow: $0.mark("arrow"),
                        selection: $0.mark("selection"))
                }
            }
            for (key, value) in fields.members("variants") {
                let field = "variants[\"\(key)\"]"
                guard let variant = Variant(rawValue: key) else {
                    fields.add(field, "oneOfExpected", ["known": .list(Variant.allCases.map(\.rawValue))])
                    continue
                }
                theme.variants[variant] = fields.object(value, in: field) {
                    _ = $0.optionalText("name")
                    return Colors(
                        title: $0.color("title"), text: $0.color("text"), action: $0.color("action"),
                        muted: $0.color("muted"))
                }
            }
            return theme
        }
    }
}

extension CompositionFields {
    fileprivate mutating func mark(_ name: String, widest: Int = 3) -> String? {
        guard let mark = optionalText(name) else { return nil }
        // `printable` escapes control characters, so a mark that contains some is not equal to its printable text.
        guard printable(mark) == mark, 1...widest ~= displayWidth(of: mark) else {
            add(name, widest == 1 ? "oneColumnExpected" : "columnsExpected", ["most": .integer(widest)])
            return nil
        }
        return mark
    }

    fileprivate mutating func color(_ name: String) -> TextColor? {
        switch optional(name) {
        case nil, .string("default"): return nil
        case .string(let text):
            if let color = TextColor(named: text) { return color }
        case .number(let number):
            if let number = UInt8(exactly: number) { return TextColor(number: number) }
        default: break
        }
        add(name, "colorExpected")
        return nil
    }
}
