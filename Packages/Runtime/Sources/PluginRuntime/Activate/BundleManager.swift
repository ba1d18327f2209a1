public import PluginCore
public import PluginRouter

/// Owns the bundles of one sandbox: what is installed, what is loaded, and the way from one to the other.
///
/// ```swift
/// let manager = BundleManager(sandbox: sandbox, catalog: catalog, services: services)
/// let (router, _) = await manager.connect(navigator, supply: manager)
/// try await manager.install("com.example.app.shop")
/// try await router.open("app://shop/item/42")
/// ```
public actor BundleManager {
    /// The sandbox.
    public nonisolated let sandbox: Sandbox
    /// What is installed in it.
    public nonisolated let registry: Registry
    /// Where packages come from.
    public nonisolated let catalog: any Catalog

    let lock: SandboxLock
    let installer: Installer
    let loader: BundleLoader
    let services: HostServices
    let observer: LifecycleObserver

    private var connection: (router: Router, mediator: Mediator)?
    private var activations: [String: Task<ActiveBundle, any Error>] = [:]

    /// A manager of a sandbox; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - sandbox: what it manages.
    ///   - catalog: where packages come from.
    ///   - services: what bundles get from the host.
    ///   - observer: hears of every step of every bundle.
    public init(
        sandbox: Sandbox, catalog: any Catalog, services: HostServices,
        observer: @escaping LifecycleObserver = { _ in }
    ) {
        self.sandbox = sandbox
        self.catalog = catalog
        self.services = services
        self.observer = observer
        registry = Registry(sandbox)
        lock = SandboxLock(sandbox)
        installer = Installer(sandbox: sandbox, registry: registry, observer: observer)
        loader = BundleLoader(sandbox: sandbox)
    }

    /// Puts router and mediator on top of this manager; call it once, before any bundle is loaded.
    ///
    /// - Parameters:
    ///   - navigator: shows pages.
    ///   - directory: where routes are looked up; `nil` for the registry alone.
    ///   - supply: where bundles come from that are not installed when an address or a call needs them: this manager,
    ///     or something in front of it; `nil` for nowhere.
    /// - Returns: the router as the host itself uses it, and the mediator.
    @discardableResult
    public func connect(
        _ navigator: any Navigator, directory: (any RouteDirectory)? = nil, supply: (any BundleSupply)?
    ) -> (router: any Routing, mediator: any Mediating) {
        let mediator = Mediator(directory: registry, provider: self, supply: supply)
        let router = Router(
            directory: directory ?? registry, provider: self, mediator: mediator, supply: supply, navigator: navigator
        )
        connection = (router, mediator)
        return (router.leased(to: Lease(owner: "host")), mediator)
    }

    /// Whether a bundle's code runs in this process.
    public func isActive(_ identifier: String) -> Bool {
        activations[identifier] != nil
    }

    /// Runs `body` while this process may load plugins of the sandbox, and nobody may take them away.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, and what `body` throws.
    public nonisolated func whileOpen<R: Sendable>(
        exclusively: Bool, _ body: @Sendable () async throws -> R
    ) async throws -> R {
        let mode = exclusively ? SandboxLock.Mode.exclusive : .shared
        // Without a sandbox there is nothing to take away; the first install makes it and takes the lock.
        guard exclusively || FileSystem.isFile(sandbox.registry) else { return try await body() }
        let made = try sandbox.prepare()
        do {
            try lock.acquire(mode)
        } catch {
            for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
            throw error
        }
        defer {
            lock.release(mode)
            for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
        }
        return try await body()
    }
}

extension BundleManager: BundleProvider {
    /// The principal object of a bundle; the first call loads it, and calls meanwhile wait for that load.
    public func principal(of identifier: String) async throws -> any BundleDelegate {
        if let activation = activations[identifier] { return try await activation.value.principal }
        guard let installed = try registry.installed(identifier) else {
            throw AtriumError(
                .bundleNotInstalled, identifier, nearest: Nearest.words(to: identifier, in: try registry.identifiers())
            )
        }
        let activation = Task { try await activate(installed.active) }
        activations[identifier] = activation
        do {
            return try await activation.value.principal
        } catch {
            activations[identifier] = nil
            throw error
        }
    }

    /// The resources of a bundle, without loading its code.
    public func resources(of identifier: String) async throws -> BundleResources {
        guard let installed = try registry.installed(identifier) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return loader.resources(of: installed.active, languages: services.languages)
    }

    private func activate(_ bundle: PluginBundle) async throws -> ActiveBundle {
        guard let connection else {
            throw AtriumError(.bundleUnavailable, bundle.identity.identifier, detail: "the manager has no router yet")
        }
        var lifecycle = BundleLifecycle(bundle.identity, from: .installed, observer: observer)
        let principal = try await loader.load(bundle)
        lifecycle.load()
        let lease = Lease(owner: bundle.identity.identifier)
        let (log, identifier) = (services.log, bundle.identity.identifier)
        let context = BundleContext(
            identity: bundle.identity, resources: loader.resources(of: bundle, languages: services.languages),
            container: loader.container(of: bundle), logger: BundleLogger { log(identifier, $0, $1) },
            mediator: connection.mediator, router: connection.router.leased(to: lease)
        )
        do {
            try await principal.bundleDidLoad(context)
        } catch {
            connection.router.revoke(lease)
            throw AtriumError(.bundleRefused, bundle.identity.description, detail: "\(error)")
        }
        lifecycle.activate()
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle)
    }

    /// Cuts off every bundle whose code runs, as at the end of a session: each is told that it goes, so that it can close
    /// what it has open.
    public func deactivateAll() async {
        for identifier in activations.keys.sorted() { await deactivate(identifier) }
    }

    /// Cuts a bundle off: nothing new reaches it, its open pages finish. The next request gets what is active then.
    func deactivate(_ identifier: String) async {
        guard let activation = activations.removeValue(forKey: identifier) else { return }
        connection?.mediator.release(owner: identifier)
        guard var active = try? await activation.value else { return }
        connection?.router.revoke(active.lease)
        active.lifecycle.drain()
        await active.principal.bundleWillUnload()
        active.lifecycle.retire()
    }
}
