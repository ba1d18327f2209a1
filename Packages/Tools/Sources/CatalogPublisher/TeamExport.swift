import BundleFormat
import CatalogFormat
import Console
import HostSystem
public import PluginCore
import PluginRuntime
import TUFMetadata
import TUFRepository
import Zip
import ZipWriting

/// The signed metadata of a team's role with the files of its new targets, for the owner of the catalog.
///
/// It is a zip file with `metadata/ROLE.json` and `targets/PATH`.
public enum TeamExport {
    private static let limits = ZipLimits(
        entryCount: 100_000, totalUncompressedSize: 64 << 30, compressionRatio: ZipLimits.usualRatio)
    private static let metadataLimit = 1 << 26

    /// Writes the changes of an editor, which must be those of one team.
    ///
    /// - Returns: The name of the role.
    /// - Throws: ``CommandError``.
    public static func write(
        _ editor: CatalogEditor, to file: FilePath, signedBy keys: inout CatalogKeys
    ) throws -> String {
        var editor = editor
        // The owner computes the lists of providers.
        try editor.writeVersions()
        let roles = editor.repository.unsignedRoles
        guard let role = roles.first, roles.count == 1,
            try editor.delegations().contains(where: { $0.name == role && !$0.isBin })
        else {
            let names = roles.joined(separator: ", ")
            throw CommandError.exportInvalid(
                roles.isEmpty ? "nothing has changed" : "the changes are those of the roles \(names)")
        }
        let signers = try keys.keys(keys.signers(of: role, editor.keys(ofTargetsRole: role)))
        let signed = try reporting(editor.folder) {
            try editor.repository.unsignedTargets(of: role).signed(by: signers)
        }
        do {
            var writer = ZipWriter()
            try writer.add(signed.bytes, as: "metadata/\(role).json")
            for (path, content) in editor.newContents {
                switch content {
                case .file(let source): try writer.add(file: source.string, as: "targets/\(path)")
                case .bytes(let bytes): try writer.add(bytes, as: "targets/\(path)")
                }
            }
            try writer.write(to: file.string)
        } catch {
            throw CommandError.fileUnusable(file, error.detail)
        }
        return role
    }

    /// Adds the changes of a team to a catalog, after checking them as if they were published here.
    ///
    /// - Parameter converters: The converters that the hosts register in addition to the standard ones.
    /// - Returns: The name of the role.
    /// - Throws: ``CommandError`` with `importInvalid`, and the errors of ``CheckedPackage``.
    public static func read(
        _ file: FilePath, into editor: inout CatalogEditor, in folder: FilePath, converters: [String] = []
    ) throws -> String {
        let metadata: SignedMetadata<Targets>
        let role: String
        do {
            let archive = try ZipArchive(path: file.string, limits: limits)
            let names = archive.entries.map(\.name).filter { $0.hasPrefix("metadata/") && $0.hasSuffix(".json") }
            guard let name = names.first, names.count == 1 else {
                throw CommandError.importInvalid(file, "it has not exactly one metadata file")
            }
            role = String(name.dropFirst("metadata/".count).dropLast(".json".count))
            metadata = try SignedMetadata(archive.contents(of: name, limit: metadataLimit))
            try archive.extract(to: folder.appending("export").string)
        } catch let error as ZipError {
            throw CommandError.importInvalid(file, error.detail.isEmpty ? error.code.rawValue : error.detail)
        } catch let error as TUFError {
            throw CommandError.importInvalid(file, error.description)
        }
        let review = TeamReview(
            file: file, role: role, targets: folder.appending("export/targets"), converters: converters)
        let newPaths = try review.check(metadata.content, &editor)
        try editor.change { repository in
            try repository.importTargets(metadata, of: role)
            for path in newPaths {
                let file = review.targets.appending(path).string
                try repository.addContent(ofTarget: path, file: file, role: role)
            }
        }
        return role
    }
}

/// The check of a team's metadata before the owner of the catalog publishes it.
///
/// The team's changes are made again in a copy of the catalog, from the files that the team has sent. Metadata is accepted if it is what comes
/// out, so that a team can do nothing that the commands for a catalog would refuse.
struct TeamReview {
    let file: FilePath
    let role: String
    /// The folder with the files of new targets.
    let targets: FilePath
    let converters: [String]

    private func refusal(_ problem: String) -> CommandError { .importInvalid(file, problem) }

    /// Checks all targets, and notes the changes of providers in the editor.
    ///
    /// - Returns: the paths of the targets whose content is new.
    func check(_ new: Targets, _ editor: inout CatalogEditor) throws -> [String] {
        guard let delegation = try editor.delegations().first(where: { $0.name == role && !$0.isBin }) else {
            throw refusal("the catalog has no team \"\(role)\"")
        }
        guard new.delegations == nil else { throw refusal("it delegates to other roles") }
        for path in new.paths {
            guard try reporting(editor.folder, { try delegation.covers(path) }) else {
                throw refusal("\"\(path)\" is not the team's")
            }
        }
        let old = try editor.targets(of: role)
        var copy = editor
        for identity in old.paths.filter({ new[$0] == nil }).compactMap(CatalogPath.identity(ofPackage:)) {
            try withdraw(identity, new, &copy)
        }
        let changed = new.paths.filter { new[$0] != old[$0] }
        for path in changed where CatalogPath.identity(ofPackage: path) != nil {
            try addPackage(path, CatalogEntry(custom: new[path]?.custom ?? JSONObject(), path: path), &copy)
        }
        for path in changed {
            guard let identity = CatalogPath.identity(ofInterface: path) else { continue }
            let described = try CatalogInterface(custom: new[path]?.custom ?? JSONObject(), path: path)
            guard try copy.entry(of: identity)?.team == described.team else {
                throw refusal("\"\(path)\" is the Interface of no package of its team")
            }
            try copy.add(InterfaceArchive(opening: targets.appending(path)))
        }
        try copy.writeVersions()
        let made = try copy.targets(of: role)
        for path in Set(made.paths).union(new.paths).sorted() where made[path] != new[path] {
            throw refusal("\"\(path)\" is not what follows from the packages and Interfaces in it")
        }
        editor.providers = copy.providers
        return changed.filter { old[$0]?.hashes != new[$0]?.hashes || old[$0]?.length != new[$0]?.length }
    }

    /// Revokes a version or removes it, as the team's list of versions says.
    private func withdraw(_ identity: BundleIdentity, _ new: Targets, _ copy: inout CatalogEditor) throws {
        let list = try new[CatalogPath.versions(of: identity.identifier)]?.custom.map {
            try CatalogVersions(custom: $0, identifier: identity.identifier)
        }
        if let revoked = list?.revoked.first(where: { $0.version == identity.version }) {
            try copy.revoke(identity, reason: revoked.reason)
        } else {
            try copy.unpublish(identity)
        }
    }

    /// Adds a package with the deltas and parts that its entry describes. Hosts verify what comes out of deltas.
    private func addPackage(_ path: String, _ entry: CatalogEntry, _ copy: inout CatalogEditor) throws {
        var package = try CheckedPackage(
            targets.appending(path), channel: entry.channel, rollout: entry.rollout, converters: converters)
        (package.entry.deltas, package.entry.parts) = (entry.deltas, entry.parts)
        for (path, _) in entry.allDeltas { package.files[path] = targets.appending(path) }
        let parts = entry.parts.map { ($0, CatalogPath.part(of: entry.manifest.identity, for: $0.platform)) }
        for (_, path) in parts { package.files[path] = targets.appending(path) }
        try copy.add(package)
        for (path, delta) in entry.allDeltas where !copy.has(path, delta.length, delta.sha256) {
            throw refusal("\"\(path)\" is not the delta that its package describes")
        }
        for (part, path) in parts {
            guard copy.has(path, part.length, part.sha256) else {
                throw refusal("\"\(path)\" is not the part that its package describes")
            }
            guard copy.newContents.contains(where: { $0.path == path }) else { continue }
            let content = try SealedPackage(
                opening: targets.appending(path), converters: .standard(registering: converters))
            try content.verifyContents()
            guard content.digest == entry.sealDigest, content.platforms == [part.platform] else {
                throw refusal("\"\(path)\" is not the part of its package for \(part.platform)")
            }
        }
    }
}
