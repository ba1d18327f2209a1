import Console
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry

/// The look for updates while a session runs, by the policies in bundle.json.
///
/// It begins after the sandbox was prepared and never delays a page. What it has not finished at the end of the session continues in the
/// next one. Pins and rollbacks hold back versions as they do for "hostapp update".
struct BackgroundUpdates: Sendable {
    let manager: BundleManager
    let composition: Composition
    /// Shows a line to the user.
    let show: @MainActor @Sendable (String) -> Void

    /// Starts the look; returns nil if no policy asks for it or the catalog is not a published one.
    func start() -> Task<Void, Never>? {
        guard manager.offers.catalog.isRemote, !composition.asksForNoUpdates else { return nil }
        return Task(priority: .background) { await run() }
    }

    private func run() async {
        do {
            // Revoked versions are replaced whatever the policy says.
            for report in try await manager.transactions.revokedVersions.replace() {
                await show("\(report.bundle.identity) replaces a revoked version.")
            }
            let outdated = try await manager.offers.fetching { try manager.offers.updateReports() }
                .filter(\.isOutdated)
            let byPolicy = Dictionary(grouping: outdated) {
                composition.updatePolicy(of: $0.active.identity.identifier)
            }
            for policy in UpdatePolicy.allCases {
                try Task.checkCancellation()
                try await update(byPolicy[policy] ?? [], by: policy)
            }
        } catch is CancellationError {
            return
        } catch let error as AtriumError where error.code == .catalogUnreachable {
            // Without the server there is no update, and the user has not asked for one.
            return
        } catch {
            await show("Updates failed: \(Failure(error).report.message).")
        }
    }

    private func update(_ outdated: [UpdateReport], by policy: UpdatePolicy) async throws {
        guard !outdated.isEmpty else { return }
        let requests = outdated.map { InstallRequest.update($0.active.identity.identifier, mayStay: true) }
        switch policy {
        case .manual: return
        case .notify:
            let names = outdated.map { report in
                "\(report.active.identity.identifier) \(report.reachable.map(\.description) ?? "")"
            }
            await show("Updates are available: \(names.joined(separator: ", ")). \"hostapp update\" installs them.")
        case .stage:
            for report in try await manager.change(requests, staging: true) where report.isChange {
                await show("\(report.bundle.identity) becomes active at the next start.")
            }
        case .apply:
            for report in try await manager.change(requests) where report.isChange {
                await show("Updated to \(report.bundle.identity).")
            }
        }
    }
}

extension Composition {
    /// The policy for a bundle: its own, or else that of the app.
    func updatePolicy(of identifier: BundleIdentifier) -> UpdatePolicy {
        bundles.first { $0.pkg == identifier.text }?.updates ?? updates
    }

    /// A Boolean value that indicates whether every policy is ``UpdatePolicy/manual``.
    var asksForNoUpdates: Bool { updates == .manual && bundles.allSatisfy { ($0.updates ?? .manual) == .manual } }
}
