public import BundleFormat
public import PluginCore
import TUFMetadata
import Zip

extension InterfaceArchive {
    /// Returns the file name of the archive, which lies beside the package of the plugin.
    public static func name(of identity: BundleIdentity) -> String {
        "\(identity.identifier)-\(identity.version)_interface.zip"
    }

    /// Returns whether a file name is that of such an archive.
    public static func isName(_ name: String) -> Bool { name.hasSuffix("_interface.zip") }

    /// Writes the archive of an Interface, and opens it as those do who fetch it.
    ///
    /// - Parameters:
    ///   - sources: The contents of the sources by their paths in the folder of the module.
    ///   - module: The name of the module.
    ///   - identity: The plugin and its version.
    ///   - sealer: The key and the team that sign.
    ///   - folder: The folder for the archive.
    /// - Throws: ``ComponentError`` with `invalid`; then no archive is left.
    public static func write(
        _ sources: [String: [UInt8]], module: String, of identity: BundleIdentity, sealedBy sealer: Sealer,
        into folder: FilePath
    ) throws -> InterfaceArchive {
        let path = folder.appending(name(of: identity))
        if let problem = InterfaceRules.problem(ofModule: module) {
            throw ComponentError.invalid(path.lastComponent, problems: [problem])
        }
        var files = [descriptionName: InterfaceDescription(identity: identity, module: module).bytes]
        for (name, bytes) in sources { files["\(InterfaceRules.folder(of: module))/\(name)"] = bytes }
        let sealed = try files.map { name, bytes in
            Seal.File(path: name, size: UInt64(bytes.count), sha256: try HashAlgorithm.sha256.digest(of: bytes))
        }
        let (seal, signature) = try sealer.sign(sealed, of: identity)
        files[Seal.name] = seal
        files[Seal.signatureName] = signature
        // It gets its name when it is known to be valid.
        let draft = folder.appending(".\(path.lastComponent).new")
        do throws(ZipError) {
            var writer = ZipWriter()
            for (name, bytes) in files { try writer.add(bytes, as: name) }
            try writer.write(to: draft.string)
        } catch {
            throw ComponentError.invalid(path.lastComponent, problems: ["\(error)"])
        }
        do {
            _ = try InterfaceArchive(opening: draft)
        } catch {
            ComponentFiles.remove(draft)
            if case ComponentError.invalid(_, let problems) = error {
                throw ComponentError.invalid(path.lastComponent, problems: problems)
            }
            throw error
        }
        try ComponentFiles.move(draft, to: path)
        return try InterfaceArchive(opening: path)
    }
}
