import Registry
import Console
import PluginCore
import PluginRuntime
import TerminalImages

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
            variant: Theme.Variant(forTerminalSaying: environment.terminalColors))
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
            return try ThemeReader.read(try await manager.resources(of: identifier))
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
