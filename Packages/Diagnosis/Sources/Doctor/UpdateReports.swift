import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

/// The update status of an installed bundle.
public struct UpdateReport: Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The newest version to which the bundle can be updated, according to the manifests that could be read.
    ///
    /// The active version if there is none above it; `nil` if that is unknown.
    public let reachable: SemanticVersion?
    /// The newest offered version, installable or not; `nil` if there is none or it is unknown.
    public let newest: SemanticVersion?
    /// The reason why the bundle can't be updated to the newest version, or why that version is unknown.
    public let obstacle: AtriumError?
    /// A Boolean value that indicates whether an update fetches the libraries of the active version for this host.
    package var fetchesLibraries = false
    /// The pin of the bundle; `nil` if it has none.
    public var pin: VersionPin?

    /// A Boolean value that indicates whether an update would bring something newer, or the libraries for this host.
    public var isOutdated: Bool { fetchesLibraries || reachable.map { $0 > active.version } ?? false }

    /// A Boolean value that indicates whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}

extension OfferedVersions {
    private var registry: Registry { planner.registry }

    /// Returns the update status of some installed bundles, or of all.
    ///
    /// An unreachable catalog is reported in the results.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, and the errors of the registry.
    public func updateReports(of identifiers: [BundleIdentifier] = []) throws(AtriumError) -> [UpdateReport] {
        let installed = try identifiers.map { identifier throws(AtriumError) in
            try registry.requireInstalled(identifier)
        }
        let pins = try registry.notes.pins()
        return try (identifiers.isEmpty ? registry.active.all() : installed).map { bundle throws(AtriumError) in
            var report = try updateReport(of: bundle.active)
            report.pin = pins[bundle.active.identifier]
            return report
        }
    }

    private func updateReport(of active: PluginBundle) throws(AtriumError) -> UpdateReport {
        let identifier = active.identifier
        var reachable: SemanticVersion?
        do {
            let all = try catalog.versions(of: identifier)
            let offered = all.filter { $0.isForAnybody(after: active.version, among: all) }
            let newer = offered.filter { $0 > active.version }
            let candidates = try updateCandidates(of: identifier, among: newer)
            reachable = candidates.reachable
            try catalog.requireReachable()
            return UpdateReport(
                active: active, reachable: reachable ?? active.version, newest: offered.first,
                obstacle: newer.isEmpty ? try otherContent(of: active) : candidates.refusals.first,
                fetchesLibraries: try fetchesLibraries(of: active))
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            return UpdateReport(active: active, reachable: reachable, newest: nil, obstacle: error)
        }
    }

    /// Returns the reason why an offered version can't be installed according to its manifest, even if other bundles change with it.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func refusal(of identity: BundleIdentity) throws(AtriumError) -> AtriumError? {
        let refusal: AtriumError?
        do {
            refusal = self.refusal(of: try catalog.package(identity).manifest)
        } catch {
            refusal = error
        }
        if let refusal, refusal.code == .catalogUnreachable { throw refusal }
        return refusal
    }

    /// Returns an error if the catalog has different content under the installed version.
    ///
    /// Such content is never installed: a version number identifies exactly one content while it is installed.
    ///
    /// - Returns: an error with code `versionReused`, or `nil`, also for a package that can't be read.
    public func otherContent(of bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do {
            try planner.checkOrigin(of: bundle, in: catalog)
            return nil
        } catch {
            if error.isEnvironmental, error.code != .catalogUnreachable { throw error }
            return error.code == .versionReused ? error : nil
        }
    }

    /// Returns a function that returns the reason why a package of the catalog is blocked, independently of other installed bundles.
    ///
    /// Reasons are: its content crashed or hung a host, a newer version has run here, a pin excludes it, it was built for
    /// another ABI of Core, or the catalog says that it is for other hosts.
    ///
    /// - Throws: the errors of the registry, as does the returned function.
    public func packageBlockRule() throws(AtriumError) -> (CatalogPackage) throws(AtriumError) -> AtriumError? {
        let blockReason = try blockRule()
        return { package throws(AtriumError) in
            if let reason = try blockReason(package.manifest.identity) { return reason }
            do throws(AtriumError) {
                try package.requireBuild()
                return nil
            } catch {
                return error
            }
        }
    }

    /// The number of versions that are examined individually.
    private static var looks: Int { 4 }

    /// Finds the newest installable version.
    ///
    /// Only the newest few versions are examined individually. For the others, a single plan finds the installable version, so
    /// that a catalog of a thousand versions isn't planned a thousand times.
    ///
    /// - Parameter newer: the versions to examine, newest first.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func updateCandidates(of identifier: BundleIdentifier, among newer: [SemanticVersion]) throws(AtriumError)
        -> UpdateCandidates
    {
        var found = UpdateCandidates()
        for version in newer.prefix(Self.looks) {
            guard let refusal = try refusal(of: BundleIdentity(identifier: identifier, version: version)) else {
                found.reachable = version
                return found
            }
            found.refusals.append(refusal)
        }
        let rest = newer.dropFirst(Self.looks)
        let isInstalled = try registry.active.version(of: identifier) != nil
        let change = rest.isEmpty ? nil : try? plan([isInstalled ? .update(identifier) : .install(identifier)])
        if let version = change?.steps.first(where: { $0.identifier == identifier })?.to, rest.contains(version),
            try refusal(of: BundleIdentity(identifier: identifier, version: version)) == nil
        {
            found.reachable = version
        }
        found.others = rest.count { version in found.reachable.map { version > $0 } ?? true }
        return found
    }

    /// Returns the error for a bundle that is neither installed nor offered, with the identifiers that a word may stand for.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and the errors of the registry.
    public func unknown(_ word: String) throws(AtriumError) -> AtriumError {
        let known = Set(try localIdentifiers()).union(try planner.registry.active.identifiers())
        return AtriumError(.bundleUnknown, word, nearest: Nearest.identifiers(to: word, in: known.sorted()))
    }

    /// Returns the identifiers of the bundles in the catalog in alphabetical order; none for a catalog on a server.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    public func localIdentifiers() throws(AtriumError) -> [BundleIdentifier] { try catalog.localIdentifiers() }

    /// Returns whether a bundle is neither installed nor offered.
    ///
    /// - Returns: `false` for an unreachable catalog.
    public func isAbsent(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        guard try planner.registry.active.bundle(identifier) == nil else { return false }
        return (try? catalog.versions(of: identifier))?.isEmpty == true
    }
}

/// The results of examining offered versions that are newer than the current one.
struct UpdateCandidates {
    /// The newest installable version, according to the manifests.
    var reachable: SemanticVersion?
    /// The reasons why the newest versions above it aren't installable, newest first.
    var refusals: [AtriumError] = []
    /// The number of further versions above it that aren't installable.
    var others = 0
}
