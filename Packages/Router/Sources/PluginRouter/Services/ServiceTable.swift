import PluginCore

/// The services that code provides, each under the lease of its bundle.
struct ServiceTable: Sendable {
    private(set) var provided: [String: ProvidedService] = [:]
    /// The services of unloaded bundles.
    private(set) var tombstones = Tombstones()

    /// Adds a service.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` if there is already one with that name.
    mutating func insert(_ service: ProvidedService) throws(AtriumError) {
        // Code that took the name before its owner was loaded loses it.
        if let other = provided[service.name], other.isDeclared || !service.isDeclared {
            throw .serviceConflict(service.name, service.lease.owner, other.lease.owner)
        }
        provided[service.name] = service
        tombstones.remove(service.name)
    }

    /// Removes the services of a lease.
    mutating func removeAll(under lease: Lease) {
        for (name, service) in provided where service.lease == lease {
            provided[name] = nil
            tombstones.insert(name, of: lease.owner)
        }
    }
}

extension AtriumError {
    /// Returns the error for a second service with the same name.
    static func serviceConflict(_ name: String, _ owner: String, _ other: String) -> AtriumError {
        AtriumError(
            .serviceConflict, name,
            reason: owner == other ? "providedTwice" : "bothProvide", ["owner": .text(owner), "other": .text(other)]
        )
    }
}
