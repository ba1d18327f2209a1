import Foundation
import PluginCore
import PluginTestKit
import Testing

/// An SDK that was unpacked from its archive, and an empty folder to work in.
struct Workplace {
    /// The root of the repository.
    static let root = FilePath(#filePath).parent.parent.parent.parent.parent

    let folder: ThrowawayFolder
    let sdk: FilePath
    private let environment: [String: String]

    init() async throws {
        folder = try ThrowawayFolder()
        // SwiftPM leaves files in the temporary and in the home folder.
        for name in ["archive", "home", "temporary"] {
            try FileManager.default.createDirectory(
                atPath: folder.appending(name).string, withIntermediateDirectories: true)
        }
        environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.appending("home").string,
            "TMPDIR": folder.appending("temporary").string,
        ]
        let archive = try await Self.archive.value
        try Data(archive.content).write(to: URL(filePath: folder.appending("archive/\(archive.name)").string))
        let unpacked = try await Executable("/usr/bin/env")
            .run("tar", "-C", folder.path.string, "-xzf", "archive/\(archive.name)", folder: folder.path)
        try #require(unpacked.status == 0, "\(unpacked)")
        sdk = folder.appending(String(archive.name.dropLast(".tar.gz".count)))
    }

    /// The archive of the SDK, which is made once for all tests.
    private static let archive = Task {
        let folder = try ThrowawayFolder()
        let made = try await Executable(root.appending("Scripts/lib/make-sdk"))
            .run(folder.path.string, timeout: .seconds(120))
        try #require(made.status == 0, "\(made)")
        let path = made.stdout.split(separator: "\n").last.map(String.init) ?? ""
        let name = try #require(path.split(separator: "/").last.map(String.init))
        return (name: name, content: try folder.bytes(of: name))
    }

    /// A program of the SDK.
    func program(_ name: String) -> Executable {
        Executable(sdk.appending("bin/\(name)"), environment: environment)
    }

    /// Returns a program of another folder, such as one that was built here.
    func program(at path: String) -> Executable { Executable(folder.appending(path), environment: environment) }

    /// Copies a folder without what was built in it.
    func copy(_ source: FilePath, to name: String) async throws {
        let command = #"mkdir -p "$2" && tar -C "$1" --exclude=.build -cf - . | tar -C "$2" -xf -"#
        let copied = try await Executable("/bin/sh").run(
            "-c", command, "sh", source.string, folder.appending(name).string)
        try #require(copied.status == 0, "\(copied)")
    }

    /// Runs a program of the SDK, which must succeed.
    @discardableResult
    func run(
        _ program: String, _ words: [String], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProcessResult {
        let result = try await self.program(program)
            .run(words, environment: environment, folder: folder.path, timeout: .seconds(300))
        try #require(result.status == 0, "\(words): \(result)", sourceLocation: sourceLocation)
        return result
    }
}
