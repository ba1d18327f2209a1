import Foundation
import PluginCore
import PluginTestKit
import Testing

/// An SDK that was unpacked from its archive, and an empty folder to work in.
struct Workplace {
    /// The root of the repository.
    static let root = FilePath(#filePath).parent.parent.parent.parent.parent

    /// The variable with which all builds of this process share compiled modules, which take half the time of a small build.
    static var sharedModules: [String: String] {
        get async throws { ["SWIFTPM_TESTS_MODULECACHE": try await modules.value.path.string] }
    }

    private static let modules = Task {
        let folder = try ThrowawayFolder()
        // A module that is compiled from its interface records the module maps of that build, and is invalid without them. Compiled
        // here first, the modules of the toolchain do not depend on an SDK that is removed with its test.
        let imports = "import Foundation\nimport Synchronization\nimport Testing\nimport XCTest\n"
        try await Executable("/usr/bin/env").run(
            "swiftc", "-swift-version", "6", "-typecheck", "-parse-as-library", "-Xfrontend",
            "-enable-cross-import-overlays", "-module-cache-path", folder.path.string,
            try folder.write(imports, to: "imports.swift").string, timeout: .seconds(120)
        ).succeeded()
        return folder
    }

    let folder: ThrowawayFolder
    let sdk: FilePath
    let environment: [String: String]

    init() async throws {
        folder = try ThrowawayFolder()
        // SwiftPM leaves files in the temporary and in the home folder.
        for name in ["archive", "home", "temporary"] {
            try folder.appending(name).makeFolder()
        }
        environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.appending("home").string,
            "TMPDIR": folder.appending("temporary").string,
        ].merging(try await Self.sharedModules) { own, _ in own }
        let shared = try await Self.shared.value
        try shared.folder.appending(shared.archive).copy(to: folder.appending("archive/\(shared.archive)"))
        sdk = folder.appending(String(shared.archive.dropLast(".tar.gz".count)))
        try await Executable("/bin/cp").run(
            "-a", shared.folder.appending("unpacked/.").string, folder.path.string
        ).succeeded()
    }

    /// A folder with the archive of the SDK and its content, which are made once for all tests.
    private static let shared = Task {
        let folder = try ThrowawayFolder()
        let made = try await Executable(root.appending("Scripts/lib/make-sdk"))
            .run(folder.path.string, timeout: .seconds(120)).succeeded()
        let path = made.stdout.split(separator: "\n").last.map(String.init) ?? ""
        let archive = try #require(path.split(separator: "/").last.map(String.init))
        try folder.appending("unpacked").makeFolder()
        try await Executable("/usr/bin/env")
            .run("tar", "-C", folder.appending("unpacked").string, "-xzf", path, folder: folder.path).succeeded()
        return (folder: folder, archive: archive)
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
        try await Executable("/bin/sh").run(
            "-c", command, "sh", source.string, folder.appending(name).string
        ).succeeded()
    }

    /// Runs a program of the SDK, which must succeed.
    @discardableResult
    func run(
        _ program: String, _ words: [String], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProcessResult {
        let result = try await self.program(program)
            .run(words, environment: environment, folder: folder.path, timeout: .seconds(300)).succeeded(
                sourceLocation: sourceLocation)
        return result
    }
}
