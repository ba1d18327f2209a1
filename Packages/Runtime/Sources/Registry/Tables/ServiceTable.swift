public import PluginCore
internal import SQLite

/// The table of services, each declared by one bundle.
public struct ServiceTable {
    let connection: RegistryConnection

    /// Returns the bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? { try owner(of: name)?.text }

    private func owner(of name: String) throws(AtriumError) -> BundleIdentifier? {
        try connection.value("SELECT owner FROM service WHERE name = ?", name)
    }

    /// Returns all service names, sorted.
    public func services() throws(AtriumError) -> [String] {
        try connection.query("SELECT name FROM service ORDER BY name") { try $0["name"] }
    }

    /// Checks that no bundle has a service, or only the given one.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict`.
    func requireFree(_ name: String, for identifier: BundleIdentifier, orOf owner: BundleIdentifier? = nil)
        throws(AtriumError)
    {
        guard let holder = try self.owner(of: name), holder != owner else { return }
        throw .taken(.serviceConflict, name, of: identifier, by: holder)
    }

    /// Adds a service of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict`.
    func add(_ name: String, of identifier: BundleIdentifier) throws(AtriumError) {
        try requireFree(name, for: identifier)
        try connection.execute("INSERT INTO service (name, owner) VALUES (?, ?)", name, identifier)
    }

    /// Removes all services of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM service WHERE owner = ?", identifier)
    }
}
