import Foundation
import PluginCore
import PluginTestKit
import Testing

/// A user's home with an installed plugin, a folder with files, and shells that complete command lines there.
struct ShellHome: Sendable {
    private let folder: ThrowawayFolder
    let host: HostApp

    /// Creates a home in which Shop and Account are installed.
    init() async throws {
        folder = try ThrowawayFolder()
        host = try HostApp.find()
        for name in ["a b/x.zip", "p q.zip", "it's.zip", "other.txt", "co:lon.zip", "grün/y.zip"] {
            try folder.write([], to: "files/\(name)")
        }
        try await host.hostapp.run(
            ["install", "com.example.app.shop@1.0.0", "com.example.app.account"], environment: environment
        ).succeeded()
    }

    var files: FilePath { folder.appending("files") }
    var sandbox: FilePath { folder.appending("data/atrium/sandbox") }

    var environment: [String: String] {
        [
            "XDG_DATA_HOME": folder.appending("data").string, "HOME": folder.path.string, "LC_ALL": "C.UTF-8",
            "PATH": "\(host.build.appending("bin")):/usr/local/bin:/usr/bin:/bin",
        ]
    }

    /// A shell that runs on a terminal, where the tab key completes and F12 prints the line.
    enum Shell: String, CaseIterable {
        case bash, zsh

        var options: [String] { self == .bash ? ["--norc", "--noprofile", "-i"] : ["-f", "-i"] }

        /// The commands that load the completion and bind the keys.
        var preparation: String {
            switch self {
            case .bash:
                #"""
                bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; bind 'set completion-query-items -1'
                bind 'set page-completions off'; source <(hostapp completion bash); source <(bundletool completion bash)
                bind -x '"\e[24~": printf "\n\x5b\x5b%s]]\n" "$READLINE_LINE"; READLINE_LINE='
                PS1='REA''DY> '

                """#
            case .zsh:
                #"""
                unsetopt zle_bracketed_paste beep prompt_sp; unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D
                source <(hostapp completion zsh); source <(bundletool completion zsh); LISTMAX=1000
                show() { print; print -r -- $'\x5b\x5b'"$BUFFER]]"; BUFFER=; zle reset-prompt }
                zle -N show; bindkey '^[[24~' show; PS1='REA''DY> '

                """#
            }
        }
    }

    /// Starts a shell in the folder with the files.
    func start(_ shell: Shell) async throws -> RunningProcess {
        let found = ["/bin/", "/usr/bin/"].map { FilePath($0 + shell.rawValue) }
        let program = try #require(
            found.first { $0.exists }, "\(shell) is not installed")
        let process = try Executable(program).startOnTerminal(
            shell.options, columns: 200, rows: 50, environment: environment, folder: files)
        try await process.send(shell.preparation)
        try await process.wait(for: "READY> ")
        return process
    }

    /// Types the beginning of a line and the tab key.
    ///
    /// - Returns: The line after the completion.
    func completed(_ line: String, in process: RunningProcess) async throws -> String {
        try await process.send(line + "\t\u{1B}[24~")
        try await process.wait(for: "[[")
        let text = try await process.wait(for: "]]")
        return String(text.dropLast(2))
    }

    /// Returns the candidates that fish lists for the beginning of a line, with their descriptions.
    func fish(_ line: String) async throws -> [String] {
        let script = "hostapp completion fish | source; bundletool completion fish | source; complete -C $argv[1]"
        let result = try await Executable("/usr/bin/fish").run(
            ["--no-config", "-c", script, line], environment: environment, folder: files)
        #expect(result.status == 0 && result.stderr.isEmpty, "\(result)")
        return result.lines
    }
}
