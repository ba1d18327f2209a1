package import BundleFormat
public import Registry
public import PluginCore
import HostSystem
import PluginRouter

/// The planner of changes: which versions have to change together, from which packages.
///
/// It reads the registry and the offers that it is given, and changes nothing.
package struct ChangePlanner: SandboxPart {
    package let transactions: SandboxTransactions

    /// Plans an install or update of some bundles without making it.
    ///
    /// - Parameter sealed: the offers for an order, whose requests these are as far as they need a plan.
    /// - Throws: as ``InstallTransaction/run(_:offering:staging:keepingWayBack:)``.
    func plan(_ requests: [ChangeRequest], from sealed: SealedOffers) throws(AtriumError) -> ResolvedChange {
        let interval = Tracing.begin(.resolve, requests.map { "\($0.identifier)" }.joined(separator: " "))
        defer { interval?.end() }
        let order = sealed.order
        let sandbox = try RegistrySandbox(registry, afterStart: order.isStaged)
        let blockRule = try blockRule(in: sealed.offers, naming: order.named)
        let question = VersionQuestion(requests, sandbox: sandbox, offers: sealed) { identity throws(AtriumError) in
            let failure = order.failures.first { $0.identity.identifier == identity.identifier }
            if let refusal = failure?.error ?? order.limit?.refusal(of: identity) { return refusal }
            return try blockRule(identity)
        }
        do throws(AtriumError) {
            let change = try chooser.change(question)
            try order.limit?.requireAll(change.arrivals)
            return change
        } catch  where [.bundleUnknown, .bundleNotInstalled].contains(error.code) && error.nearest.isEmpty {
            let isUnknown = error.code == .bundleUnknown
            let known = try isUnknown ? sealed.offers.localIdentifiers() : registry.active.identifiers()
            throw AtriumError(error.code, error.subject, nearest: Nearest.identifiers(to: error.subject, in: known))
        } catch  where order.isStaged && error.code == .downgrade {
            // The resolver takes a staged version for active.
            let staged = try registry.staged.all().first { error.reason == .versionActive($0.version) }
            throw staged.map {
                AtriumError(.downgrade, error.subject, reason: "versionStaged", ["version": "\($0.version)"])
            } ?? error
        }
    }

    /// Returns the offers as an install may use them: only those of trusted teams count.
    ///
    /// - Parameter order: the order that they are for, by default one that no user has made.
    package func sealed(
        _ offers: any Offers, for order: InstallOrder = InstallOrder([], because: .required)
    ) -> SealedOffers {
        SealedOffers(offers, for: order, planner: self)
    }

    /// Opens a package and verifies its signer.
    package func sealed(
        _ offered: CatalogPackage, for purpose: VerificationPurpose = .install
    ) throws(AtriumError) -> SealedPackage {
        let identity = offered.manifest.identity
        if offered.download != nil { throw AtriumError(.packageNotDownloaded, identity) }
        let path = offered.path
        let package = try SealedPackage(opening: path, converters: converters)
        guard package.manifest.identity == identity else {
            throw AtriumError(.packageInvalid, path.lastComponent, reason: "changedWhileRead")
        }
        try package.requireBuild()
        try package.verify(by: verification.signatures(for: purpose))
        return package
    }

    /// Checks that the package of an installed version, if one is offered, has the installed content.
    ///
    /// - Throws: ``AtriumError`` with code `versionReused`, and the errors of the package.
    package func checkOrigin(of bundle: PluginBundle, in offers: any Offers) throws(AtriumError) {
        guard try offers.versions(of: bundle.identifier).contains(bundle.version) else { return }
        try bundle.requireSame(offers.package(bundle.identity).sealDigest())
    }

    /// Returns whether another host has stored a version without the libraries for this one, which its seal has.
    package func lacksLibraries(_ bundle: PluginBundle) throws(AtriumError) -> Bool {
        guard bundle.entry != nil, let own = (try? InstalledSeal(of: bundle, in: sandbox).seal())?.ownFolder
        else { return false }
        return try FileSystem.item(at: sandbox.folder(of: bundle).appending("lib/\(own)")) == nil
    }

    /// Returns whether a package with the content of an installed version is offered.
    package func isOffered(_ bundle: PluginBundle, in offers: any Offers) -> Bool {
        (try? offers.package(bundle.identity).sealDigest()) == bundle.digest
    }

    /// Plans a change among the installed and kept versions, which needs no catalog.
    func plan(
        _ requests: [ChangeRequest], in offers: KeptOffers, _ direction: VersionQuestion.Direction = .up,
        staging isStaged: Bool = false, unless blockRule: @escaping VersionQuestion.BlockRule = { _ in nil }
    ) throws(AtriumError) -> ResolvedChange {
        let sandbox = try RegistrySandbox(registry, afterStart: isStaged)
        return try chooser.change(
            VersionQuestion(requests, sandbox: sandbox, offers: offers, direction: direction, unless: blockRule))
    }

    /// Checks that requests can be fulfilled from kept versions without any other change.
    ///
    /// - Throws: as ``plan(_:in:_:staging:unless:)``, and ``AtriumError`` with code `dependencyConflict` for another change that would be needed.
    func requireNothingElse(
        for requests: [ChangeRequest], in offers: KeptOffers,
        unless blockRule: @escaping VersionQuestion.BlockRule = { _ in nil }
    ) throws(AtriumError) {
        let steps = try plan(requests, in: offers, unless: blockRule).steps
        let moved = steps.first { step in !requests.contains { $0.identifier == step.identifier } }
        guard let moved else { return }
        let change =
            moved.arrival.map { ErrorReason("installNeeded", ["bundle": "\($0)"]) }
            ?? ErrorReason("removalNeeded", ["bundle": .text(moved.identifier)])
        throw AtriumError(.dependencyConflict, requests.map(\.subject).joined(separator: ", "), reason: change)
    }
}

/// The rules that block offered versions from being installed.
extension ChangePlanner {
    /// Returns a function that returns the reason why a version is blocked: the host, its content, a newer version that has run, or a pin.
    ///
    /// - Parameters:
    ///   - offers: the offers, from which the content of versions is known that aren't in the sandbox.
    ///   - named: the versions that a user has requested explicitly, which a rollback doesn't block, but a pin does.
    /// - Throws: the errors of the registry and of the host's rules. The returned function throws them too, and `catalogUnreachable` or `inputOutput`
    ///   when the package of a version with a block can't be read.
    package func blockRule(
        in offers: any Offers, naming named: [BundleIdentity] = []
    ) throws(AtriumError) -> VersionQuestion.BlockRule {
        let blocks = Dictionary(grouping: try registry.quarantine.all(), by: \.identity)
        let pins = try registry.notes.pins()
        let rules = try services.admission.map { admission throws(AtriumError) in try admission.installRule() }
        return { identity throws(AtriumError) in
            for rule in rules { if let refusal = rule(identity) { return refusal } }
            if let minimumVersion = try registry.notes.minimumVersion(of: identity.identifier),
                identity.version < minimumVersion
            {
                return AtriumError(.downgrade, identity, reason: "hasRun", ["version": "\(minimumVersion)"])
            }
            if let block = try block(on: identity, among: blocks[identity], in: offers) { return block }
            guard let pin = pins[identity.identifier],
                named.contains(identity) ? pin.isOutside(identity.version) : pin.excludes(identity.version)
            else { return nil }
            return AtriumError(.pinned, identity, reason: pin.reason)
        }
    }

    private func block(
        on identity: BundleIdentity, among blocks: [QuarantinedVersion]?, in offers: any Offers
    ) throws(AtriumError) -> AtriumError? {
        // Only the packages of versions with a block have to be read, which are rare.
        guard let blocks else { return nil }
        var content = try registry.versions.all(of: identity.identifier).first { $0.identity == identity }?.digest
        do {
            if content == nil { content = try offers.package(identity).sealDigest() }
        } catch {
            // An invalid package is reported later.
            if error.isEnvironmental { throw error }
        }
        return blocks.first { $0.digest == content }.map {
            AtriumError(.quarantined, identity, reason: $0.reason)
        }
    }
}

extension Registry {
    /// Returns an installed bundle.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and similar identifiers.
    public func requireInstalled(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledBundle {
        if let installed = try active.bundle(identifier) { return installed }
        let staged = try staged.version(of: identifier)
        throw AtriumError(
            .bundleNotInstalled, identifier,
            reason: staged.map { ErrorReason("versionStaged", ["version": "\($0.version)"]) },
            nearest: Nearest.identifiers(to: identifier.text, in: try active.identifiers())
        )
    }
}
