import BundleFormat
package import HostSystem
package import PluginCore
package import Registry

/// The seal and signature of an installed version, as they are on the disk now.
package struct InstalledSeal: Sendable {
    package let bundle: PluginBundle
    private let folder: FilePath

    package init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        folder = sandbox.folder(of: bundle)
    }

    /// Returns the stamps of both files, which stay equal while neither changes, without reading them.
    ///
    /// - Returns: `nil` when one doesn't exist.
    package func stamp() throws(AtriumError) -> String? {
        guard let seal = try FileStamp(of: folder.appending(Seal.name)),
            let signature = try FileStamp(of: folder.appending(Seal.signatureName))
        else { return nil }
        return "\(seal.text) \(signature.text)"
    }

    /// Reads the seal with its stamp, and checks that it is the installed one.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when it is missing or another one, or `inputOutput`.
    package func read() throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        let contents = try contents(of: Seal.name, limit: Seal.sizeLimit)
        guard try ContentDigest.of(contents.bytes) == bundle.digest else {
            throw broken(ErrorReason("sealNotInstalled", ["name": .text(Seal.name)]))
        }
        return contents
    }

    /// Reads the seal or the signature with its stamp.
    package func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken(ErrorReason("partGone", ["name": .text(name)]))
        case .other:
            throw broken(
                ErrorReason(
                    "partNotFile", ["name": .text(name), "limit": .integer(limit)]))
        }
    }

    /// Returns the error for a seal that is not the installed one.
    package func broken(_ reason: ErrorReason) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity.description, reason: reason)
    }
}
