import Console
import FoundationEssentials
import PluginCore
import Registry
import Testing

@testable import AppHost

/// A host with a catalog of bundles and a bundle.json, whose commands run in this process.
@MainActor
struct AppFixture {
    let assets: AssetsFixture
    /// The folder of the sandbox, in the fixture's folder.
    var sandbox = "sandbox"
    /// The place of the packages: a folder in the fixture's folder, or an address.
    var catalog = "catalog"

    init() throws { assets = try AssetsFixture() }

    /// Writes bundle.json with bundles, each as an identifier and a range.
    func compose(_ bundles: [(pkg: String, range: String?)], fields: String = "") throws {
        let members = bundles.enumerated().map { index, bundle in
            let range = bundle.range.map { ", \"version\": \"\($0)\"" } ?? ""
            return "{\"uri\": \"u\(index)\", \"pkg\": \"\(bundle.pkg)\"\(range)}"
        }
        try assets.folder.write(
            """
            {"formatVersion": 1, "name": "App", \(fields.isEmpty ? "" : fields + ", ")"bundles": [\(members.joined(separator: ", "))]}
            """, to: "app/bundle.json")
    }

    /// Runs a command, such as `app install --dry-run`; one that opens pages answers with `--json` only.
    @discardableResult
    func run(_ line: String) async throws -> Answer { try await call(of: line).answer() }

    /// Returns the call of a command, such as `app install --dry-run`.
    func call(of line: String) throws -> HostCall {
        try assets.call(
            line.split(separator: " ").map(String.init),
            at: ["--sandbox", sandbox, "--catalog", catalog, "--composition", "app/bundle.json"])
    }

    /// Runs a command that must fail, and returns its error.
    func error(of line: String) async throws -> AtriumError {
        try await #require(throws: AtriumError.self) { try await run(line) }
    }

    /// The active versions in the sandbox, sorted.
    func active() throws -> [String] {
        try Registry(Sandbox(root: assets.folder.path.appending(sandbox))).active.all().map {
            $0.active.identity.description
        }.sorted()
    }

    /// The text of the lock; `nil` if there is none.
    var lock: String? {
        try? String(contentsOf: URL(filePath: assets.folder.path.appending("app/bundle.lock").string), encoding: .utf8)
    }
}
