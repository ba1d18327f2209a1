import Console
public import PluginCore

/// How an app's pages look in a terminal, as `Resources/theme.json` of a bundle says it. All of it may be left out, and is then as
/// without a theme.
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
/// A colour is `default`, one of the 16 by its name, or one of 256 by its number. A name that starts with `@` is a key of the
/// bundle's texts.
public struct Theme: Equatable, Sendable {
    /// What stands before and between things.
    struct Marks: Equatable, Sendable {
        /// Before a row of a list.
        var bullet: String?
        /// Repeated under a title and across the page; one column wide.
        var rule: String?
        /// Before what the user has done.
        var arrow: String?
        /// Before what the user can do.
        var selection: String?
    }

    /// What the colours are for; what is not there has the terminal's own.
    struct Colours: Equatable, Sendable {
        var title: TextColour?
        var text: TextColour?
        var action: TextColour?
        var muted: TextColour?
    }

    /// The two kinds of background there are.
    public enum Variant: String, CaseIterable, Sendable {
        /// Dark text on a light background.
        case light
        /// Light text on a dark background.
        case dark
    }

    /// The only `formatVersion` there is.
    static let formatVersion = 1

    var marks = Marks()
    var variants: [Variant: Colours] = [:]

    /// A theme that changes nothing.
    public init() {}

    /// Reads `theme.json` of a bundle's resources.
    ///
    /// - Throws: ``AtriumError`` with code `resourceInvalid`, every problem included, or `resourceUnknown` when there is none.
    public init(_ resources: BundleResources) throws(AtriumError) {
        self = try ThemeReader.read(resources)
    }
}

extension Theme.Variant {
    /// The one for a terminal.
    ///
    /// - Parameter colours: `COLORFGBG` as rxvt, Konsole and others set it: foreground, background, by number. Most terminals say
    ///   nothing, and most are dark.
    public init(forTerminalSaying colours: String?) {
        let background = colours?.split(separator: ";").last.flatMap { Int($0) }
        self = background == 7 || background.map { 9...15 ~= $0 } == true ? .light : .dark
    }
}
