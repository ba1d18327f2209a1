import Console
import Dispatch
import Glibc
import LineEditing
import PluginCore
import TerminalScreen

/// The editing of the lines of a session, with the history of earlier ones and completion.
@MainActor
final class ShellEditor {
    private let editor: LineEditor
    private let history: ShellHistory
    private let items: HostItems
    private let home: HostEnvironment
    private let signals: SignalHandler?

    /// Creates the editor of a session; `nil` if libedit is not installed.
    init?(_ call: HostCall) {
        let name = HostConfiguration.current.name
        guard let editor = LineEditor(program: name, output: StandardStream.output.descriptor) else { return nil }
        self.editor = editor
        signals = SignalHandler(SIGWINCH, SIGCONT) { [weak editor] number in
            if number == SIGWINCH { editor?.resized() } else { editor?.continued() }
        }
        history = call.shellHistory
        items = call.hostItems
        home = call.environment
        for line in history.lines() { editor.remember(line) }
        // Text that arrives while the user types is shown above the line.
        StandardOutput.showing { [weak editor] in editor?.show($0) ?? false }
    }

    /// Ends the editing.
    func end() {
        StandardOutput.showing(nil)
        signals?.end()
    }

    /// Reads a line for a page, and adds it to the history.
    func next(on page: (any Page)?) async -> LineEditor.Input {
        let actions = page.map { PageChoice.all(on: $0).map(\.action) } ?? []
        let completion = ShellCompletion(actions: actions, items: items, environment: home)
        let input = await editor.next { completion.change($0, width: Terminal(.output).width) }
        if case .line(let line) = input, ShellHistory.isKept(line) {
            editor.remember(line)
            history.add(line)
        }
        return input
    }

    /// Abandons the line.
    func interrupt() { editor.interrupt() }
}

/// The lines that the user has typed in the sessions of a sandbox, in a file that only the user can read.
///
/// Each line is appended when it was typed, so that several sessions can share the file and a crash loses nothing. A file that cannot be
/// read or written is no error: the session goes on without it.
struct ShellHistory: Sendable {
    /// The largest number of lines that are offered, and to which a file of twice as many is shortened.
    static let limit = 1000
    private static let mode: mode_t = 0o600
    /// The largest file, in bytes; a larger one was not written by a session.
    private static let largest = 1 << 22

    private let path: FilePath

    /// Creates the history in the host's folder of a sandbox, without reading anything.
    init(in folder: FilePath) { path = folder.appending("Library").appending("shell-history") }

    /// Returns the lines of earlier sessions, oldest first.
    func lines() -> [String] {
        guard let bytes = content() else { return [] }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { String(validating: $0, as: UTF8.self) }
        let latest = Array(lines.suffix(Self.limit))
        if lines.count > 2 * Self.limit { replace(with: latest) }
        return latest
    }

    /// Appends a line.
    func add(_ line: String) {
        // The folder of the sandbox exists, because the session has prepared it.
        mkdir(path.parent.string, 0o700)
        guard let file = open(O_WRONLY | O_APPEND | O_CREAT, path) else { return }
        defer { close(file) }
        write(line + "\n", to: file)
    }

    /// Returns whether a line is kept: not if it begins with a space, and not if it fills in a field for a secret.
    static func isKept(_ line: String) -> Bool {
        guard let first = line.first, first != " " else { return false }
        let names = line.split(separator: " ").compactMap { word in
            word.firstIndex(of: "=").map { word[..<$0].lowercased().drop { $0 == "-" } }
        }
        return !names.contains { name in secrets.contains { name.contains($0) } || name == "pin" || name == "code" }
    }

    private static let secrets = ["pass", "secret", "token", "credential"]

    private func content() -> [UInt8]? {
        guard let file = open(O_RDONLY, path) else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    private func replace(with lines: [String]) {
        let new = FilePath(path.string + ".\(getpid())")
        guard let file = open(O_WRONLY | O_CREAT | O_EXCL, new) else { return }
        let isWritten = write(lines.map { $0 + "\n" }.joined(), to: file)
        close(file)
        if !isWritten || rename(new.string, path.string) != 0 { unlink(new.string) }
    }

    private func open(_ flags: Int32, _ path: FilePath) -> Int32? {
        // A link could lead to a file of somebody else, and a pipe would block.
        let file = Glibc.open(path.string, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, Self.mode)
        return file < 0 ? nil : file
    }

    @discardableResult
    private func write(_ text: String, to file: Int32) -> Bool {
        let bytes = Array(text.utf8)
        // One call for a line, so that the lines of two sessions do not mix.
        return Glibc.write(file, bytes, bytes.count) == bytes.count
    }
}

extension LineEditor.Input {
    /// The outcome of reading a line without an editor.
    init(_ line: String?) { self = line.map { .line($0) } ?? .end }
}

/// Standard input as lines, read without blocking a thread of the concurrency pool.
struct LineInput: Sendable {
    private let queue = DispatchQueue(label: "standard input")

    /// A Boolean value that indicates whether standard input is a terminal.
    let isTerminal = isatty(STDIN_FILENO) == 1

    /// Returns the next line without its line break; `nil` at the end of the input.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }
}
