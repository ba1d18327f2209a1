public import PluginCore
import Registry

/// The result of an update of several bundles, some of which may have stayed as they were.
///
/// ```swift
/// let result = try await manager.transactions.install.update(identifiers)
/// for failure in result.failures { print(failure.identity, failure.error) }
/// ```
public struct UpdateResult: Sendable {
    /// The results for the requested bundles in their order, and then for all others that changed.
    public let reports: [InstallReport]
    /// The versions that could not be downloaded, whose bundles stay as they were.
    public let failures: [SkippedVersion]
    /// The newer versions of other bundles that need one of these.
    public let waiting: [BundleIdentity]

    /// Creates a result.
    public init(reports: [InstallReport], failures: [SkippedVersion] = [], waiting: [BundleIdentity] = []) {
        self.reports = reports
        self.failures = failures
        self.waiting = waiting
    }

    /// Creates the result of a change in which some downloads have failed.
    ///
    /// - Parameter wanted: The versions that would have been installed without failures.
    init(_ reports: [InstallReport], failures: [SkippedVersion], wanted: [BundleIdentity]) {
        let failed = Set(failures.map(\.identity.identifier))
        let now = Dictionary(reports.map { ($0.bundle.identity.identifier, $0.bundle.identity) }) { first, _ in first }
        let waiting = wanted.filter { version in
            !failed.contains(version.identifier) && now[version.identifier].map { $0 != version } ?? false
        }
        self.init(reports: reports, failures: failures, waiting: failures.isEmpty ? [] : waiting)
    }
}
