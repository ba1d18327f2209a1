import Authoring
import PluginCore
import PluginRuntime
import Signing
import ZipWriting
@testable import BundleFormat

import Glibc

/// A signed package that a test can make differ from its seal, one fault at a time.
struct SealedFixture {
    /// 2026-11-21T12:00:00Z.
    static let time: Int64 = 1_795_262_400

    var identifier: BundleIdentifier = "com.example.app.theme"
    var version = "1.0.0"
    var team = "com.example"
    var key: SigningKey
    /// The sealed files except the manifest, which are also in the package unless changed.
    var files: [String: [UInt8]] = [
        "Resources/Pages/help.json": Array(#"{"pages": {}}"#.utf8),
        "Resources/big.bin": (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) },
    ]
    /// The files to add or replace after sealing; `nil` removes a file.
    var changes: [String: [UInt8]?] = [:]
    var folders: [String] = []
    /// The names of the files that the seal lists as executable.
    var executable: Set<String> = []
    /// The names of the files whose executable permission differs from the seal.
    var changedModes: Set<String> = []
    /// Replacements of the seal and the signature.
    var seal: [UInt8]??
    var signature: [UInt8]??

    init() throws { key = try .generate() }

    var manifest: [UInt8] {
        Array(
            """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "\(version)", "name": "Theme", "kind": "assets"}
            """.utf8)
    }

    var sealer: Sealer { Sealer(key: key, team: team, signedAt: Self.time) }

    var sealed: [String: [UInt8]] { files.merging(["manifest.json": manifest]) { $1 } }

    /// Returns the bytes of the seal and the signature.
    func signed() throws -> (seal: [UInt8], signature: [UInt8]) {
        try sealer.sign(sealed, executable: executable, of: identity)
    }

    var identity: BundleIdentity {
        get throws {
            guard let version = SemanticVersion(version) else { throw AtriumError(.versionUnknown, version) }
            return BundleIdentity(identifier: identifier, version: version)
        }
    }

    /// Returns all files of the package.
    func contents() throws -> [String: [UInt8]] {
        var contents = sealed
        let signed = try signed()
        contents[Seal.name] = seal ?? signed.seal
        contents[Seal.signatureName] = signature ?? signed.signature
        for (name, bytes) in changes { contents[name] = bytes }
        return contents
    }

    private func isExecutable(_ name: String) -> Bool { executable.contains(name) != changedModes.contains(name) }

    /// Writes the package into a folder.
    func write(to folder: FilePath) throws -> FilePath {
        var writer = ZipWriter()
        for (name, bytes) in try contents() { try writer.add(bytes, as: name, executable: isExecutable(name)) }
        for name in folders { try writer.add(emptyFolder: name + "/") }
        let path = folder.appending("\(identifier)-\(version).zip")
        try writer.write(to: path.string)
        return path
    }

    /// Writes the files as an installed folder, without verification.
    func install(in folder: FilePath) throws -> FilePath {
        let place = folder.appending("installed")
        for (name, bytes) in try contents() {
            try place.appending(name).write(bytes)
            chmod(place.appending(name).string, isExecutable(name) ? 0o555 : 0o444)
        }
        for name in folders { try place.appending(name).makeFolder() }
        return place
    }
}

extension Sealer {
    /// Returns the bytes of a seal of files, some of which are executable, and of its signature.
    func sign(
        _ files: [String: [UInt8]], executable: Set<String>, of identity: BundleIdentity
    ) throws -> (seal: [UInt8], signature: [UInt8]) {
        let list = try files.map { name, bytes in
            Seal.File(
                path: name, size: UInt64(bytes.count), sha256: try ContentDigest.of(bytes),
                isExecutable: executable.contains(name))
        }
        return try sign(list, of: identity)
    }
}
