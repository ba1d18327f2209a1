import PluginCore

/// The services that code provides, each under the lease of the bundle that does.
struct ServiceTable: Sendable {
    private(set) var provided: [String: ProvidedService] = [:]
    /// Services that went with their bundle.
    private(set) var gone = GoneNames()

    /// Adds a service.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` when there is one of that name.
    mutating func insert(_ service: ProvidedService) throws(AtriumError) {
        if let other = provided[service.name] {
            throw .serviceConflict(service.name, service.lease.owner, other.lease.owner)
        }
        provided[service.name] = service
        gone.remove(service.name)
    }

    /// Takes away the services that the lease holds.
    mutating func removeAll(under lease: Lease) {
        for (name, service) in provided where service.lease == lease {
            provided[name] = nil
            gone.insert(name, of: lease.owner)
        }
    }
}

extension AtriumError {
    /// The refusal of a second service of one name.
    static func serviceConflict(_ name: String, _ owner: String, _ other: String) -> AtriumError {
        AtriumError(
            .serviceConflict, name,
            detail: owner == other ? "\(owner) provides it twice" : "\(owner) and \(other) both provide it"
        )
    }
}
