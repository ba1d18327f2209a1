internal import FoundationEssentials

/// How a process ended and all that it said.
public struct ProcessResult: Sendable, CustomStringConvertible {
    /// The command line, for messages.
    public let command: String
    /// The exit status; 128 and the signal's number after a signal, as shells count.
    public let status: Int32
    /// The signal that ended it.
    public let signal: Int32?
    /// Standard output; bytes that are no UTF-8 are replaced by U+FFFD. All output of a process on a terminal.
    public let stdout: String
    /// Standard error, likewise.
    public let stderr: String

    /// The lines of ``stdout`` without their ends, which are `\n`, on a terminal `\r\n`.
    public var lines: [String] {
        // Swift takes "\r\n" for one character.
        let lines = stdout.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// Standard output as exactly one JSON document.
    ///
    /// - Throws: ``ProcessFailure/notJSON(reason:_:)``.
    public func json<T: Decodable>(as type: T.Type = T.self) throws(ProcessFailure) -> T {
        do {
            return try JSONDecoder().decode(type, from: Data(stdout.utf8))
        } catch {
            throw .notJSON(reason: "\(error)", self)
        }
    }

    /// All of it, for a failing test.
    public var description: String {
        "\(command) ended with \(status)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)"
    }
}
