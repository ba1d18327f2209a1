import CatalogFormat
import PluginComponents
import PluginCore

/// The archive of an SDK, as `Scripts/sdk` makes it.
struct SDKArchive {
    let path: FilePath
    let description: CatalogSDK

    private struct Facts: Decodable {
        let version: String
        let triple: String
        let swift: String
    }

    /// Reads which version an archive has, and for which platform.
    ///
    /// - Throws: ``ComponentError`` with `notSDK`.
    init(_ path: FilePath) throws {
        let name = path.lastComponent.hasSuffix(".tar.gz") ? String(path.lastComponent.dropLast(".tar.gz".count)) : ""
        let child = try ChildProcess(
            running: "/usr/bin/env", within: .seconds(120), findingLibrariesIn: [], inheriting: []
        ) { _ in ["tar", "-xzOf", path.string, "\(name)/sdk.json"] }
        guard case .exited(status: 0) = child.end, let facts = try? StrictJSON.decode(Facts.self, from: child.output)
        else { throw ComponentError.notSDK(path, "it has no \"\(name)/sdk.json\"") }
        guard let version = SemanticVersion(facts.version),
            let description = CatalogSDK(version: version, platform: facts.triple, swift: facts.swift)
        else { throw ComponentError.notSDK(path, "its sdk.json names no version and platform") }
        let expected = CatalogPath.sdk(description).split(separator: "/").last.map(String.init) ?? ""
        guard path.lastComponent == expected else {
            throw ComponentError.notSDK(path, "by its sdk.json, its name is \"\(expected)\"")
        }
        (self.path, self.description) = (path, description)
    }
}
