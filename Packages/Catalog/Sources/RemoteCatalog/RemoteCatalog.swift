public import PluginRuntime
import BundleFormat
public import CatalogFormat
import HostSystem
import HTTPTransfer
public import PluginCatalog
public import PluginCore
public import PluginRouter
import TUF
import TUFMetadata

/// A catalog of static files on a web server or in a folder, protected by The Update Framework.
///
/// ```swift
/// let catalog = try RemoteCatalog(RemoteCatalogSettings(address: address, catalogs: sandbox.catalogs))
/// try catalog.pin(root: root)  // once
/// let versions = try await catalog.search { offers in try offers.versions(of: "com.example.app.shop") }
/// ```
///
/// Everything is fetched on demand: a question without a local answer is noted, and ``fetchMissing()`` fetches all answers together.
public final class RemoteCatalog: Catalog {
    let repository: CatalogRepository
    private let answers: CatalogAnswers
    let downloads: PackageDownloads
    private let converters: RouteConverters

    /// Creates a catalog. Nothing is read or fetched.
    public convenience init(_ settings: RemoteCatalogSettings, converters: RouteConverters = .standard) {
        let transfer = HTTPClient(userAgent: settings.userAgent)
        let repository = CatalogRepository(settings, transfer)
        self.init(repository, CatalogAnswers(repository.clock), PackageDownloads(repository, transfer), converters)
    }

    private init(
        _ repository: CatalogRepository, _ answers: CatalogAnswers, _ downloads: PackageDownloads,
        _ converters: RouteConverters
    ) {
        self.repository = repository
        self.answers = answers
        self.downloads = downloads
        self.converters = converters
    }

    /// Returns the catalog with the same state and connections for other converters.
    public func withConverters(_ converters: RouteConverters) -> any Catalog {
        RemoteCatalog(repository, CatalogAnswers(repository.clock), downloads, converters)
    }

    /// The place of the catalog.
    public var address: CatalogAddress { repository.settings.address }

    /// Always true.
    public var isRemote: Bool { true }

    /// A Boolean value that indicates whether something was asked that has to be fetched first.
    public var lacksAnswers: Bool { answers.lacks }

    /// Returns the answers that the catalog has now. Its packages are downloaded all the same.
    public func frozen() -> any Catalog { RemoteCatalog(repository, answers.frozen(), downloads, converters) }

    private var name: String { repository.name }

    // MARK: Answers

    /// Returns all packages, whose metadata has to be fetched completely.
    public func listing() throws(AtriumError) -> CatalogListing {
        let (packages, problems): Packages = try answer(.listing)
        return (packages.map { offer($0) }.sortedByIdentity(), problems)
    }

    /// Returns the versions of a bundle that are offered to this installation.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try offered(allVersions(of: identifier))
    }

    /// Returns whether the catalog lists a bundle, whatever it offers to this installation.
    public func knows(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        let versions = try allVersions(of: identifier)
        return !versions.offered.isEmpty || !versions.revoked.isEmpty
    }

    /// Returns the versions of a bundle that the catalog's owner has revoked.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] {
        try allVersions(of: identifier).revoked
    }

    /// Returns the address with the digest of the snapshot, which names the versions of all other metadata.
    public func revocationStamp() async -> String? {
        guard let current = try? await repository.state(), current.failure == nil else { return nil }
        return (try? ContentDigest.of(current.metadata.snapshot.bytes)).map { "\(name) \($0)" }
    }

    /// Returns a package that is offered to this installation.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage {
        let versions = try versions(of: identity.identifier)
        guard versions.contains(identity.version) else {
            throw AtriumError(
                .versionUnknown, identity, nearest: versions.map { "\(identity.identifier)@\($0)" })
        }
        guard let package: RemotePackage = try answer(.package(identity)) else {
            throw AtriumError(.packageInvalid, identity, reason: "packageNotInCatalog")
        }
        return offer(package)
    }

    /// The number of bundles, and of versions of each, that are considered for a need: a bound on what a server can make a host fetch.
    private static let (mostProviders, mostVersions) = (64, 16)

    /// Returns the newest packages of the bundles that may meet one of some needs.
    public func packages(for needs: [CatalogNeed]) throws(AtriumError) -> [CatalogPackage] {
        var packages: [CatalogPackage] = []
        var bundles: Set<BundleIdentifier> = []
        try needs.askAll { need throws(AtriumError) in
            bundles.formUnion(try answer(.providers(need)) as [BundleIdentifier])
        }
        // A package that cannot be used does not affect the others.
        let unanswered = [AtriumError.Code.catalogNotFetched, .catalogUnreachable]
        try bundles.sorted().prefix(Self.mostProviders).askAll(throwing: unanswered) { bundle throws(AtriumError) in
            let newest = try versions(of: bundle).prefix(Self.mostVersions)
            try newest.askAll(throwing: unanswered) { version throws(AtriumError) in
                packages.append(try package(BundleIdentity(identifier: bundle, version: version)))
            }
        }
        return packages.sortedByIdentity()
    }

    /// Removes downloaded packages, which are no longer needed once they are installed.
    public func removeDownloads() { downloads.removeAll() }

    /// Checks that the server could be reached at the last refresh.
    public func requireReachable() throws(AtriumError) { _ = try answers.answer(.reachability, of: name) }

    /// The ends of the lives of all roles whose metadata is saved. Nothing is fetched.
    public var expiries: [CatalogExpiry] {
        repository.client.savedExpiries().map { expiry in
            let lifetime = RoleLifetimes().days(of: expiry.role)
            return CatalogExpiry(
                catalog: name, role: expiry.role, seconds: expiry.expires.seconds, text: expiry.expires.description,
                warning: RoleExpiry.warningTime(before: expiry.expires, lifetime: lifetime).seconds)
        }
    }

    private func allVersions(of identifier: BundleIdentifier) throws(AtriumError) -> CatalogVersions {
        try answer(.versions(identifier))
    }

    /// Returns the answer to a question, whose type is that of its documentation.
    private func answer<Answer>(_ question: CatalogQuestion) throws(AtriumError) -> Answer {
        guard let answer = try answers.answer(question, of: name) as? Answer else {
            throw AtriumError(.catalogNotFetched, name)
        }
        return answer
    }

    private typealias Packages = (packages: [RemotePackage], problems: [AtriumError])

    private func offered(_ versions: CatalogVersions) throws(AtriumError) -> [SemanticVersion] {
        let settings = repository.settings
        let installation = Installation(file: settings.catalogs.appending("installation"))
        var offered: [SemanticVersion] = []
        for version in versions.offered {
            let identity = BundleIdentity(identifier: versions.identifier, version: version)
            if let limit = versions.limits.first(where: { $0.version == version }) {
                guard settings.channels.contains(limit.channel),
                    try installation.gets(identity, rolledOutTo: limit.rollout)
                else { continue }
            }
            offered.append(version)
        }
        return offered
    }

    private func offer(_ package: RemotePackage) -> CatalogPackage {
        CatalogPackage(
            manifest: package.entry.manifest, path: downloads.path(of: package),
            size: Int64(package.content.file.length), sealDigest: package.entry.sealDigest,
            platforms: package.entry.platforms.isEmpty ? nil : package.entry.platforms, hosts: package.entry.hosts,
            download: downloads.download(package, converters),
            fetchIcon: package.entry.icon.map { path in
                { @Sendable () async throws(AtriumError) in try await self.icon(at: path) }
            })
    }

    /// Fetches an icon, whose length and digest are those of the signed metadata; it stays in the folder of downloads for a day.
    private func icon(at path: String) async throws(AtriumError) -> [UInt8]? {
        guard let target = try await repository.find(path, in: repository.state().metadata),
            target.file.length <= CatalogLimits.iconSize
        else { return nil }
        let file = try await fetch(RemoteComponent(description: path, target: target))
        guard case .file(let bytes, _) = try FileSystem.contents(of: file, limit: CatalogLimits.iconSize) else {
            return nil
        }
        return bytes
    }

    // MARK: Fetching

    /// Fetches the answers to all open questions, from metadata that is not older than its maximum age.
    public func fetchMissing() async -> Bool {
        await answers.fetchOpen { questions in await self.fetch(questions) }
    }

    private func fetch(_ questions: Set<CatalogQuestion>) async {
        let current = await result { () async throws(AtriumError) in try await repository.state() }
        let number = (try? current.get().number) ?? repository.clock.current
        await withTaskGroup(of: (CatalogQuestion, Result<any Sendable, AtriumError>).self) { group in
            for question in questions {
                group.addTask {
                    let answer = await result { () async throws(AtriumError) in
                        try await self.answer(question, in: current.get())
                    }
                    return (question, answer)
                }
            }
            for await (question, answer) in group {
                if case .failure(let error) = answer, error.code == .catalogUnreachable { repository.clock.shorten() }
                answers.save(answer, to: question, of: number)
            }
        }
    }

    private func answer(
        _ question: CatalogQuestion, in current: CatalogRepository.Current
    ) async throws(AtriumError) -> any Sendable {
        let metadata = current.metadata
        switch question {
        case .reachability:
            if let failure = current.failure { throw failure }
            return ()
        case .versions(let identifier):
            let custom = try await repository.find(CatalogPath.versions(of: identifier), in: metadata)?.file.custom
            guard let custom else { return CatalogVersions(identifier: identifier) }
            return try CatalogVersions(custom: custom, identifier: identifier)
        case .package(let identity):
            return try await repository.find(CatalogPath.package(identity), in: metadata).map(package)
        case .providers(let need):
            let custom = try await repository.find(CatalogPath.providers(of: need), in: metadata)?.file.custom
            guard let custom else { return [BundleIdentifier]() }
            return try CatalogProviders(custom: custom).bundles
        case .listing:
            return try await listing(in: metadata)
        }
    }

    private func package(_ target: FoundTarget) throws(AtriumError) -> RemotePackage {
        guard let custom = target.file.custom else {
            throw AtriumError(.packageInvalid, target.path, reason: "packageNotDescribed")
        }
        return RemotePackage(
            entry: try CatalogEntry(custom: custom, path: target.path, converters: converters), target: target)
    }

    /// Returns the packages of all bundles that are offered to this installation, and the errors of the others.
    private func listing(in metadata: TrustedMetadata) async throws(AtriumError) -> Packages {
        let targets = try await repository.targets(in: metadata)
        let byPath = Dictionary(targets.map { ($0.path, $0) }) { one, _ in one }
        var (packages, problems): ([RemotePackage], [AtriumError]) = ([], [])
        for identifier in Set(targets.compactMap { CatalogPath.identity(ofPackage: $0.path)?.identifier }).sorted() {
            guard let custom = byPath[CatalogPath.versions(of: identifier)]?.file.custom else { continue }
            do {
                for version in try offered(CatalogVersions(custom: custom, identifier: identifier)) {
                    let path = CatalogPath.package(BundleIdentity(identifier: identifier, version: version))
                    guard let target = byPath[path] else { continue }
                    do {
                        packages.append(try package(target))
                    } catch {
                        problems.append(error)
                    }
                }
            } catch {
                problems.append(error)
            }
        }
        return (packages, problems)
    }
}

// The operations on a catalog as a whole.
extension RemoteCatalog {
    /// The state of a catalog after a refresh.
    public struct Status: Sendable {
        /// The time at which the first metadata expires, in seconds since 1970.
        public let expires: Int
        /// The reason why the newest state could not be fetched; `nil` if it was.
        public let failure: AtriumError?
    }

    /// Pins the first root, from which all trust in the catalog follows.
    ///
    /// - Parameter root: The content of a file `1.root.json` or a later one, obtained from the catalog's owner through a separate, trusted channel.
    /// - Throws: ``AtriumError`` with code `catalogUntrusted` if the catalog has another root, or for an invalid file.
    public func pin(root: [UInt8]) throws(AtriumError) { try repository.pin(root) }

    /// Removes the pinned root, all metadata, and all downloads, so that another root can be pinned.
    ///
    /// Without the metadata, an attacker could present an older state of the catalog. So this is for a catalog that the user gives up.
    public func forget() throws(AtriumError) { try FileSystem.remove(repository.settings.folder) }

    /// A Boolean value that indicates whether a root is pinned.
    public var hasRoot: Bool { get throws(AtriumError) { try repository.hasRoot } }

    /// Opens libcurl, which the first request of a process does otherwise.
    public static func prepareRequests() async { await HTTPClient.prepare() }

    /// Fetches the newest metadata. Answers that were given from earlier metadata are not used anymore.
    ///
    /// If the server cannot be reached, the last trusted state stays in use until it expires.
    @discardableResult
    public func refresh() async throws(AtriumError) -> Status {
        let state = try await repository.state(isNew: true)
        return Status(expires: state.metadata.expires.seconds, failure: state.failure)
    }
}
