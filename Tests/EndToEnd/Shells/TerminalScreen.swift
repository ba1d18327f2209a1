import Foundation
import PluginCore
import PluginTestKit
import Testing

/// A program on a real terminal, of which the screen is read: tmux draws it as a terminal does.
final class TerminalScreen: Sendable {
    private static let tmux = Executable("/usr/bin/tmux")

    private let socket: FilePath
    private let folder: ThrowawayFolder

    /// Starts a program on a terminal of a size.
    init(
        _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
    ) async throws {
        folder = try ThrowawayFolder()
        socket = folder.appending("tmux")
        // The last screen of a program stays after its end.
        let settings = ["set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off", ";"]
        let variables = environment.sorted { $0.key < $1.key }.flatMap { ["-e", "\($0.key)=\($0.value)"] }
        let started = try await run(
            settings + ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + variables + ["--"] + command)
        try #require(started.status == 0, "\(started)")
    }

    private func run(_ words: [String]) async throws -> ProcessResult {
        try await Self.tmux.run(
            ["-S", socket.string, "-f", "/dev/null"] + words, environment: ["LC_ALL": "C.UTF-8"])
    }

    /// Types keys by their names in tmux, such as `Tab` or `C-c`, or as text.
    func press(_ keys: String...) async throws {
        let result = try await run(["send-keys"] + keys)
        try #require(result.status == 0, "\(result)")
    }

    /// Types a text as it is.
    func type(_ text: String) async throws {
        let result = try await run(["send-keys", "-l", "--", text])
        try #require(result.status == 0, "\(result)")
    }

    /// Changes the size.
    func resize(columns: Int, rows: Int) async throws {
        let result = try await run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
        try #require(result.status == 0, "\(result)")
    }

    /// The rows of the screen without the spaces at their ends, up to the last one with text.
    func rows() async throws -> [String] {
        let text = try await run(["capture-pane", "-p"]).stdout
        let rows = text.components(separatedBy: "\n").map { String($0.reversed().drop { $0 == " " }.reversed()) }
        return Array(rows.reversed().drop { $0.isEmpty }.reversed())
    }

    /// Waits until the screen has a property.
    @discardableResult
    func wait(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until isTrue: ([String]) -> Bool
    ) async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(120)
        var rows = try await rows()
        while !isTrue(rows) {
            try #require(
                ContinuousClock.now < deadline, "\(what)\n\(rows.joined(separator: "\n"))",
                sourceLocation: sourceLocation)
            rows = try await self.rows()
        }
        return rows
    }

    /// Waits until the last row with text is the given one.
    @discardableResult
    func wait(forLast row: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        try await wait("the last row is not \"\(row)\"", sourceLocation: sourceLocation) { $0.last == row }
    }

    /// Ends the program and the terminal.
    func end() async throws { _ = try await run(["kill-server"]) }
}
