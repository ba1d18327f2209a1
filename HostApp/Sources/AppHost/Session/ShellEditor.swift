import Console
import LineEditing
import PluginCore

/// The editing of the lines of a session, with the history of earlier ones and completion.
@MainActor
final class ShellEditor {
    private let editor: LineEditor
    private let history: ShellHistory
    private let items: HostItems
    private let home: HostEnvironment

    /// Creates the editor of a session; `nil` if libedit is not installed.
    init?(_ call: HostCall) {
        let name = HostConfiguration.current.name
        guard let editor = LineEditor(program: name, output: StandardStream.output.descriptor) else { return nil }
        self.editor = editor
        history = call.shellHistory
        items = call.hostItems
        home = call.environment
        for line in history.lines() { editor.remember(line) }
        // Text that arrives while the user types is shown above the line.
        StandardOutput.showing { [weak editor] in editor?.show($0) ?? false }
    }

    /// Ends the editing.
    func end() { StandardOutput.showing(nil) }

    /// Reads a line for a page, and adds it to the history.
    func next(on page: (any Page)?) async -> LineEditor.Input {
        let actions = page.map { PageChoice.all(on: $0).map(\.action) } ?? []
        let completion = ShellCompletion(actions: actions, items: items, environment: home)
        let input = await editor.next("> ") { completion.change($0, width: Terminal(.output).width) }
        if case .line(let line) = input, ShellHistory.isKept(line, actions: actions) {
            editor.remember(line)
            history.add(line)
        }
        return input
    }

    /// Abandons the line.
    func interrupt() { editor.interrupt() }
}
