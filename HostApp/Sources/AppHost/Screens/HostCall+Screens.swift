import Console
import AppScreens
import PluginCore
import PluginRuntime
import TerminalScreen

extension HostCall {
    /// A Boolean value that indicates whether the user can work with screens.
    var canShowScreens: Bool {
        !isJSON && !parsed.flag("plain") && LineInput().isTerminal && terminal.canRedraw
    }

    /// Shows the app as screens until the user quits.
    func showScreens(from start: ScreenSession.Start) async throws {
        let composed = try await sessionComposition()
        let (installs, observed) = AsyncStream.makeStream(of: LifecycleEvent.self)
        installObserver = { observed.yield($0) }
        let (notices, noticed) = AsyncStream.makeStream(of: String.self)
        linkQuestion = { [weak self] in await self?.screens?.ask(about: $0, from: $1) ?? false }
        defer { linkQuestion = nil }
        try await inSession(composed, onNotice: { noticed.yield($0) }) { [self] session in
            let shown = ScreenSession(self, session, composed, styles: await screenStyles())
            screens = shown
            try await shown.run(from: start, installs, notices)
        }
    }

    /// The styles of the app's theme, or without any color if the user does not want them.
    private func screenStyles() async -> ScreenStyles {
        _ = await pageStyle()
        guard terminal.allowsStyle else { return ScreenStyles() }
        var styles = ScreenStyles.colored
        guard case .some(.some(let theme)) = theme else { return styles }
        let colors = theme.variants[Theme.Variant(forTerminalSaying: environment.variable("COLORFGBG"))]
        if let bullet = theme.marks.bullet { styles.bullet = bullet }
        if let mark = theme.marks.selection { styles.mark = mark }
        if let color = colors?.title { styles.title.foreground = color.number }
        if let color = colors?.text { styles.text.foreground = color.number }
        if let color = colors?.action { styles.action.foreground = color.number }
        if let color = colors?.muted { styles.muted = CellStyle(foreground: color.number) }
        return styles
    }
}
