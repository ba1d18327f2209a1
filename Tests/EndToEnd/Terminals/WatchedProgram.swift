import Foundation
import PluginCore
import PluginTestKit
import Testing

import Glibc

/// A shell script that runs a program, and writes down its number, and the terminal's mode before and after it.
struct WatchedProgram {
    let folder: ThrowawayFolder
    private let script: FilePath

    /// Creates a script.
    ///
    /// - Parameter rest: What the shell does afterwards.
    init(then rest: String = "") throws {
        folder = try ThrowawayFolder()
        script = try folder.write(
            """
            export SWIFT_BACKTRACE=interactive=no # On a terminal, Swift would wait half a minute for a key.
            ulimit -c 0
            stty -g >"$0.before" 2>/dev/null
            sh -c 'echo $$ >"$0.pid"; exec "$@"' "$0" "$@"
            echo "ended with $?"
            stty -g >"$0.after" 2>/dev/null
            \(rest)

            """, to: "script")
    }

    /// Returns the words that run a program in the script.
    func words(_ program: [String]) -> [String] { ["/bin/sh", script.string] + program }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: script.string + name, encoding: .utf8)) ?? ""
    }

    /// The number of the program, which runs.
    var number: pid_t { get throws { try #require(pid_t(text(".pid").trimmingCharacters(in: .newlines))) } }

    /// Expects that the terminal is in the mode in which it was before the program.
    ///
    /// - Parameter isOnTerminal: `false` for a program without a terminal, which has no mode.
    func expectSameMode(onTerminal isOnTerminal: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        let before = text(".before")
        #expect(before.isEmpty != isOnTerminal && before == text(".after"), sourceLocation: sourceLocation)
    }
}
