package import BundleFormat
package import HostSystem
package import PluginCore
package import Registry

extension Sandbox {
    /// Returns the path of a version's library for this host.
    package func library(of bundle: PluginBundle) throws(AtriumError) -> FilePath {
        guard let entry = bundle.entry else {
            throw AtriumError(.libraryMissing, bundle.identity, reason: "bundleWithoutCode")
        }
        let folder = folder(of: bundle)
        return folder.appending(try BundleShape.libraryPath(of: entry, of: bundle.identity, in: folder))
    }

    /// Returns the folders of a version's app groups, by name.
    package func groups(of bundle: PluginBundle) throws(AtriumError) -> [String: FilePath] {
        var groups: [String: FilePath] = [:]
        for name in bundle.appGroups { groups[name] = try group(name) }
        return groups
    }
}

extension PluginBundle {
    /// Returns the sealed SHA-256 of the library.
    package func sealedLibraryDigest() throws(AtriumError) -> String {
        if let digest = seal.libraryDigest { return digest }
        throw AtriumError(.unsigned, identity, reason: "installedUnsigned")
    }
}

extension LibraryFile {
    /// Checks that the content is the sealed one.
    ///
    /// A file that is unchanged since its last verification isn't hashed again.
    ///
    /// - Parameters:
    ///   - digest: the sealed SHA-256, in lowercase hexadecimal.
    ///   - known: the file's stamp at its last verification.
    /// - Returns: the new stamp, if the file was hashed and any later change will alter the stamp.
    /// - Throws: ``AtriumError`` with code `sealBroken` or `inputOutput`.
    package func requireSealed(as digest: String, known: String?) throws(AtriumError) -> String? {
        if let known, known == stamp.text { return nil }
        guard try ContentDigest.of(file: path, reading: read) == digest else {
            throw AtriumError(
                .sealBroken, bundle, reason: "fileNotSealed", ["file": .text(path.lastComponent)])
        }
        return try settledStamp()
    }
}

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

    /// Reads the installed seal.
    ///
    /// - Throws: as ``read()``, and ``AtriumError`` with code `sealBroken` for an invalid one.
    package func seal() throws(AtriumError) -> Seal { try Seal(reading: read().bytes, of: bundle.identity.description) }

    /// Reads the seal or the signature with its stamp.
    package func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken(ErrorReason("partGone", ["name": .text(name)]))
        case .other:
            throw broken(ErrorReason("partNotFile", ["name": .text(name), "limit": .integer(limit)]))
        }
    }

    /// Returns the error for a seal that is not the installed one.
    package func broken(_ reason: ErrorReason) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity, reason: reason)
    }
}
