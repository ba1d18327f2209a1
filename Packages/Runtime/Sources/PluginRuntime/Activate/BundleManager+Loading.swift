public import PluginCore
public import PluginRouter
import Synchronization

extension BundleManager: LoadedBundleProvider {
    /// A bundle in use; the first call loads it, and calls meanwhile wait for that load.
    public func loaded(_ identifier: String) async throws -> LoadedBundle {
        while true {
            do {
                let active = try await active(identifier)
                return LoadedBundle(principal: active.principal, lease: active.lease)
            } catch is BundleStart.CutOff {
                // What is active by now serves in its place.
            }
        }
    }

    /// The principal object of a bundle, loaded on first use.
    public func principal(of identifier: String) async throws -> any BundleDelegate {
        try await loaded(identifier).principal
    }

    private func active(_ identifier: String) async throws -> ActiveBundle {
        await withdrawal(of: identifier)
        if let activation = activations[identifier] { return try await activation.active() }
        watchRegistry()
        guard let bundle = try registry.active(identifier) else {
            throw AtriumError(
                .bundleNotInstalled, identifier, nearest: Nearest.words(to: identifier, in: try registry.identifiers())
            )
        }
        return try await start(bundle)
    }

    /// The principal object of a version that the caller has looked up in the registry.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when another version of it runs already, or takes its place.
    public func principal(of bundle: PluginBundle) async throws -> any BundleDelegate {
        do {
            await withdrawal(of: bundle.identity.identifier)
            guard let activation = activations[bundle.identity.identifier] else {
                watchRegistry()
                // Others may have changed it since the caller looked: that is found out by the next comparison.
                compared.withLock { $0 = .missing }
                guard try !hasChanged || registry.active(bundle.identity.identifier) == bundle else {
                    throw AtriumError(
                        .bundleUnavailable, bundle.identity.description, detail: "it is not active any more"
                    )
                }
                return try await start(bundle).principal
            }
            guard activation.bundle == bundle else {
                throw AtriumError(
                    .bundleUnavailable, bundle.identity.description,
                    detail: "\(activation.bundle.identity.version) runs already"
                )
            }
            return try await activation.active().principal
        } catch is BundleStart.CutOff {
            throw AtriumError(
                .bundleUnavailable, bundle.identity.description, detail: "it was replaced while it started"
            )
        }
    }

    private func start(_ bundle: PluginBundle) async throws -> ActiveBundle {
        let start = BundleStart(of: bundle, watching: probation.watch(of: bundle))
        activations[bundle.identity.identifier] = .starting(start)
        // In the task of who asked first, for a task of its own costs a small plugin a third of its load. Nothing of it ends
        // early when that task is cancelled: those who wait have not been.
        await run(start)
        return try await start.outcome()
    }

    private func run(_ start: BundleStart) async {
        let bundle = start.bundle
        let identifier = bundle.identity.identifier
        var outcome: Result<ActiveBundle, any Error>
        do {
            outcome = .success(try await start.running { try await activate(bundle, under: start.lease) })
        } catch {
            outcome = .failure(isOutOfDate(bundle, error) ? BundleStart.CutOff(bundle: bundle) : error)
            if !lent.isUsed(bundle) { holds.release(bundle) }
        }
        if case .starting(let current) = activations[identifier], current === start {
            // Before anybody hears of a failure, so that whoever does can try again.
            activations[identifier] = (try? outcome.get()).map(Activation.active)
        } else if case .failure = outcome {
            // It could register nothing, and that is no fault of its own.
            outcome = .failure(BundleStart.CutOff(bundle: bundle))
        }
        start.finish(outcome)
    }

    /// Returns whether a bundle was looked up before a change, and what it requires after it: it goes together with what there was.
    private func isOutOfDate(_ bundle: PluginBundle, _ error: any Error) -> Bool {
        guard (error as? AtriumError)?.code == .dependencyUnmet else { return false }
        // A registry that cannot be read is told by whoever reads it next.
        guard let active = try? registry.active(bundle.identity.identifier) else { return true }
        return active != bundle
    }

    private func activate(_ bundle: PluginBundle, under lease: Lease) async throws -> ActiveBundle {
        guard let connection else {
            throw AtriumError(.bundleUnavailable, bundle.identity.identifier, detail: "the manager has no router yet")
        }
        try hold(bundle)
        try requireTrust(in: bundle)
        try requireUnblamed(bundle)
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let files = BundleFiles(of: bundle, in: sandbox)
        let libraries = try LibraryResolver(sandbox: sandbox, registry: registry).libraries(of: bundle)
        for library in libraries.libraries {
            try hold(library.source)
            try requireTrust(in: library.source)
            try requireUnblamed(library.source)
        }
        // Those of what was not loaded after all end with what holds them.
        var marks: [(PluginBundle, ProbationMark)] = []
        defer { for (_, mark) in marks.reversed() { mark.end() } }
        var stamps: [(PluginBundle, String)] = []
        var opening: [PluginBundle] = []
        let principal: any BundleDelegate
        do {
            principal = try await files.load(after: libraries) { version in
                opening.append(version)
                let mark = probation.load(version)
                if let mark { marks.append((version, mark)) }
                return mark
            } restamp: {
                stamps.append(($0, $1))
            }
        } catch {
            tellLoaded(opening)
            throw error
        }
        tellLoaded(opening)
        lifecycle.load()
        pageOwners.add(bundle, image: CodeImage(of: principal), lease: lease) { [probation] in
            probation.begin(bundle, $0)
        }
        let (log, identifier) = (services.log, bundle.identity.identifier)
        let lastUse = LastUse { [weak self] in Task { [weak self] in await self?.retireReplaced() } }
        let context = BundleContext(
            identity: bundle.identity, resources: resources(of: bundle),
            container: try files.container(),
            logger: BundleLogger { level, message in
                withExtendedLifetime(lastUse) { log(identifier, level, message) }
            },
            mediator: connection.mediator.leased(to: lease), router: connection.router.leased(to: lease),
            services: connection.services.leased(to: lease), events: exchange.leased(to: lease)
        )
        do {
            try await start(principal, context, within: connection.router.handlerDeadline)
        } catch {
            board.revoke(lease)
            lease.close()
            lifecycle.retire(.refused("\(error.underlying ?? error)"))
            throw error
        }
        lifecycle.activate()
        for (bundle, stamp) in stamps { records.add(.library, stamp, of: bundle) }
        gate.keep()
        seals.keep()
        for (version, mark) in marks { probation.loaded(version, mark) }
        marks = []
        for library in libraries.libraries where library.source.provenAt == nil { probation.trials.use(library.source) }
        return ActiveBundle(bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle)
    }

    /// Tells that the libraries among some bundles are loaded; those of which opening failed are not.
    private func tellLoaded(_ bundles: [PluginBundle]) {
        for library in bundles
        where library.kind == .lib && LoadedLibraries.current.isOpen(library.identity.identifier) {
            var lifecycle = lifecycles.resume(library.identity, in: .installed(.new))
            lifecycle.loadLibrary()
        }
    }

    /// Has a principal object start.
    ///
    /// - Throws: ``AtriumError`` with code `bundleRefused` and what the object threw as its cause, or `startTimedOut`.
    private func start(
        _ principal: any BundleDelegate, _ context: BundleContext, within deadline: Deadline
    ) async throws(AtriumError) {
        let name = context.identity.description
        do {
            let refusal: AtriumError? = try await deadline.runOnMain(
                context.identity.identifier, of: "its bundleDidLoad", isCancelledWithCaller: false
            ) {
                do {
                    try await principal.bundleDidLoad(context)
                    return nil
                } catch {
                    return AtriumError(.bundleRefused, name, detail: "\(error)").caused(by: error)
                }
            }
            if let refusal { throw refusal }
        } catch let error as AtriumError where error.code == .bundleRefused {
            throw error
        } catch {
            throw AtriumError(.startTimedOut, name, detail: (error as? AtriumError)?.detail ?? "\(error)")
        }
    }

    /// Returns whether a bundle's code runs in this process, once the load that is under way is over.
    func isRunning(_ identifier: String) async -> Bool {
        // A load that failed is not in the table any more.
        while let activation = activations[identifier] {
            if activation.isWaitingForItself { return true }
            if (try? await activation.active()) != nil { return true }
        }
        return false
    }
}
