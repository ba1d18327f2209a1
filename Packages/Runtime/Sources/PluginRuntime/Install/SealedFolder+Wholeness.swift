import BundleFormat
import Registry
import HostSystem
import PluginCore

extension SealedFolder {
    /// Returns whether the folder equals an extracted package byte by byte: the same seal, signature and set of sealed files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read, which is no reason
    ///   to replace it.
    func isWhole(as staged: StagedBundle) throws(AtriumError) -> Bool {
        do throws(AtriumError) {
            let source = try bytes(of: Seal.name, limit: Seal.sizeLimit)
            let signature = try bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            let other = SealedFolder(staged.folder)
            guard try ContentDigest.of(source) == staged.version.bundle.digest,
                try signature == other.bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            else { return false }
            let seal = try Seal(reading: source, of: folder.lastComponent)
            guard SealedFiles(seal: seal).findings(in: try contents()).isEmpty else { return false }
            return try changes(from: seal, but: [], manifestSource()).isEmpty
        } catch {
            if error.isEnvironmental { throw error }
            return false
        }
    }
}
