import AppScreens
import Console
import PluginCore
import TerminalScreen

extension HostCall {
    /// A Boolean value that indicates whether the user can work with screens.
    var canShowScreens: Bool {
        !isJSON && !parsed.flag("plain") && LineInput().isTerminal && terminal.canRedraw
    }

    /// Shows the app as screens until the user quits.
    func showScreens(from start: ScreenSession.Start) async throws {
        let composed = try await sessionComposition()
        let changes = InstallChanges()
        installObserver = { changes.observe($0) }
        let notices = ScreenNotices()
        try await inSession(composed, onNotice: { notices.show($0) }) { [self] session in
            let screens = ScreenSession(self, session, composed, styles: await screenStyles())
            notices.receiver = { [weak screens] in screens?.show(notice: $0) }
            try await screens.run(from: start, changes)
            notices.receiver = nil
        }
    }

    /// The styles of the app's theme, or without any color if the user does not want them.
    private func screenStyles() async -> ScreenStyles {
        _ = await pageStyle()
        guard terminal.allowsStyle else { return ScreenStyles() }
        var styles = ScreenStyles.colored
        guard case .some(.some(let theme)) = theme else { return styles }
        let colors = theme.variants[Theme.Variant(forTerminalSaying: environment.terminalColors)]
        if let bullet = theme.marks.bullet { styles.bullet = bullet }
        if let mark = theme.marks.selection { styles.mark = mark }
        if let color = colors?.title { styles.title.foreground = color.number }
        if let color = colors?.text { styles.text.foreground = color.number }
        if let color = colors?.action { styles.action.foreground = color.number }
        if let color = colors?.muted { styles.muted = CellStyle(foreground: color.number) }
        return styles
    }
}

/// The notices of a session, before and while there are screens.
@MainActor
private final class ScreenNotices {
    private var early: [String] = []
    var receiver: (@MainActor (String) -> Void)? {
        didSet {
            guard let receiver else { return }
            for notice in early { receiver(notice) }
            early = []
        }
    }

    func show(_ notice: String) {
        if let receiver { receiver(notice) } else { early.append(notice) }
    }
}
