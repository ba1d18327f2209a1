public import Registry
import HostSystem
public import PluginCore
public import PluginRouter

/// A host of plugins: the bundles in one sandbox, which it installs, loads, updates and removes, and their pages.
///
/// ```swift
/// let host = Host(at: sandbox, source: .folder(folder), verifying: DevelopmentOnlyVerification())
/// try await host.prepareForLaunch()
/// try await host.open("app://shop/item/42")
/// ```
///
/// This is the kernel alone. The module `Atrium` has the initializer for programs, which also connects the layers.
///
/// A host only connects its parts: ``OfferedVersions`` reads, ``SandboxTransactions`` changes the sandbox and has what all parts
/// share, `BundleLoader` loads bundles, and `RunningBundles` has the state of those that run. The details and errors of an operation are described
/// where a part carries it out.
public final class Host: SandboxPart {
    /// The sandbox.
    public var sandbox: Sandbox { transactions.sandbox }
    /// The registry of installed bundles.
    public var registry: Registry { transactions.registry }
    /// All changes of the sandbox, and its maintenance.
    public let transactions: SandboxTransactions
    /// The reaction to changes that other processes make to running bundles.
    public let liveUpdates: LiveUpdates

    let loader: BundleLoader

    /// Creates the host of a sandbox, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - sandbox: the sandbox.
    ///   - source: the source of packages, including those that ship with the host.
    ///   - builtIn: the packages that ship with the host. Newer ones replace installed versions when the host starts; see
    ///     ``prepareForLaunch()``.
    ///   - chooser: the choice of the versions that go together.
    ///   - verification: the verification of signatures.
    ///   - libraryCheck: the check of libraries before their code runs.
    ///   - services: the services of the host for bundles.
    ///   - routing: the handling of requests.
    public init(
        at sandbox: Sandbox, source: any PackageSource, builtIn: (any PackageSource)? = nil,
        choosing chooser: VersionChooser = .highest, verifying verification: any PackageVerification,
        libraryCheck: any LibraryCheck = ManifestLibraryCheck(), services: HostServices = HostServices(),
        routing: HostRouting = HostRouting()
    ) {
        transactions = SandboxTransactions(
            sandbox, from: source, builtIn, choosing: chooser, verification, libraryCheck, services, routing)
        liveUpdates = LiveUpdates(transactions)
        loader = BundleLoader(transactions, liveUpdates)
    }

    /// The offers of the catalog that are known now, which contains the packages that ship with the host too. Nothing is fetched.
    public var offers: OfferedVersions { transactions.install.offered(source.known) }

    /// The user's languages in order of preference.
    package var languages: [String] { services.languages }

    /// Returns what a search finds in the offers of the catalog.
    ///
    /// ```swift
    /// let manifest = try await manager.search { offers in try offers.offer(of: identifier) }
    /// ```
    ///
    /// - Parameter search: A search that changes nothing; it is repeated when the catalog had to fetch something for it.
    public func search<Found>(_ search: (OfferedVersions) throws -> Found) async throws -> Found {
        try await source.search { try search(transactions.install.offered($0)) }
    }

    /// The router, which acts on behalf of the host.
    public var router: Router { loader.communication.router }

    /// The mediator, which acts on behalf of the host.
    public var mediator: Mediator { loader.communication.mediator }

    /// The event bus, on which the host posts and receives events.
    public var events: any EventBus { loader.communication.events }

    /// The watch over the pages that a host shows.
    public var pageWatcher: PageWatcher { loader.pageWatcher }

    /// Prepares the sandbox for launch: removes leftovers, quarantines crashed versions, and activates staged and built-in updates.
    @discardableResult
    public func prepareForLaunch() async throws -> [InstallReport] {
        await (loader.routing.navigator as? PageStack)?.watch(by: pageWatcher)
        let reports = try await transactions.launch.run()
        await services.isolation?.countEndsOfHosts(in: liveUpdates)
        return reports
    }

    /// Fulfills install requests atomically, together with the changes that they require.
    @discardableResult
    public func change(
        _ requests: [ChangeRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        keepingWayBack isWayBackKept: Bool = true
    ) async throws -> [InstallReport] {
        try await transactions.install.run(
            requests, offering: packages, staging: isStaged, keepingWayBack: isWayBackKept)
    }

    /// Installs a bundle and its requirements from the catalog, and makes it active.
    @discardableResult
    public func install(_ identifier: BundleIdentifier, version: SemanticVersion? = nil) async throws -> InstallReport {
        try await change([.install(identifier, version)]).report(of: identifier)
    }

    /// Updates an installed bundle to the newest compatible version.
    @discardableResult
    public func update(_ identifier: BundleIdentifier) async throws -> InstallReport {
        try await change([.update(identifier)]).report(of: identifier)
    }

    /// Rolls a bundle back to its previous version.
    @discardableResult
    public func rollBack(_ identifier: BundleIdentifier) async throws -> InstallReport {
        try await transactions.rollback.run([identifier]).report(of: identifier)
    }

    /// Uninstalls a bundle; its data stays unless its deletion is requested.
    @discardableResult
    public func uninstall(_ identifier: BundleIdentifier, deleteData: Bool = false) async throws -> UninstallReport {
        try await transactions.uninstall.run([identifier], deleteData: deleteData)
    }

    /// Returns the principal object of a bundle, which is loaded on first use.
    public func principal(of identifier: BundleIdentifier) async throws -> Principal {
        try await loader.loaded(identifier).principal
    }

    /// Returns the resources of a bundle, without loading its code.
    public func resources(of identifier: BundleIdentifier) async throws -> BundleResources {
        try await loader.resources(of: identifier)
    }

    /// Returns the content of a resource of an installed bundle, and its version, without loading its code.
    ///
    /// - Returns: `nil` if the bundle isn't installed.
    ///
    /// - Throws: ``AtriumError`` if the version must not be used, or its file differs from the sealed one.
    public func resource(
        _ name: String, of identifier: BundleIdentifier
    ) throws(AtriumError) -> (content: [UInt8], bundle: PluginBundle)? {
        guard let (bundle, folder) = try policy.requireResources(of: identifier) else { return nil }
        defer { withExtendedLifetime(folder) {} }
        let content = try SealedResources(of: bundle, in: sandbox).bytes(of: name)
        policy.saveRecords()
        return (content, bundle)
    }

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    public func deactivateAll() async { await loader.deactivateAll() }
}
