import Foundation
import PluginCore
import PluginTestKit
import Testing

/// A window of tmux in which the host runs, so that keys go through a real terminal and screens come out of one.
struct TerminalWindow: Sendable {
    /// The time after which a screen that does not come is a failure.
    private static let patience = Duration.seconds(60)
    /// The time between two looks at the screen, each of which starts a process.
    private static let pause = Duration.milliseconds(20)

    private let tmux: Executable
    private let folder: ThrowawayFolder

    /// Runs a body with a window in which a command runs; the window is closed afterwards.
    static func run(
        _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
        _ body: (TerminalWindow) async throws -> Void
    ) async throws {
        let window = try await TerminalWindow(command, columns, rows, environment)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(window))
        } catch {
            result = .failure(error)
        }
        _ = try await window.tmux.run("kill-server")
        try result.get()
    }

    private init(_ command: [String], _ columns: Int, _ rows: Int, _ environment: [String: String]) async throws {
        folder = try ThrowawayFolder()
        let settings = try folder.write(
            """
            set -g default-terminal tmux-256color
            set -g status off
            set -g remain-on-exit on
            set -g escape-time 0

            """, to: "tmux.conf")
        tmux = Executable(
            "/usr/bin/env",
            leading: ["tmux", "-u", "-S", folder.appending("socket").string, "-f", settings.string],
            environment: environment)
        let words = command.map { "'\($0)'" }.joined(separator: " ")
        try await tmux.run("new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", words).succeeded()
    }

    /// Presses keys by their names in tmux, such as `Enter`, `C-c` or `a`.
    func press(_ keys: String...) async throws {
        try await tmux.run(["send-keys"] + keys).succeeded()
    }

    /// Presses a key, and waits until the screen shows a text.
    func press(_ key: String, until text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await press(key)
        try await wait(for: text, sourceLocation: sourceLocation)
    }

    /// Presses keys, and waits until the last row with text is the given one.
    func press(
        _ keys: String..., untilLastRow row: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for key in keys { try await press(key) }
        try await wait(forLastRow: row, sourceLocation: sourceLocation)
    }

    /// Types a text, or sends the bytes of a sequence.
    func type(_ text: String) async throws {
        try await tmux.run("send-keys", "-l", text).succeeded()
    }

    /// Types a text, presses keys, and waits until the last row with text is the given one.
    func type(
        _ text: String, _ keys: String..., untilLastRow row: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await type(text)
        for key in keys { try await press(key) }
        try await wait(forLastRow: row, sourceLocation: sourceLocation)
    }

    /// Opens an address in the screen's dialog for one.
    func open(_ address: String) async throws {
        try await press("o", until: "Open an address")
        try await type(address)
        try await press("Enter")
    }

    func resize(columns: Int, rows: Int) async throws {
        _ = try await tmux.run("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    /// Presses a mouse button in a cell, in the way that xterm reports it.
    func click(column: Int, row: Int) async throws {
        try await type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
    }

    /// Turns the mouse's wheel down once in a cell.
    func scrollDown(column: Int, row: Int) async throws { try await type("\u{1B}[<65;\(column + 1);\(row + 1)M") }

    /// The value of a variable of tmux for this window, such as `alternate_on`.
    func value(of variable: String) async throws -> String {
        let answer = try await tmux.run("display", "-p", "#{\(variable)}")
        return answer.stdout.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// The screen as text, without trailing spaces.
    func screen(styled: Bool = false) async throws -> String {
        try await tmux.run(["capture-pane", "-p"] + (styled ? ["-e"] : [])).stdout
    }

    /// Waits until the screen shows a text, and returns it.
    @discardableResult
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await wait(until: { $0.contains(text) }, "\"\(text)\"", sourceLocation: sourceLocation)
    }

    /// Waits until the last row with text is the given one.
    func wait(forLastRow row: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(forRows: "the last row \"\(row)\"", sourceLocation: sourceLocation) { $0.last == row }
    }

    /// Waits until the rows up to the last one with text fulfill a condition, and returns them without trailing spaces.
    @discardableResult
    func wait(
        forRows wanted: String, sourceLocation: SourceLocation = #_sourceLocation, until isWanted: ([String]) -> Bool
    ) async throws -> [String] {
        let screen = try await wait(until: { isWanted(rows($0)) }, wanted, sourceLocation: sourceLocation)
        return rows(screen)
    }

    private func rows(_ screen: String) -> [String] {
        func end(_ text: Substring) -> Substring { text.last == " " ? end(text.dropLast()) : text }
        let rows = screen.split(separator: "\n", omittingEmptySubsequences: false).map { String(end($0)) }
        return Array(rows[..<(rows.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)])
    }

    /// Waits until the screen fulfills a condition, and returns it.
    @discardableResult
    func wait(
        until isWanted: (String) -> Bool, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let end = ContinuousClock.now + Self.patience
        var screen = ""
        repeat {
            screen = try await self.screen()
            if isWanted(screen) { return screen }
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < end
        try #require(Bool(false), "\(wanted) did not appear on\n\(screen)", sourceLocation: sourceLocation)
        return screen
    }

    /// Waits until the command has ended, and returns its exit status.
    func status() async throws -> String {
        let end = ContinuousClock.now + Self.patience
        repeat {
            let answer = try await tmux.run(
                "display", "-p", "#{pid} #{pane_dead} #{pane_dead_status}#{pane_dead_signal}"
            )
            .stdout
            // The window is closed before the system has told tmux how the command has ended.
            let words = answer.split { $0 == " " || $0 == "\n" }
            if words.count > 2, words[1] == "1" { return String(words[2]) }
            // Now and then, tmux 3.3a misses the signal about a command that has ended. Another one makes it look again.
            if words.count == 2, words[1] == "1", let server = Int32(words[0]) { kill(server, SIGCHLD) }
            try await Task.sleep(for: Self.pause)
        } while ContinuousClock.now < end
        let screen = try await screen()
        try #require(Bool(false), "the command did not end:\n\(screen)")
        return ""
    }
}
