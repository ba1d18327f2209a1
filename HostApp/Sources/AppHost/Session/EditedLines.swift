import Console
import Dispatch
import Glibc
import PluginCore
import Registry

/// The program `rlwrap` around a session on a terminal, which edits the lines that the user types, with a history and completion.
///
/// Its files are in the host's folder of the sandbox. Without the program, lines are read as they come.
@MainActor
struct EditedLines {
    /// The variable by which a host knows that it runs in the program.
    private nonisolated static let marker = "ATRIUM_RLWRAP"
    /// The number of lines that the history keeps.
    private static let limit = 1000
    /// A regular expression for lines that are not kept: those that begin with a space, and those that fill in a field for a secret.
    nonisolated static let forgotten =
        "^ |(^| )[^ =]*(pass|secret|token|credential)[^ =]*=|(^| )-*(pin|code)="

    /// Returns whether a field has a name of one for a secret.
    nonisolated static func isSecret(_ field: String) -> Bool {
        (try? Regex(forgotten)).map { (field + "=").contains($0) } ?? true
    }

    private let call: HostCall

    init(_ call: HostCall) { self.call = call }

    /// A Boolean value that indicates whether this process runs in the program.
    nonisolated static var isOn: Bool { getenv(marker) != nil }

    /// Replaces this process by the program, which starts the session; returns if that is not possible.
    ///
    /// - Parameter arguments: the arguments of this process.
    func begin(_ arguments: [String]) {
        let folder = call.sandbox.hostData.appending("Library")
        guard let program = SystemProgram.find("rlwrap", on: call.environment.searchPath) else { return }
        let history = folder.appending("shell-history").string
        // The first session of a sandbox has no folder yet, and so no editing: only a host that prepares the sandbox creates it. A link could
        // lead to a file of somebody else, and a pipe would block.
        let file = open(history, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return }
        close(file)
        let (words, keys) = (folder.appending("shell-words"), folder.appending("shell-keys"))
        guard write(self.words, to: words), write(self.keys, to: keys) else { return }
        setenv(Self.marker, "1", 1)
        setenv("INPUTRC", keys.string, 1)
        let options = [
            "--no-warnings", "--command-name=\(HostConfiguration.current.name)", "--history-filename=\(history)",
            "--histsize=\(Self.limit)", "--forget-matching=\(Self.forgotten)", "--complete-filenames",
            "--break-chars=\"=", "--extra-char-after-completion=", "--file=\(words.string)",
            // Otherwise rlwrap would learn only with the next key that Ctrl-C is a signal again.
            "--polling",
        ]
        var line = ([program.string] + options + [call.environment.executable.string] + arguments).map { strdup($0) }
        line.append(nil)
        execv(program.string, line)
        for name in [Self.marker, "INPUTRC"] { unsetenv(name) }
    }

    /// The words that the tab key completes.
    var words: [String] {
        let items = call.hostItems
        return HostCommands.inShell.map(\.name) + Shell.words + items.installed
            + AddressItems(items.patterns).candidates(for: "").map(\.text)
    }

    /// The keys, which are the user's own but for Ctrl-C.
    private var keys: [String] {
        let own = getenv("INPUTRC").map { String(cString: $0) } ?? "~/.inputrc"
        return [
            "$include /etc/inputrc", "$include \(own)", #""\C-x\C-h": end-of-history"#,
            #""\C-x\C-k": kill-whole-line"#, #""\C-c": "\C-x\C-h\C-x\C-k""#,
        ]
    }

    /// Writes a file, in place of an earlier one.
    private func write(_ lines: [String], to path: FilePath) -> Bool {
        let new = FilePath("\(path.string).\(getpid())")
        let isWritten = (try? NamedFile.write(lines.map { $0 + "\n" }.joined(), to: new)) != nil
        return isWritten && rename(new.string, path.string) == 0
    }
}

/// Standard input as lines, read without blocking a thread of the concurrency pool.
struct LineInput {
    private let queue = DispatchQueue(label: "standard input")

    /// A Boolean value that indicates whether standard input is a terminal.
    let isTerminal = isatty(STDIN_FILENO) == 1

    /// Returns the next line without its line break; `nil` at the end of the input.
    func next() async -> String? {
        // rlwrap takes the mode of its terminal over. Without the signal, Ctrl-C is a key that clears the line.
        let mode = EditedLines.isOn ? setMode { $0.c_cc.0 = 0 } : nil
        defer { if let mode { _ = setMode { $0 = mode } } }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }

    /// Returns a line that the terminal does not show, and that no history keeps; `nil` after Ctrl-C.
    func secret(_ question: String) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: try? SecretInput.line(prompt: question)) }
        }
    }

    /// Changes the mode of the terminal, and returns the one before.
    private func setMode(_ change: (inout termios) -> Void) -> termios? {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        let before = mode
        change(&mode)
        return tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 ? before : nil
    }
}
