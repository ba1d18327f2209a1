import FoundationEssentials
import PluginCore

/// A recorded session that is read from a file.
struct RecordedSession {
    /// One step of a session, with the typed line and its outcome.
    struct Step {
        let line: String
        let outcome: JSONValue
    }

    /// The only supported format version.
    static let formatVersion = 1

    let steps: [Step]

    /// Reads a recording; an incomplete last line, as a crash leaves it, is skipped.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown`, `inputOutput` or `documentInvalid`.
    static func read(_ path: FilePath) throws(AtriumError) -> RecordedSession {
        let data = try InputFile.content(of: path)
        var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        guard let header = lines.first, case .object(let members)? = parse(header) else {
            throw AtriumError(.documentInvalid, path.string, detail: "it was not written by \"hostapp shell --record\"")
        }
        guard case .number(let version)? = members["formatVersion"], version == Double(formatVersion) else {
            throw AtriumError(.documentInvalid, path.string, detail: "expected formatVersion \(formatVersion)")
        }
        var steps: [Step] = []
        for (number, line) in lines.enumerated().dropFirst() {
            guard case .object(let members)? = parse(line), case .string(let text)? = members["step"],
                let outcome = members["outcome"]
            else {
                throw AtriumError(.documentInvalid, path.string, detail: "line \(number + 1) is not a valid step")
            }
            steps.append(Step(line: text, outcome: outcome))
        }
        return RecordedSession(steps: steps)
    }

    private static func parse(_ line: Data) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: line)
    }
}
