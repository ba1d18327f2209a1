public import Registry
import HostSystem
import Resolver
public import PluginCore

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
    /// The pin of the bundle; `nil` if it has none.
    public var pin: VersionPin?

    /// A Boolean value that indicates whether an update would bring something newer.
    public var isOutdated: Bool { reachable.map { $0 > active.identity.version } ?? false }

    /// A Boolean value that indicates whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}

extension BundleManager {
    /// Returns the update status of some installed bundles, or of all.
    ///
    /// An unreachable catalog is reported in the results.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, and the errors of the registry.
    public nonisolated func updateReports(of identifiers: [String] = []) throws(AtriumError) -> [UpdateReport] {
        var installed: [InstalledBundle] = []
        for identifier in identifiers { installed.append(try requireInstalled(identifier)) }
        if identifiers.isEmpty { installed = try registry.active.all() }
        var updateReports: [UpdateReport] = []
        let pins = Dictionary(try registry.pins.all().map { ($0.identifier, $0) }) { $1 }
        for bundle in installed {
            var updateReport = try updateReport(of: bundle.active)
            updateReport.pin = pins[bundle.active.identity.identifier]
            updateReports.append(updateReport)
        }
        return updateReports
    }

    private nonisolated func updateReport(of active: PluginBundle) throws(AtriumError) -> UpdateReport {
        let identifier = active.identity.identifier
        var reachable: SemanticVersion?
        do throws(AtriumError) {
            let all = try catalog.versions(of: identifier)
            let offered = all.filter { $0.isForAnybody(after: active.identity.version, among: all) }
            let newer = offered.filter { $0 > active.identity.version }
            let updateCandidates = try updateCandidates(of: identifier, among: newer)
            reachable = updateCandidates.reachable
            try catalog.requireReachable()
            return UpdateReport(
                active: active, reachable: reachable ?? active.identity.version, newest: offered.first,
                obstacle: newer.isEmpty ? try otherContent(of: active) : updateCandidates.refusals.first)
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            return UpdateReport(active: active, reachable: reachable, newest: nil, obstacle: error)
        }
    }

    /// Returns the reason why an offered version can't be installed according to its manifest, even if other bundles change with it.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    nonisolated func refusal(of identity: BundleIdentity) throws(AtriumError) -> AtriumError? {
        let refusal: AtriumError?
        do throws(AtriumError) {
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
    public nonisolated func otherContent(of bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do throws(AtriumError) {
            try checkOrigin(of: bundle, [])
            return nil
        } catch {
            if error.isEnvironmental, error.code != .catalogUnreachable { throw error }
            return error.code == .versionReused ? error : nil
        }
    }
}
