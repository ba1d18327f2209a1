import BundleFormat
import CatalogFormat
import Downloads
import HostSystem
import HTTPTransfer
import PluginCatalog
import PluginCore
import PluginRouter
import Synchronization
import TUF
import TUFMetadata

/// The packages of a catalog that were downloaded.
final class PackageDownloads: Sendable {
    private let repository: CatalogRepository
    private let complete = Mutex<Set<FilePath>>([])

    private let downloader: Downloader

    init(_ repository: CatalogRepository, _ transfer: HTTPClient) {
        self.repository = repository
        downloader = Downloader(
            folder: repository.settings.folder.appending("packages").string, client: transfer)
    }

    /// Returns the path of a package, which differs for different contents.
    func path(of package: RemotePackage) -> FilePath {
        repository.settings.folder.appending("packages").appending(name(of: package))
    }

    private func name(of package: RemotePackage) -> String {
        "\(package.identity.identifier)-\(package.identity.version)-\(package.entry.sealDigest.prefix(12)).zip"
    }

    /// Returns the download of a package; `nil` if this process knows that it is complete.
    func download(_ package: RemotePackage, _ converters: RouteConverters) -> CatalogPackage.Download? {
        let path = path(of: package)
        // Another process may have installed and removed it.
        if complete.withLock({ $0.contains(path) }), (try? FileSystem.item(at: path)) ?? nil != nil { return nil }
        return { progress throws(AtriumError) in
            try await self.run(package, progress)
            try package.entry.requireSame(as: PackageFile(path: path), converters: converters)
            self.complete.withLock { _ = $0.insert(path) }
        }
    }

    /// Removes the packages that this process has downloaded, those of others that are a day old, and old parts of packages.
    func removeAll() {
        let mine = complete.withLock { complete in
            defer { complete = [] }
            return complete
        }
        for path in mine { try? FileSystem.remove(path) }
        try? downloader.removeFiles(olderThan: Self.dayInSeconds)
        try? downloader.removePartialFiles(olderThan: 7 * Self.dayInSeconds)
    }

    private static let dayInSeconds = 86_400

    private func run(
        _ package: RemotePackage, _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(AtriumError) {
        let metadata = try await repository.state().metadata
        let identity = package.identity.description
        do throws(TUFError) {
            guard case .web(let address) = repository.settings.address else {
                let path = path(of: package).string
                try await repository.client.download(package.target, in: metadata, to: path)
                return progress(UInt64(package.target.file.length))
            }
            let place = try metadata.address(of: package.target, base: "\(address)/targets")
            try await fetch(package, from: place, progress)
        } catch {
            throw AtriumError(
                .downloadFailed, identity, reason: ErrorReason("downloadBroken", ["detail": .text(error.description)]))
        }
    }

    private func fetch(
        _ package: RemotePackage, from address: String, _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(TUFError) {
        let file = package.target.file
        guard let sha256 = file.hashes.known[.sha256] else {
            throw TUFError(.hashMismatch, package.target.path, detail: "no SHA-256")
        }
        var request = DownloadRequest(mirrors: [address], length: Int64(file.length), sha256: sha256)
        request.authorities = repository.settings.authorities?.string
        do throws(DownloadError) {
            _ = try await downloader.download(request, as: name(of: package)) { progress(UInt64($0.received)) }
        } catch {
            throw TUFError(.transferFailed, package.target.path, detail: error.description)
        }
    }
}
