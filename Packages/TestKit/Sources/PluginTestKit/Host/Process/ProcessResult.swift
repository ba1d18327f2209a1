internal import FoundationEssentials

/// The exit status and the output of a process.
public struct ProcessResult: Sendable, CustomStringConvertible {
    /// The command line, for messages.
    public let command: String
    /// The exit status. After a signal, it is 128 plus the signal's number, as in shells.
    public let status: Int32
    /// The signal that ended the process, or nil.
    public let signal: Int32?
    /// The standard output, or all output of a process on a terminal. Invalid UTF-8 is replaced.
    public let stdout: String
    /// The standard error. Invalid UTF-8 is replaced.
    public let stderr: String

    /// The lines of the standard output without line endings.
    public var lines: [String] {
        // Swift treats "\r\n" as one character.
        let lines = stdout.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// Decodes the standard output, which must be exactly one JSON document.
    ///
    /// - Throws: ``ProcessFailure/notJSON(reason:_:)``.
    public func json<T: Decodable>(as type: T.Type = T.self) throws(ProcessFailure) -> T {
        do {
            return try JSONDecoder().decode(type, from: Data(stdout.utf8))
        } catch {
            throw .notJSON(reason: "\(error)", self)
        }
    }

    /// A description for a failing test.
    public var description: String {
        "\(command) ended with \(status)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)"
    }
}
