import Console
import PluginCore

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
            let reason =
                errno == EEXIST ? "it already exists; choose another file, or remove it first" : System.reason(errno)
            throw AtriumError(.inputOutput, path.string, detail: reason)
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
            throw AtriumError(.inputOutput, path.string, detail: System.reason(errno))
        }
    }
}

private enum System {
    static func reason(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}
