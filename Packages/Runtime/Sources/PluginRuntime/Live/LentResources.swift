import PluginCore

/// Resources that were handed out without code. A page that is data lives on them, and has no lease that ends: they are in use as long
/// as somebody has them.
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

    /// The versions whose resources nobody has any more since this was asked last.
    mutating func returned() -> [PluginBundle] {
        let returned = loans.keys.filter { !isUsed($0) }
        for bundle in returned { loans[bundle] = nil }
        return returned
    }
}

extension BundleManager {
    /// Hands out the resources of a version that is held, and lets go of versions whose resources have come back.
    func lend(_ resources: BundleResources, of bundle: PluginBundle) {
        lent.add(resources, of: bundle)
        for version in lent.returned() { letGo(version) }
    }

    /// Tells that this process has no use for a version, unless it has.
    func letGo(_ version: PluginBundle) {
        // What is linked with a library has no way to give it back.
        let isUsed =
            version.kind == .lib || lent.isUsed(version) || replaced.contains { $0.bundle == version }
            || activations.values.contains { $0.bundle == version }
        if !isUsed { versionEnded(version) }
    }
}
