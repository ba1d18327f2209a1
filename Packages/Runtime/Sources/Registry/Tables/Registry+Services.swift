public import PluginCore
public import PluginRouter
internal import SQLite

/// The directory of services for hosts and plugins that use them.
extension Registry: ServiceDirectory {
    /// Returns the bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? {
        try read { database in
            try database.value("SELECT owner FROM service WHERE name = ?", name, as: String.self)
        } ?? nil
    }

    /// Returns all service names, sorted.
    public func services() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT name FROM service ORDER BY name") { try $0[0, as: String.self] }
        } ?? []
    }
}
