import BundleFormat
package import Registry
import HostSystem
package import PluginCore
import Synchronization

/// The resources of an installed version, which are returned only if they equal the sealed ones.
package final class SealedResources: Sendable {
    private static let folder = "Resources"

    /// The folder of the resources.
    package let root: FilePath
    private let bundle: PluginBundle
    private let installed: InstalledSeal
    /// The seal, read on first use.
    private let seal = Mutex<Seal?>(nil)
    private let told = Mutex<Set<String>>([])

    package init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        installed = InstalledSeal(of: bundle, in: sandbox)
        root = sandbox.folder(of: bundle).appending(Self.folder)
    }

    /// Reads a resource into memory once and verifies those bytes, without following links.
    ///
    /// - Parameter limit: the maximum size in bytes.
    /// - Throws: ``AtriumError`` with code `resourceUnknown` for a name that is neither sealed nor on the disk, `resourceInvalid` for a file
    ///   that is too large, `sealBroken` for one that differs from the sealed one, `inputOutput`.
    package func bytes(of name: String, limit: Int = .max) throws(AtriumError) -> [UInt8] {
        let path = "\(Self.folder)/\(name)"
        guard let sealed = try sealed().file(path) else {
            switch try FileSystem.item(at: root.appending(name)) {
            case .file, .link, .other: throw broken(path, ErrorReason("unsealed"))
            case .folder, nil:
                throw AtriumError(
                    .resourceUnknown, name, reason: "noResource", ["bundle": "\(bundle.identity)", "path": .text(path)])
            }
        }
        guard sealed.size <= limit else {
            throw AtriumError(.resourceInvalid, name, reason: ErrorReason("fileTooLarge", ["limit": .integer(limit)]))
        }
        switch try FileSystem.contents(below: root, name, size: sealed.size) {
        case .file(let bytes):
            guard try ContentDigest.of(bytes) == sealed.sha256 else { throw broken(path, SealObserver.difference) }
            return bytes
        case .otherSize(let size):
            throw broken(path, ErrorReason("sizeDiffers", ["size": "\(size)", "sealed": "\(sealed.size)"]))
        case .other: throw broken(path, ErrorReason("notRegularFile"))
        case .nothing: throw broken(path, ErrorReason("sealedFileMissing"))
        }
    }

    /// Returns whether a log message hasn't been logged before.
    func isFirst(_ message: String) -> Bool { told.withLock { $0.insert(message).inserted } }

    private func sealed() throws(AtriumError) -> Seal {
        try seal.withLock { seal throws(AtriumError) in
            if let seal { return seal }
            let read = try installed.seal()
            seal = read
            return read
        }
    }

    private func broken(_ path: String, _ reason: ErrorReason) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity, problems: [.at(path, reason)])
    }
}
