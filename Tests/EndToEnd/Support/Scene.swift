import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

/// The built host with a temporary sandbox and a temporary catalog.
struct Scene: Sendable {
    static let account = "com.example.app.account"
    static let orders = "com.example.app.orders"
    static let shop = "com.example.app.shop"
    /// The library in the package of Account.
    static let library = "lib/x86_64-unknown-linux-gnu/libAccount.so"

    let sandbox: ThrowawaySandbox
    let catalog: ThrowawayCatalog
    let host: HostApp

    /// Creates a scene with a catalog of the sample plugins.
    init() throws {
        let build = try HostApp.find()
        sandbox = try ThrowawaySandbox()
        catalog = try ThrowawayCatalog(copying: build.catalog)
        host = build.with(sandbox: sandbox, catalog: catalog)
    }

    /// Creates a scene with a copy of another one's sandbox, and with its catalog.
    init(copying other: Scene) throws {
        (sandbox, catalog) = (try ThrowawaySandbox(), other.catalog)
        host = try HostApp.find().with(sandbox: sandbox, catalog: catalog)
        try other.sandbox.root.copy(to: sandbox.root)
    }

    /// Creates a scene with installed plugins.
    init(installed first: String, _ others: String...) async throws {
        try self.init()
        for bundle in [first] + others { try await run("install", bundle) }
    }

    /// Creates a scene in which Account has run, and was updated to a version with another library.
    init(updatedTo version: String, with library: [UInt8]) async throws {
        try await self.init(installed: Self.account)
        try await run("open", "app://account")
        try offer(version, with: library)
        try await run("update", Self.account)
    }

    /// Creates a scene in whose catalog a plugin has the code of a library, and pages by their patterns.
    ///
    /// - Parameter isolation: where the manifest asks to run; `nil` to ask for nothing.
    init(
        with library: [UInt8], pages: KeyValuePairs<String, String>, as identifier: String = account,
        isolation: String? = nil
    ) throws {
        try self.init()
        try change(Self.account) { package in
            if identifier != Self.account { try package.rename(identifier: identifier) }
            try package.setManifest("targets", to: "[]")
            let routes = pages.map { #"{"pattern": "\#($0)", "page": "\#($1)"}"# }
            try package.setManifest("routes", to: "[\(routes.joined(separator: ", "))]")
            if let isolation { try package.setManifest("isolation", to: "\"\(isolation)\"") }
            package.set(Self.library, to: library)
        }
    }

    /// The words that start the host with its sandbox and catalog, to which a command is added.
    var commandLine: [String] {
        [host.hostapp.path.string, "--sandbox", sandbox.root.string, "--catalog", catalog.folder.string]
    }

    /// A shell that runs a script in which `"$@"` is the host's command line.
    func shell(_ script: String) -> Executable {
        Executable("/bin/sh", leading: ["-c", script, "sh"] + commandLine)
    }

    /// Changes a package of the catalog.
    func change(
        _ identifier: String, _ version: String = "1.0.0", _ change: (inout PackageEditor) throws -> Void
    ) throws {
        try catalog.pack(from: catalog.folder.appending("\(identifier)-\(version).zip"), changing: change)
    }

    /// Adds a version of Account with another library to the catalog.
    func offer(_ version: String, with library: [UInt8]) throws {
        try change(Self.account) { package in
            try package.rename(version: version)
            package.set(Self.library, to: library)
        }
    }

    /// Runs a command that must succeed.
    @discardableResult
    func run(
        _ words: String..., input: String = "", environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProcessResult {
        let result = try await host.hostapp.run(words, input: input, environment: environment).succeeded(
            sourceLocation: sourceLocation)
        return result
    }

    /// Runs a command for scripts and for people, and expects that both are rejected with the same error and change nothing.
    ///
    /// - Parameters:
    ///   - host: the host that runs the command; the scene's own by default.
    ///   - words: texts in the error's message and its details.
    ///   - output: the expected text on standard output before the error.
    ///   - remarks: the expected text on standard error before the error.
    ///   - isUsed: `true` if a plugin is loaded before the error, so that the host may record facts about it.
    /// - Returns: The error.
    @discardableResult
    func refuses(
        _ arguments: [String], by host: Executable? = nil, status: Int32, code: String, saying words: String...,
        after output: String = "", remarks: String = "", usingPlugin isUsed: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Refusal {
        let host = host ?? self.host.hostapp
        let before = try sandbox.tree()
        let view = isUsed ? try await self.host.view(of: sandbox) : nil
        func changes() async throws -> [String] {
            if let view { return view.changes(to: try await self.host.view(of: sandbox)) }
            return before.changes(to: try sandbox.tree())
        }

        let script = try await host.run(arguments + ["--json"])
        #expect(script.status == status, "\(script)", sourceLocation: sourceLocation)
        let refusal = try script.refusal
        #expect(refusal.code == code && !refusal.remedy.isEmpty, "\(refusal)", sourceLocation: sourceLocation)
        let told = ([refusal.message] + (refusal.details ?? [])).joined(separator: "\n")
        for word in words { #expect(told.contains(word), "\(told)", sourceLocation: sourceLocation) }
        #expect(script.stderr == remarks, sourceLocation: sourceLocation)
        #expect(controls(in: script.stdout) == [], sourceLocation: sourceLocation)
        #expect(try await changes() == [], sourceLocation: sourceLocation)

        let person = try await host.run(arguments)
        #expect(person.status == status, sourceLocation: sourceLocation)
        #expect(person.stdout == output, sourceLocation: sourceLocation)
        #expect(person.stderr == remarks + refusal.text, sourceLocation: sourceLocation)
        #expect(controls(in: person.stdout + person.stderr) == [], sourceLocation: sourceLocation)
        #expect(try await changes() == [], sourceLocation: sourceLocation)
        return refusal
    }
}

extension Scene {
    /// Removes a file or folder of the sandbox without the host.
    func removes(_ name: String) async throws {
        try await Executable("/bin/rm").run("-r", sandbox.root.appending(name).string).succeeded()
    }
}
