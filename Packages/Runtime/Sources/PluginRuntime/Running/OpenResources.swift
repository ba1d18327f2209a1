import Registry
import PluginCore

/// Resources that were returned without loading their bundle's code.
///
/// A page defined by data uses them and has no lease, so a version is in use as long as its resources are referenced.
struct OpenResources {
    private struct Reference {
        weak var resources: BundleResources?
    }

    private var references: [PluginBundle: [Reference]] = [:]

    mutating func add(_ resources: BundleResources, of bundle: PluginBundle) {
        references[bundle, default: []].removeAll { $0.resources == nil }
        references[bundle, default: []].append(Reference(resources: resources))
    }

    func isUsed(_ bundle: PluginBundle) -> Bool {
        references[bundle]?.contains { $0.resources != nil } ?? false
    }

    /// Returns the versions whose resources have been released since the last call.
    mutating func closed() -> [PluginBundle] {
        let closed = references.keys.filter { !isUsed($0) }
        for bundle in closed { references[bundle] = nil }
        return closed
    }
}
