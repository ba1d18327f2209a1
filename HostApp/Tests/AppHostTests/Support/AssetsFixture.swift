import Authoring
import BundleFormat
import Console
import Registry
import PluginCore
import PluginRuntime
import Trust
import Preflight
import Resolver
import Signing
import Testing
import ZipWriting

@testable import AppHost

/// A sandbox, a catalog, and a host that trusts the test team, for bundles that contain only resources.
final class AssetsFixture: Sendable {
    let folder: TemporaryFolder
    /// A manager without a composition.
    let manager: Host
    private let make: @Sendable (HostRouting) -> Host

    /// The environment of a host that lies beside the sandbox.
    var environment: HostEnvironment { .beside(folder.path) }

    init() throws {
        folder = try TemporaryFolder()
        let trust = try folder.write(TestTeam.trust(), to: "app/share/atrium/trust.json")
        let services = HostServices(languages: ["en"]) { _, _, _ in }
        make = { [path = folder.path] routing in
            let sandbox = Sandbox(root: path.appending("sandbox"))
            return Host(
                at: sandbox, source: DirectoryCatalog(folder: path.appending("catalog")), choosing: .resolver,
                verifying: TeamVerification(shipped: trust, sandbox: sandbox), libraryCheck: LibraryPreflight(),
                services: services, routing: routing)
        }
        manager = make(HostRouting())
        try folder.write("", to: "catalog/README")
    }

    /// Adds a bundle with the pages `one` and `two` to the catalog.
    ///
    /// The title of a page contains the bundle, the page and the parameter `from`.
    ///
    /// - Parameters:
    ///   - requires: the bundle's requirements in JSON.
    ///   - composition: the bundle.json among its resources; `nil` for none.
    ///   - icon: the content of its icon; `nil` for none.
    func offer(
        _ identifier: BundleIdentifier, version: String = "1.0.0", routes: String = "", requires: String = "",
        composition: String? = nil, icon: [UInt8]? = nil
    ) throws {
        let pages = ["one", "two"].map { "\"\($0)\": {\"title\": \"\(identifier) \($0) {from}\", \"content\": []}" }
        let manifest = """
            {
              "formatVersion": 1, "identifier": "\(identifier)", "version": "\(version)", "name": "Notes", "kind": "assets",
              "routes": [\(routes)], "requires": [\(requires)]
            }
            """
        var contents = [
            "manifest.json": Array(manifest.utf8),
            "Resources/Pages/help.json": Array("{\"pages\": {\(pages.joined(separator: ", "))}}".utf8),
        ]
        contents["Resources/bundle.json"] = composition.map { Array($0.utf8) }
        contents["Resources/icon.png"] = icon
        let sealed = try contents.map { name, bytes in
            Seal.File(path: name, size: UInt64(bytes.count), sha256: try ContentDigest.of(bytes))
        }
        let number = SemanticVersion(version) ?? SemanticVersion(major: 0, minor: 0, patch: 0)
        let signed = try TestTeam.sealer().sign(sealed, of: BundleIdentity(identifier: identifier, version: number))
        contents[Seal.name] = signed.seal
        contents[Seal.signatureName] = signed.signature
        var writer = ZipWriter()
        for (name, bytes) in contents { try writer.add(bytes, as: name) }
        try writer.write(to: folder.path.appending("catalog/\(identifier)-\(version).zip").string)
    }

    /// Adds a bundle to the catalog, and installs it.
    @discardableResult
    func installed(
        _ identifier: BundleIdentifier, routes: String = "", requires: String = ""
    ) async throws -> PluginBundle {
        try offer(identifier, routes: routes, requires: requires)
        return try await manager.install(identifier).bundle
    }

    /// Takes the catalog away; a host that ships packages has them instead.
    func loseCatalog(isShipping: Bool) throws {
        if isShipping {
            try folder.move("catalog", to: "app/share/atrium/plugins")
        } else {
            try folder.remove("catalog")
        }
    }

    /// Reads a composition with these bundles and additional fields.
    func composed(_ bundles: String, _ fields: String = "") throws -> ComposedRoutes {
        let more = fields.isEmpty ? "" : fields + ", "
        let text = "{\"formatVersion\": 1, \"name\": \"App\", \(more)\"bundles\": [\(bundles)]}"
        return try ComposedRoutes(contentsOf: folder.write(text, to: "bundle.json"))
    }

    /// Returns another manager of the sandbox, which works by a composition.
    @MainActor
    func manager(of composed: ComposedRoutes, on stack: PageStack = PageStack()) throws -> Host {
        let manager = make(composed.routing(on: stack))
        try composed.install(in: manager)
        return manager
    }

    /// Creates a session of the composition.
    @MainActor
    func session(_ composed: ComposedRoutes) throws -> Session {
        let stack = PageStack()
        let manager = try manager(of: composed, on: stack)
        return Session(router: manager.router, mediator: manager.mediator, stack: stack) { _ in }
    }

    /// Returns the title of the page that opens at an address.
    @MainActor
    func title(at uri: String, in composed: ComposedRoutes) async throws -> String? {
        let session = try session(composed)
        try await session.open(ResourceURI(uri))
        return session.stack.top?.title
    }
}

extension AssetsFixture {
    /// The options for the fixture's sandbox and catalog.
    static let place = ["--sandbox", "sandbox", "--catalog", "catalog"]

    /// Returns a route of a manifest, which leads to the page `one`.
    static func page(at pattern: String) -> String {
        "{\"pattern\": \"\(pattern)\", \"page\": \"one\", \"layout\": \"help/one\"}"
    }

    /// Returns a requirement of a manifest.
    static func need(_ bundle: String, _ versions: String = "^1.0.0") -> String {
        "{\"bundle\": \"\(bundle)\", \"versions\": \"\(versions)\"}"
    }

    /// Returns the call of a command with the fixture's sandbox and catalog, such as `["why", "com.example.notes"]`.
    @MainActor
    func call(
        _ words: [String], at place: [String] = AssetsFixture.place, in environment: HostEnvironment? = nil
    ) throws -> HostCall {
        let parsed = try CommandLineParser(HostCommands.root).parse(place + words)
        return try HostCall(parsed: parsed, environment: environment ?? self.environment)
    }

    /// Runs a command.
    @MainActor
    @discardableResult
    func run(_ words: any CustomStringConvertible...) async throws -> Answer {
        try await call(words.map(\.description)).answer()
    }

    /// Runs a command that must fail, and returns its error.
    @MainActor
    func error(of words: any CustomStringConvertible...) async throws -> AtriumError {
        let words = words.map(\.description)
        return try await #require(throws: AtriumError.self) { try await call(words).answer() }
    }
}

extension HostEnvironment {
    /// The environment of a host whose sandbox and program lie in a folder.
    static func beside(_ folder: FilePath) -> Self {
        Self(
            variables: ["XDG_DATA_HOME": folder.string], executable: folder.appending("app/bin/hostapp"),
            workingFolder: folder)
    }
}

extension HostCall {
    /// Runs the command of the call; one that opens pages answers with `--json` only.
    func answer() async throws -> Answer {
        let command = try #require(HostCommands.all.first { $0.description.name == parsed.path.first })
        return try await command.run(self) ?? Answer(text: "", json: .null)
    }
}
