import FoundationEssentials
import PluginCore
import PluginTestKit
import FaultInjection
import Testing

extension Scene {
    static let registry = "Containers/Bundle/registry.sqlite"

    /// The documented exit statuses for a damaged or locked sandbox.
    static let documented: Set<Int32> = [0, 65, 66, 69, 74, 75, 77]

    func path(_ name: String) -> String { sandbox.root.appending(name).string }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Changes a file without the host, whatever its permissions.
    func rewrite(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try bytes(of: name)
        change(&bytes)
        try FileManager.default.removeItem(atPath: path(name))
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    /// Writes a file to a plugin's container.
    func storeData(_ text: String, for identifier: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path("Containers/Data/Plugins/\(identifier)/0/Documents/kept.txt")))
    }

    /// Runs a command of the host under strace.
    ///
    /// - Returns: The lines with the traced calls, each with its thread and its time in seconds.
    func calls(
        _ names: String, catalog: FilePath? = nil, status: Int32 = 0, of words: [String]
    ) async throws -> [Substring] {
        let folder = try ThrowawayFolder()
        let options = ["-f", "-qq", "-ttt", "-s", "4096", "-e", "trace=\(names)", "-o", folder.appending("log").string]
        let host = commandLine.dropLast() + [(catalog ?? self.catalog.folder).string]
        let result = try await Executable("/usr/bin/strace").run(options + host + words)
        try #require(result.status == status, "\(result)")
        return String(decoding: try folder.bytes(of: "log"), as: UTF8.self).split(separator: "\n")
    }

    /// Returns the folder of a version of Shop that the registry names.
    func shopFolder(_ version: String) throws -> String {
        let state = try state()
        let named = try state.registry.get().named
        return state.folder(
            of: try #require(
                named.first { $0.identity.identifier.text == Scene.shop && $0.identity.version.description == version })
        )
    }

    /// Returns the current state of the sandbox.
    func state() throws -> SandboxState {
        let scratch = try ThrowawayFolder()
        return try SandboxState(of: sandbox.sandbox, copyingTo: scratch.appending("registry"))
    }
}

extension FaultReference {
    /// Creates the reference of an operation that changes nothing.
    init(unchanged state: SandboxState) {
        let operation = FaultOperation("none", preparation: [], command: [])
        self.init(operation: operation, before: state, after: state, repeated: state, repeatedStatus: 0)
    }

    /// Creates a reference with every version of the sample plugins as it is installed.
    static func samples() async throws -> FaultReference {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account, Scene.orders)
        return FaultReference(unchanged: try scene.state())
    }
}

extension SemanticVersion {
    /// The versions of Shop in the build's catalog.
    static let first = SemanticVersion(major: 1, minor: 0, patch: 0)
    static let second = SemanticVersion(major: 1, minor: 1, patch: 0)
}

extension FaultOperation {
    /// The standard operations on Shop, beside Account.
    static let samples = standard(
        for: Scene.shop, versions: [.first, .second], beside: Scene.account,
        opening: [Scene.shop: "app://shop", Scene.account: "app://account"])

    static func sample(_ name: String) -> FaultOperation {
        samples.first { $0.name == name } ?? FaultOperation(name, preparation: [], command: [])
    }
}

extension FaultHarness {
    private static let shared = Task {
        let build = try HostApp.find()
        return try await FaultHarness(host: build, catalog: build.catalog)
    }

    /// Returns the harness for the build and its catalog, which prepares each operation once for all tests.
    static func samples() async throws -> FaultHarness { try await shared.value }

    /// The points of an operation after which the disk holds something else for sure: renames, syncs and the last call, after which
    /// success is reported.
    func decisivePoints(of operation: FaultOperation) async throws -> [FaultPoint] {
        let points = try await points(of: operation, for: .powerCut)
        let calls = ["rename", "renameat2", "unlink", "unlinkat", "rmdir", "syncfs", "fsync", "fdatasync"]
        return points.enumerated().filter { $0 == points.count - 1 || calls.contains($1.call) }.map(\.element)
    }
}

extension FaultReport {
    /// Expects that all chosen points were reached, and that no fault did harm.
    func expectNoHarm(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(violations.isEmpty, "\(self)", sourceLocation: sourceLocation)
        #expect(missed.isEmpty, "\(self)", sourceLocation: sourceLocation)
    }
}
