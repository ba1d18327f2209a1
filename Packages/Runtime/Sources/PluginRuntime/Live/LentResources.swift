import Registry
import PluginCore

/// Resources that were returned without loading their bundle's code.
///
/// A page defined by data uses them and has no lease, so a version is in use as long as its resources are referenced.
struct LentResources {
    private struct Loan {
        weak var resources: BundleResources?
    }

    private var loans: [PluginBundle: [Loan]] = [:]

    mutating func add(_ resources: BundleResources, of bundle: PluginBundle) {
        loans[bundle, default: []].removeAll { $0.resources == nil }
        loans[bundle, default: []].append(Loan(resources: resources))
    }

    func isUsed(_ bundle: PluginBundle) -> Bool {
        loans[bundle]?.contains { $0.resources != nil } ?? false
    }

    /// Returns the versions whose resources have been released since the last call.
    mutating func returned() -> [PluginBundle] {
        let returned = loans.keys.filter { !isUsed($0) }
        for bundle in returned { loans[bundle] = nil }
        return returned
    }
}

extension BundleManager {
    /// Registers resources of a locked version, and unlocks versions whose resources have been released.
    func lend(_ resources: BundleResources, of bundle: PluginBundle) {
        lent.add(resources, of: bundle)
        for version in lent.returned() { letGo(version) }
    }

    /// Reports that this process no longer uses a version, unless it does.
    func letGo(_ version: PluginBundle) {
        // A loaded library stays in use until the process ends.
        let isUsed =
            version.kind == .lib || lent.isUsed(version) || replaced.contains { $0.bundle == version }
            || activations.values.contains { $0.bundle == version }
        if !isUsed { versionEnded(version) }
    }
}
