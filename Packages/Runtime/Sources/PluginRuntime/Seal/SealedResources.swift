import PluginCore
import Synchronization

/// The resources of an installed version, of which nothing is handed out that is not what was sealed.
final class SealedResources: Sendable {
    private static let folder = "Resources"

    /// Where they lie.
    let root: FilePath
    private let bundle: PluginBundle
    private let installed: InstalledSeal
    /// What is sealed; read when the first resource is.
    private let seal = Mutex<Seal?>(nil)
    private let told = Mutex<Set<String>>([])

    init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        installed = InstalledSeal(of: bundle, in: sandbox)
        root = sandbox.folder(of: bundle).appending(Self.folder)
    }

    /// The bytes of a resource. They are read once, into memory, and are there verified; no link is followed.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` for what is neither sealed nor there, `sealBroken` for what is not
    ///   there as it is sealed, `inputOutput`.
    func bytes(of name: String) throws(AtriumError) -> [UInt8] {
        let path = "\(Self.folder)/\(name)"
        guard let sealed = try sealed().file(path) else {
            switch try FileSystem.item(at: root.appending(name)) {
            case .file, .link, .other: throw broken(path, "it is not sealed")
            case .folder, nil:
                throw AtriumError(.resourceUnknown, name, detail: "\(bundle.identity) has no \(path)")
            }
        }
        switch try FileSystem.contents(below: root, name, size: sealed.size) {
        case .file(let bytes):
            guard try ContentDigest.of(bytes) == sealed.sha256 else { throw broken(path, SealObserver.difference) }
            return bytes
        case .otherSize(let size): throw broken(path, "it has \(size) bytes where \(sealed.size) are sealed")
        case .other: throw broken(path, "it is no file")
        case .nothing: throw broken(path, "it is sealed and not there")
        }
    }

    /// Returns whether a message for the log is new.
    func isFirst(_ message: String) -> Bool {
        told.withLock { $0.insert(message).inserted }
    }

    private func sealed() throws(AtriumError) -> Seal {
        try seal.withLock { seal throws(AtriumError) in
            if let seal { return seal }
            let whole = try Seal(reading: installed.source(), of: bundle.identity.description)
            let kept = Seal(
                team: whole.team, signedAt: whole.signedAt,
                sorted: whole.files.filter { $0.path.hasPrefix(Self.folder + "/") })
            seal = kept
            return kept
        }
    }

    private func broken(_ path: String, _ what: String) -> AtriumError {
        AtriumError(
            .sealBroken, bundle.identity.description, problems: [SealFinding(.sealBroken, path, what).sentence])
    }
}

/// The resources of the versions that are in use, so that each seal is read once.
final class SealedResourceTable: Sendable {
    /// Of how many versions a list is kept that nobody may need any more.
    private static let capacity = 16

    private let sandbox: Sandbox
    private let known = Mutex<[PluginBundle: SealedResources]>([:])

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    func resources(of bundle: PluginBundle) -> SealedResources {
        known.withLock { known in
            if let resources = known[bundle] { return resources }
            if known.count >= Self.capacity { known = [:] }
            let resources = SealedResources(of: bundle, in: sandbox)
            known[bundle] = resources
            return resources
        }
    }
}
