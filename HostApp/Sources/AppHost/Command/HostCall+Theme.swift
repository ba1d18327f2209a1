import Console
import PluginCore
import PluginRuntime

extension HostCall {
    /// How pages are drawn: with the app's theme when its bundle is installed and somebody looks at a terminal. One that cannot
    /// be read is noted once, and no page is lost for it.
    func pageStyle() async -> PageStyle {
        let theme = if let theme { theme } else { await readTheme() }
        self.theme = .some(theme)
        return PageStyle(
            terminal: terminal, theme: theme,
            variant: Theme.Variant(forTerminalSaying: environment.terminalColours))
    }

    private func readTheme() async -> Theme? {
        guard let identifier = themeIdentifier, terminal.isTerminal, !isJSON else { return nil }
        do {
            guard try manager.registry.installed(identifier) != nil else { return nil }
            return try ThemeReader.read(try await manager.resources(of: identifier))
        } catch {
            let report = Failure(error).report
            let facts = [report.message] + report.details
            StandardOutput.note(
                "note: pages are drawn without the theme of \(printable(identifier)): "
                    + facts.map { printable($0) }.joined(separator: "; ") + "\n")
            return nil
        }
    }
}
