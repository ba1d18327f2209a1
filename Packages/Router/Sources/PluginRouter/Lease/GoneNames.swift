/// The names that went with a lease, and whose they were, so that who asks for one hears that its bundle has gone and not
/// that there never was one. Only the latest are kept.
struct GoneNames: Sendable {
    static let limit = 256

    private var owners: [String: String] = [:]
    private var order: [String] = []

    /// The bundle that had a name.
    subscript(name: String) -> String? { owners[name] }

    mutating func insert(_ name: String, of owner: String) {
        remove(name)
        owners[name] = owner
        order.append(name)
        if order.count > Self.limit { owners[order.removeFirst()] = nil }
    }

    mutating func remove(_ name: String) {
        guard owners.removeValue(forKey: name) != nil else { return }
        order.removeAll { $0 == name }
    }
}
