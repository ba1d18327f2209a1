/// The names that recently unloaded bundles had registered, with their owners.
///
/// With it, an error can say that the bundle was unloaded instead of that the name is unknown. Only the latest names are stored.
struct Tombstones: Sendable {
    static let limit = 256

    private var owners: [String: String] = [:]
    private var order: [String] = []

    /// Returns the bundle that had registered a name.
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
