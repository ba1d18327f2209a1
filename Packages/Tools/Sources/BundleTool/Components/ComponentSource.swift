import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCatalog
import PluginCore
import PluginRuntime
import Processes
import RemoteCatalog
import TUFMetadata
import Trust

/// A catalog from which components are fetched.
struct ComponentSource {
    let address: CatalogAddress
    private let catalog: RemoteCatalog

    /// The number of versions that are asked for an Interface, newest first.
    private static let mostVersions = 16

    /// Returns the address in a text, which may also be the path of a published catalog's folder.
    ///
    /// - Throws: ``CommandError`` with `catalogInvalid`, or `UsageError` if the current folder is missing.
    static func address(_ text: String) throws -> CatalogAddress {
        if let address = CatalogAddress(text) { return address }
        let path = try CurrentFolder.resolve(text, in: ["bundletool", "add"])
        guard !text.isEmpty, path.appending("metadata").isFolder else {
            throw CommandError(.usage, text, code: "catalogInvalid", reason: "catalogAddressInvalid")
        }
        return .folder(path)
    }

    /// Opens a catalog. Nothing is fetched.
    ///
    /// - Parameters:
    ///   - root: The content of the root's file, from which all trust in the catalog follows.
    ///   - folder: The folder for the states of catalogs. Each root has one of its own, so that none is trusted by an earlier one.
    ///   - channels: The release channels besides the stable one.
    ///   - authorities: A file with certificate authorities in place of the system's.
    init(
        _ address: CatalogAddress, root: [UInt8], folder: FilePath, channels: [String] = [],
        authorities: FilePath? = nil
    ) throws {
        self.address = address
        let digest = try HashAlgorithm.sha256.digest(of: root)
        var settings = try RemoteCatalogSettings(
            address: address, catalogs: folder.appending(String(digest.prefix(16))))
        settings.channels.formUnion(channels)
        settings.authorities = authorities
        settings.userAgent = "bundletool/\(CoreVersion.release)"
        catalog = RemoteCatalog(settings)
        if try !catalog.hasRoot { try catalog.pin(root: root) }
    }

    /// Returns the newest version of a plugin in a range that has an Interface.
    ///
    /// - Parameter range: The range; `nil` for any release.
    /// - Throws: ``CommandError`` with `pluginUnknown`, `nothingInRange` or `noInterface`; `AtriumError` of the catalog.
    func newest(
        of identifier: BundleIdentifier, in range: VersionRange?
    ) throws -> RemoteComponent<CatalogInterface> {
        let offered = try blocking {
            // What cannot be reached must not be answered from an older state: the answer is written into a lock file.
            if let failure = try await catalog.refresh().failure { throw failure }
            return try await catalog.search { try $0.versions(of: identifier) }
        }
        guard !offered.isEmpty else {
            throw CommandError(.notFound, identifier, reason: "pluginUnknown", ["catalog": "\(address)"])
        }
        let releases = offered.filter(VersionRange.any.contains)
        let versions = range.map { range in offered.filter(range.contains) } ?? (releases.isEmpty ? offered : releases)
        guard !versions.isEmpty else {
            throw CommandError.nothingInRange(identifier.text, range: range?.description ?? "*", offered: offered)
        }
        for version in versions.prefix(Self.mostVersions) {
            let identity = BundleIdentity(identifier: identifier, version: version)
            if let found = try blocking({ try await catalog.interface(of: identity) }) { return found }
        }
        throw CommandError(
            .notFound, identifier, reason: "interfaceMissing", ["versions": .text(CommandError.list(versions))])
    }

    /// Returns the Interface of a version that a lock file names.
    ///
    /// - Throws: ``CommandError`` with `versionGone` or `differs`; `AtriumError` of the catalog.
    func locked(_ component: ComponentLock.Component) throws -> RemoteComponent<CatalogInterface> {
        let identity = component.identity
        guard let found = try blocking({ try await catalog.interface(of: identity) }) else {
            throw CommandError(
                .notFound, identity, code: "versionUnknown", reason: "versionGone",
                ["catalog": "\(address)", "identifier": "\(identity.identifier)"])
        }
        guard found.description.sealDigest == component.seal else {
            throw CommandError.interfaceDiffers(identity, ["its content is not the one that the lock file names"])
        }
        return found
    }

    /// Downloads an Interface, and checks that its archive is what the catalog describes.
    ///
    /// - Throws: ``CommandError`` with `invalid` or `differs`; `AtriumError` of the catalog.
    func fetch(_ interface: RemoteComponent<CatalogInterface>) throws -> InterfaceArchive {
        let archive = try InterfaceArchive(opening: blocking { try await catalog.fetch(interface) })
        let described = interface.description
        let differences = [
            ("the plugin", "\(described.identity)", "\(archive.identity)"),
            ("the module", described.module, archive.module), ("the team", described.team, archive.seal.team),
            ("the seal", described.sealDigest, archive.sealDigest),
        ].filter { $0.1 != $0.2 }
        if differences.isEmpty { return archive }
        throw CommandError.interfaceDiffers(
            described.identity, differences.map { "\($0.0) is \(quoted($0.2)) instead of \(quoted($0.1))" })
    }

    /// Downloads the newest package of a plugin in a range into a folder, and checks that a trusted team has signed all of it.
    ///
    /// - Returns: Its manifest; `nil` if the catalog offers none.
    /// - Throws: `AtriumError` of the catalog, or of a package that a host would refuse.
    func fetchPackage(
        of identifier: BundleIdentifier, in range: VersionRange, trusting store: TrustStore, into folder: FilePath
    ) throws -> Manifest? {
        guard let offered = try download(identifier, where: range.contains) else { return nil }
        let package = try SealedPackage(opening: offered.path)
        try package.verify(by: .trust(store, .install, at: Environment.now()))
        try package.verifyContents()
        try Files.copy(offered.path, to: folder.appending(PackageFile.name(of: package.manifest.identity)))
        return package.manifest
    }

    /// Downloads the newest package of a plugin whose version meets a condition; returns `nil` if the catalog offers none.
    func download(
        _ identifier: BundleIdentifier, where isMeant: @escaping @Sendable (SemanticVersion) -> Bool
    ) throws -> CatalogPackage? {
        try blocking {
            let offered = try await catalog.search { offers in
                try offers.versions(of: identifier).first(where: isMeant).map { version in
                    try offers.package(BundleIdentity(identifier: identifier, version: version))
                }
            }
            try await offered?.download?([]) { _ in }
            return offered
        }
    }

    /// Returns the newest SDK for a platform in a range.
    ///
    /// - Throws: ``CommandError`` with `nothingInRange`; `AtriumError` of the catalog.
    func newestSDK(for platform: String, in range: VersionRange) throws -> RemoteComponent<CatalogSDK> {
        let offered = try blocking { try await catalog.sdkVersions(for: platform) }
        guard let version = offered.first(where: range.contains),
            let sdk = try blocking({ try await catalog.sdk(version, for: platform) })
        else {
            throw CommandError.nothingInRange("the SDK for \(platform)", range: range.description, offered: offered)
        }
        return sdk
    }

    /// Downloads an SDK, and moves its archive to a folder.
    func fetch(_ sdk: RemoteComponent<CatalogSDK>, into folder: FilePath) throws -> FilePath {
        let file = try blocking { try await catalog.fetch(sdk) }
        try Files.makeFolder(folder)
        let target = folder.appending(FilePath(CatalogPath.sdk(sdk.description)).lastComponent)
        try Files.move(file, to: target)
        return target
    }
}

/// Waits for the result of asynchronous work of a command that is not asynchronous itself.
///
/// It blocks its thread, so it is for the main thread of the program, and not for threads of tasks.
private func blocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = BlockingResult<Value, any Error>()
    Task.detached {
        do { result.finish(.success(try await body())) } catch { result.finish(.failure(error)) }
    }
    return try result.wait().get()
}
