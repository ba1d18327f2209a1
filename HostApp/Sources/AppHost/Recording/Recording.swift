import HostSystem
import Console
import PluginCore
import FoundationEssentials
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A session that is being recorded to a file, with one line of JSON per step.
///
/// Each step is written to disk before the next line is read, so a crash loses none of the steps that led to it.
///
/// ```json
/// {"formatVersion":1}
/// {"step":"open app://shop","outcome":{"page":{"title":"Shop",...},"stack":["Shop"],"waiting":false,...}}
/// ```
@MainActor
final class Recording {
    private let path: FilePath
    private let file: UnsafeMutablePointer<FILE>

    /// Creates a recording file; an existing file is not overwritten, because it may be in use as a test.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(_ path: FilePath) throws(AtriumError) {
        guard let file = fopen(path.string, "wx") else {
            throw AtriumError(
                .inputOutput, path.string,
                reason: errno == EEXIST ? ErrorReason("recordingExists") : .verbatim(System.reason(errno)))
        }
        self.path = path
        self.file = file
        try write(["formatVersion": .integer(RecordedSession.formatVersion)])
    }

    isolated deinit { fclose(file) }

    /// Appends a step.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    func add(_ line: String, _ outcome: StepOutcome) throws(AtriumError) {
        try write(["step": .string(line), "outcome": outcome.json])
    }

    private func write(_ line: JSONText) throws(AtriumError) {
        guard fputs(line.text() + "\n", file) >= 0, fflush(file) == 0 else {
            throw AtriumError(.inputOutput, path.string, reason: .verbatim(System.reason(errno)))
        }
    }
}

private enum System {
    static func reason(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}

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
            throw AtriumError(.documentInvalid, path.string, reason: "notRecording")
        }
        guard case .number(let version)? = members["formatVersion"], version == Double(formatVersion) else {
            throw AtriumError(
                .documentInvalid, path.string, reason: "formatExpected", ["expected": .integer(formatVersion)])
        }
        var steps: [Step] = []
        for (number, line) in lines.enumerated().dropFirst() {
            guard case .object(let members)? = parse(line), case .string(let text)? = members["step"],
                let outcome = members["outcome"]
            else {
                throw AtriumError(.documentInvalid, path.string, reason: "notStep", ["line": .integer(number + 1)])
            }
            steps.append(Step(line: text, outcome: outcome))
        }
        return RecordedSession(steps: steps)
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(line))
    }
}

/// The outcome of one step of a session, with the visible page, the results and the notices.
struct StepOutcome {
    /// The top page, the titles of all pages, the result, the notices of plugins, and the error.
    let json: JSONText
    /// The error of a step that failed; `nil` if it succeeded.
    let failure: Failure?

    @MainActor
    init(_ stack: PageStack, result: JSONText, notices: [String], failure: Failure?) {
        self.failure = failure
        json = [
            "page": stack.top.map(PageJSON.render) ?? .null, "stack": .strings(stack.titles),
            "waiting": .bool(stack.presentedCount > 0), "result": result, "notices": .strings(notices),
            "error": failure.map { failure in
                ["code": .string(failure.report.code), "message": .string(failure.report.message)]
            } ?? .null,
        ]
    }
}
