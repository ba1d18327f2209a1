internal import FoundationEssentials
internal import Glibc
internal import HostSystem
internal import PluginCore
internal import Synchronization
internal import Testing

/// The record of the programs that tests run, from which `Scripts/test --report` makes a page.
///
/// It exists only if the environment variable names a file. Each program is one line of JSON, which is appended with one system call, so
/// that several processes can write to the same file.
enum SceneRecording {
    /// The environment variable that names the file.
    static let variable = "ATRIUM_SCENES"
    /// The most bytes of one output that are recorded.
    private static let limit = 32 << 10

    /// Something that a test has typed, with the lengths of the outputs at that time, in bytes.
    struct Typed: Encodable, Sendable {
        let text: String
        let stdout: Int
        let stderr: Int
    }

    private struct Step: Encodable {
        /// The test's identifier, such as `EndToEnd.MainJob/OpenTests/open()`.
        let test: String
        /// The sentence that names the test.
        let name: String
        let command: String
        let isTerminal: Bool
        let typed: [Typed]
        let status: Int32
        let stdout: String
        let stderr: String
    }

    private static let file = System.environment(variable).flatMap { path in
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        return opened < 0 ? nil : OpenFile(opened, at: FilePath(path))
    }

    /// A Boolean value that indicates whether programs are recorded.
    static var isOn: Bool { file != nil }

    /// Records a program that has ended, if it was run by a test.
    static func add(_ result: ProcessResult, typed: [Typed], isTerminal: Bool) {
        guard let file, let test = Test.current else { return }
        let step = Step(
            test: "\(test.id)", name: test.displayName ?? test.name, command: result.command, isTerminal: isTerminal,
            typed: typed, status: result.status, stdout: cut(result.stdout), stderr: cut(result.stderr))
        guard let line = try? JSONEncoder().encode(step) else { return }
        try? file.append([UInt8](line + [0x0A]))
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "\n[\(text.utf8.count - limit) bytes more]\n"
    }
}
