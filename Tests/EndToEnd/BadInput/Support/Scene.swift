import PluginCore
import PluginTestKit
import Testing

/// The built host, a sandbox and a catalog of its own: where one bad thing happens.
struct Scene: Sendable {
    static let account = "com.example.app.account"
    static let orders = "com.example.app.orders"
    static let shop = "com.example.app.shop"

    /// What was there before.
    enum Start: Sendable, CaseIterable {
        /// Not even a sandbox.
        case nothing
        /// A sandbox with a plugin that has nothing to do with it.
        case another
    }

    let sandbox: ThrowawaySandbox
    let catalog: ThrowawayCatalog
    let host: HostApp

    /// A scene with a catalog of the sample plugins.
    init() throws {
        let build = try HostApp.find()
        sandbox = try ThrowawaySandbox()
        catalog = try ThrowawayCatalog(copying: build.catalog)
        host = build.with(sandbox: sandbox, catalog: catalog)
    }

    /// A scene where something was installed.
    init(installed first: String, _ others: String...) async throws {
        try self.init()
        for bundle in [first] + others { try await does("install", bundle) }
    }

    init(_ start: Start) async throws {
        try self.init()
        if start == .another { try await does("install", Self.account) }
    }

    /// Text with the paths that are different each time.
    func fill(_ text: String) -> String {
        text.split(separator: "SANDBOX", omittingEmptySubsequences: false).joined(separator: sandbox.root.string)
            .split(separator: "CATALOG", omittingEmptySubsequences: false).joined(separator: catalog.folder.string)
    }

    /// Changes a package of the catalog.
    func change(
        _ identifier: String, _ version: String = "1.0.0", _ change: (inout PackageEditor) throws -> Void
    ) throws {
        try catalog.pack(from: catalog.folder.appending("\(identifier)-\(version).zip"), changing: change)
    }

    /// Runs a command that has to succeed.
    @discardableResult
    func does(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> ProcessResult {
        let result = try await host.hostapp.run(arguments)
        #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
        return result
    }

    /// Runs a command for scripts and for people, and expects of both that it is refused in these words and changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - host: who runs it; by default the scene's own.
    ///   - output: what people have read on standard output before it came to that.
    ///   - remarks: what they have read on standard error.
    ///   - isUsed: whether a plugin is used before it comes to that; the host may note then what it has found out of it.
    func refuses(
        _ arguments: [String], by host: Executable? = nil, with refusal: Refusal, after output: String = "",
        remarks: String = "", usingPlugin isUsed: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let host = host ?? self.host.hostapp
        let before = try sandbox.tree()
        let view = isUsed ? try await self.host.view(of: sandbox) : nil
        func changes() async throws -> [String] {
            if let view { return view.changes(to: try await self.host.view(of: sandbox)) }
            return before.changes(to: try sandbox.tree())
        }

        let script = try await host.run(arguments.map(fill) + ["--json"])
        #expect(script.status == refusal.status, "\(script)", sourceLocation: sourceLocation)
        let document = try script.json(as: [String: Refusal.Told].self)
        #expect(document == ["error": refusal.told(in: self)], sourceLocation: sourceLocation)
        #expect(script.stderr == fill(remarks), sourceLocation: sourceLocation)
        #expect(controls(in: script.stdout) == [], sourceLocation: sourceLocation)
        #expect(try await changes() == [], sourceLocation: sourceLocation)

        let person = try await host.run(arguments.map(fill))
        #expect(person.status == refusal.status, sourceLocation: sourceLocation)
        #expect(person.stdout == fill(output), sourceLocation: sourceLocation)
        #expect(person.stderr == fill(remarks) + refusal.text(in: self), sourceLocation: sourceLocation)
        #expect(controls(in: person.stdout + person.stderr) == [], sourceLocation: sourceLocation)
        #expect(try await changes() == [], sourceLocation: sourceLocation)
    }

    /// As the other one, for words that are all known.
    func refuses(
        _ arguments: String..., with refusal: Refusal, after output: String = "", remarks: String = "",
        usingPlugin isUsed: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await refuses(
            arguments, with: refusal, after: output, remarks: remarks, usingPlugin: isUsed,
            sourceLocation: sourceLocation)
    }
}

extension Scene {
    /// Where a version of a bundle lies in the sandbox once it is installed: the name tells by what seal it came.
    func folder(of identifier: String, _ version: String = "1.0.0") throws -> String {
        let package = try PackageEditor(catalog.folder.appending("\(identifier)-\(version).zip"))
        let scratch = try ThrowawayFolder()
        try scratch.write(try package.bytes(of: "signature/seal.json"), to: "seal.json")
        guard case .file(_, _, let digest) = try scratch.tree().nodes["seal.json"] else {
            throw FixtureError("the package of \(identifier) \(version) has no seal")
        }
        return "Containers/Bundle/Plugins/\(identifier)/\(version)-\(digest.prefix(12))"
    }

    /// Takes something out of the sandbox behind the host's back.
    func removes(_ name: String) async throws {
        let result = try await Executable("/bin/rm").run("-r", sandbox.root.appending(name).string)
        try #require(result.status == 0, "\(result)")
    }
}
