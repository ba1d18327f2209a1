import BundleFormat
import CatalogFormat
import Downloads
import HostSystem
import HTTPTransfer
import PluginRuntime
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
        path(named: name(of: package))
    }

    /// Returns the path of a downloaded file.
    func path(named name: String) -> FilePath { repository.settings.folder.appending("packages").appending(name) }

    private func name(of package: RemotePackage) -> String {
        "\(package.identity.identifier)-\(package.identity.version)-\(package.entry.sealDigest.prefix(12)).zip"
    }

    /// Returns the download of a package; `nil` if this process knows that it is complete.
    func download(_ package: RemotePackage, _ converters: RouteConverters) -> CatalogPackage.Download? {
        let path = path(of: package)
        // Another process may have installed and removed it.
        if complete.withLock({ $0.contains(path) }), isThere(package) { return nil }
        return { installed, progress throws(AtriumError) in
            try await self.run(package, installed, progress)
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
        _ package: RemotePackage, _ installed: [DeltaSource],
        _ progress: @escaping @Sendable (PackageDownload) -> Void
    ) async throws(AtriumError) {
        let metadata = try await repository.state().metadata
        let total = UInt64(package.content.file.length)
        var content = DownloadContent.package
        if let delta = PackageDelta(to: package, from: installed), !isThere(package) {
            do {
                return try await run(delta, to: package, metadata, progress)
            } catch {
                // A delta can never cost an update.
                content = .packageAfterDelta(
                    ErrorReason(
                        "deltaUnused",
                        ["base": .text("\(delta.description.base)"), "problem": .text("\(error)")]))
                progress(PackageDownload(received: 0, total: total, content: content))
            }
        }
        do {
            try await fetch(package.content, as: name(of: package), metadata) { [content] in
                progress(PackageDownload(received: $0, total: total, content: content))
            }
        } catch {
            throw AtriumError(
                .downloadFailed, package.identity,
                reason: "downloadBroken", ["detail": .text(error.description)])
        }
    }

    /// Returns whether another process has downloaded a package completely. Its content is still to be verified.
    private func isThere(_ package: RemotePackage) -> Bool {
        ((try? FileSystem.item(at: path(of: package))) ?? nil) != nil
    }

    /// Fetches a delta, and makes the package from it.
    private func run(
        _ delta: PackageDelta, to package: RemotePackage, _ metadata: TrustedMetadata,
        _ progress: @escaping @Sendable (PackageDownload) -> Void
    ) async throws {
        let path = path(of: package)
        let file = FilePath("\(path).delta")
        let (total, content) = (
            UInt64(delta.description.length), DownloadContent.delta(from: delta.description.base)
        )
        complete.withLock { _ = $0.insert(file) }
        try await fetch(delta.target, as: file.lastComponent, metadata, attempts: 2) {
            progress(PackageDownload(received: $0, total: total, content: content))
        }
        // A package without SHA-256 has an empty text here, which no digest is.
        let sha256 = package.content.file.hashes.known[.sha256] ?? ""
        try await delta.apply(file, length: package.content.file.length, sha256: sha256, at: path)
    }

    /// Fetches a target into the folder of downloads.
    ///
    /// - Parameter attempts: The number of attempts that bring nothing; `nil` for the usual one.
    func fetch(
        _ target: FoundTarget, as name: String, _ metadata: TrustedMetadata, attempts: Int? = nil,
        _ progress: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) async throws(TUFError) {
        let file = target.file
        let servers = repository.serversFromCurrent
        guard !servers.isEmpty else {
            try await repository.client.download(target, in: metadata, to: path(named: name).string)
            return progress(UInt64(file.length))
        }
        var mirrors: [String] = []
        for server in servers { mirrors.append(try metadata.address(of: target, base: "\(server)/targets")) }
        guard let sha256 = file.hashes.known[.sha256] else {
            throw TUFError(.hashMismatch, target.path, detail: "no SHA-256")
        }
        var request = DownloadRequest(mirrors: mirrors, length: Int64(file.length), sha256: sha256)
        request.authorities = repository.settings.authorities?.string
        if let attempts { request.limits.attempts = attempts }
        do {
            _ = try await downloader.download(request, as: name) { progress(UInt64($0.received)) }
        } catch {
            throw TUFError(.transferFailed, target.path, detail: error.description)
        }
    }
}

/// A package with the metadata that describes it.
struct RemotePackage {
    let entry: CatalogEntry
    let target: FoundTarget

    var identity: BundleIdentity { entry.manifest.identity }

    /// The target that this host fetches: the part for it, or else the package.
    var content: FoundTarget {
        guard let part else { return target }
        return FoundTarget(
            path: CatalogPath.part(of: identity, for: part.platform),
            file: TargetFile(length: part.length, hashes: Hashes([.sha256: part.sha256])), role: target.role)
    }

    /// The deltas to the content.
    var deltas: [CatalogDelta] { part?.deltas ?? entry.deltas }

    /// Returns the path of the delta to the content from a version.
    func path(ofDeltaFrom base: SemanticVersion) -> String {
        CatalogPath.delta(from: base, to: identity, for: part?.platform)
    }

    private var part: CatalogPart? { LibraryBuild.host.folder(among: entry.platforms).flatMap(entry.part) }
}
