import CBaseline
import Glibc
import PluginCore

/// A program on a pseudo terminal of its own, whose keys are pressed and whose drawing is timed.
final class ScreenProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let terminal: Int32
    let process: pid_t
    private let start = ContinuousClock.now

    /// Starts a program.
    init(_ program: Program, columns: UInt16, rows: UInt16) throws {
        let words: [UnsafeMutablePointer<CChar>?] =
            ([program.path.string] + program.arguments).map { strdup($0) } + [nil]
        let settings = ["TERM=xterm-256color", "LANG=C.UTF-8", "HOME=/nonexistent", "PATH=/usr/bin:/bin"]
        let variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var started: Int32 = 0
        terminal = baseline_start_on_terminal(program.path.string, words, variables, columns, rows, &started)
        guard terminal >= 0 else {
            throw Failure(description: "no pseudo terminal: \(String(cString: strerror(errno)))")
        }
        process = started
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(terminal)
    }

    /// Returns the time from the start until a text has been drawn, in seconds.
    func time(until text: String) throws -> Double {
        var drawn: [UInt8] = []
        let wanted = Array(text.utf8)
        while let more = read(within: 60_000) {
            drawn += more
            if drawn.contains(wanted) { return Self.seconds(ContinuousClock.now - start) }
        }
        throw Failure(description: "\"\(text)\" was not drawn: \(String(decoding: drawn, as: UTF8.self))")
    }

    /// Presses a key, and returns the time until the last byte of what was drawn for it, in seconds.
    func time(of key: String) throws -> Double {
        let pressed = ContinuousClock.now
        let bytes = Array(key.utf8)
        guard write(terminal, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "no key was pressed")
        }
        var last: ContinuousClock.Instant?
        // After a silence, the screen is complete.
        while read(within: last == nil ? 10_000 : 20) != nil { last = ContinuousClock.now }
        guard let last else { throw Failure(description: "nothing was drawn for the key \(key.debugDescription)") }
        return Self.seconds(last - pressed)
    }

    /// Waits until nothing is drawn any more.
    func settle() { while read(within: 300) != nil {} }

    /// Returns a part of the memory of the process in bytes, by its name in proc_pid_smaps(5).
    func memory(_ part: String) throws -> Double {
        guard let file = fopen("/proc/\(process)/smaps_rollup", "r") else {
            throw Failure(description: "the memory of process \(process) cannot be read")
        }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split(separator: " ")
            if words.first.map(String.init) == part, words.count > 1, let kilobytes = Double(words[1]) {
                return kilobytes * 1_024
            }
        }
        throw Failure(description: "the memory of process \(process) is unknown")
    }

    /// Returns what is drawn next; nil if nothing is within a time in milliseconds, or if the program has ended.
    private func read(within milliseconds: Int32) -> [UInt8]? {
        var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(terminal, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}

extension [UInt8] {
    fileprivate func contains(_ wanted: [UInt8]) -> Bool {
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains {
            self[$0] == wanted[0] && self[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}
