import Registry
import Console
import Doctor
import PluginCatalog
import PluginCore
import PluginRuntime
import Synchronization

/// Checks for updates in the background during a session, following the policies in bundle.json.
///
/// It never delays a page. Downloads that are not complete at the end of the session continue in the next one. Pins and rollbacks hold back
/// versions as they do for "hostapp update".
final class BackgroundUpdates: Sendable {
    private let manager: Host
    private let composition: ComposedRoutes
    private let show: @MainActor @Sendable (String) -> Void
    private let isChanging = Mutex(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates the check of a session.
    ///
    /// - Parameter show: Shows a line to the user.
    init(manager: Host, composition: ComposedRoutes, show: @escaping @MainActor @Sendable (String) -> Void) {
        self.manager = manager
        self.composition = composition
        self.show = show
    }

    /// Starts the check, unless all policies are manual or no catalog is a published one.
    func start() {
        let policies = [composition.updates] + composition.bundles.compactMap(\.updates)
        guard manager.offers.catalog.isRemote, policies.contains(where: { $0 != .manual }) else { return }
        task.withLock { $0 = Task(priority: .background) { await run() } }
    }

    /// Stops the check. Returns when no change of the sandbox runs.
    func stop() async {
        guard let task = task.withLock({ $0 }) else { return }
        task.cancel()
        // Waiting for a server would delay the end of the session.
        if isChanging.withLock({ $0 }) { await task.value }
    }

    private func run() async {
        do {
            for replacement in try await changing({ try await RevokedVersions(of: manager).replace() }) {
                await show([replacement].text)
            }
            let outdated = try await manager.search { try $0.updateReports() }
                .filter(\.isOutdated)
            // The policy of a bundle, or else that of the app.
            let byPolicy = Dictionary(grouping: outdated) { report in
                let own = composition.bundles.first { $0.pkg == report.active.identifier.text }
                return own?.updates ?? composition.updates
            }
            for policy in UpdatePolicy.allCases {
                try Task.checkCancellation()
                try await update(byPolicy[policy] ?? [], by: policy)
            }
        } catch let error as AtriumError where [.catalogUnreachable, .downloadFailed].contains(error.code) {
            // Without the server there is no update, and the user has not asked for one.
            return
        } catch {
            if !Task.isCancelled { await show(localized("Updates failed: \(Failure(error).report.message).")) }
        }
    }

    private func update(_ outdated: [UpdateReport], by policy: UpdatePolicy) async throws {
        guard !outdated.isEmpty else { return }
        let install = manager.transactions.install
        let identifiers = outdated.map(\.active.identifier)
        switch policy {
        case .manual: return
        case .notify:
            let names = outdated.map { report in
                "\(report.active.identifier) \(report.reachable.map(\.description) ?? "")"
            }
            await show(hostText("updatesAvailable", names.joined(separator: ", ")))
        case .stage, .apply:
            let reports = try await changing {
                try await install.update(identifiers, staging: policy == .stage).reports
            }
            for report in reports where report.isChange {
                let identity = report.identity
                await show(
                    report.isRepaired
                        ? localized("\(identity) now has the libraries for this host.")
                        : policy == .stage
                            ? localized("\(identity) becomes active at the next start.")
                            : report.isStaged
                                ? String(stagedLine(for: report).dropLast()) : localized("Updated to \(identity)."))
            }
        }
    }

    private func changing<Result>(_ change: () async throws -> Result) async throws -> Result {
        isChanging.withLock { $0 = true }
        defer { isChanging.withLock { $0 = false } }
        return try await change()
    }
}
