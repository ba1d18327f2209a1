import Console
public import PluginCore
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
            throw CommandError.exportInvalid(
                roles.isEmpty
                    ? "nothing has changed" : "the changes are those of the roles \(roles.joined(separator: ", "))")
        }
        let signers = try keys.keys(try keys.signers(of: role, editor.keys(ofTargetsRole: role)))
        let signed = try reporting(editor.folder) {
            try editor.repository.unsignedTargets(of: role).signed(by: signers)
        }
        do throws(ZipError) {
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
            metadata = try SignedMetadata(try archive.contents(of: name, limit: metadataLimit))
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
