import Console

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
struct Theme: Equatable, Sendable {
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
    enum Variant: String, CaseIterable, Sendable {
        case light
        case dark
    }

    /// The only `formatVersion` there is.
    static let formatVersion = 1

    var marks = Marks()
    var variants: [Variant: Colours] = [:]
}

extension Theme.Variant {
    /// The one for a terminal.
    ///
    /// - Parameter colours: `COLORFGBG` as rxvt, Konsole and others set it: foreground, background, by number. Most terminals say
    ///   nothing, and most are dark.
    init(forTerminalSaying colours: String?) {
        let background = colours?.split(separator: ";").last.flatMap { Int($0) }
        self = background == 7 || background.map { 9...15 ~= $0 } == true ? .light : .dark
    }
}
