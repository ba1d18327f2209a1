import Authoring
import Resolver
import FoundationEssentials
import PluginCore
import BundleFormat
import Registry
import Trust
import PluginRuntime
import Signing

/// The team that signs a run's packages, with a temporary key.
struct BenchTeam {
    static let identifier = "com.benchmark"

    /// Returns the identifier of one of the team's bundles.
    static func bundle(_ name: String) throws -> BundleIdentifier {
        guard let identifier = BundleIdentifier("\(identifier).\(name)") else {
            throw AtriumError(.bundleUnknown, name)
        }
        return identifier
    }

    let sealer: Sealer

    init() throws {
        sealer = Sealer(key: try .generate(), team: Self.identifier, signedAt: 1_795_262_400)
    }

    /// Makes a sandbox trust the team.
    func admit(to sandbox: Sandbox) throws {
        try TrustFile(shipped: nil, sandbox: sandbox).change { store throws(AtriumError) in
            try store.adding(
                team: Self.identifier, name: "Benchmark", prefixes: [Self.identifier], key: sealer.key.publicKey)
        }
    }

    /// Writes a signed package of version 1.0.0 with a manifest and files, and returns its path.
    func pack(
        _ identifier: BundleIdentifier, manifest: String, and files: [(name: String, bytes: [UInt8])] = [],
        to folder: FilePath
    ) throws -> FilePath {
        let identity = BundleIdentity(identifier: identifier, version: SemanticVersion(major: 1, minor: 0, patch: 0))
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        var package = PackageWriter()
        try package.add(Array(manifest.utf8), as: "manifest.json")
        for file in files { try package.add(file.bytes, as: file.name) }
        let path = folder.appending(PackageFile.name(of: identity))
        try package.write(to: path, of: identity, sealedBy: sealer)
        return path
    }
}
