public import PluginCore
public import PluginRouter
internal import SQLite

/// The mediator asks the registry itself, as the router does.
extension Registry: TargetDirectory {
    /// A target as the active version of its bundle declares it.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        guard let owner = try owner(ofTarget: name), let bundle = try active(owner) else { return nil }
        let declaration = try manifest(of: bundle).targets.first { $0.name == name }
        return declaration.map { TargetListing($0, owner: owner) }
    }

    /// The bundle that declares a target.
    public func owner(ofTarget name: String) throws(AtriumError) -> String? {
        try read { database in
            try database.value("SELECT owner FROM target WHERE name = ?", name, as: String.self)
        } ?? nil
    }

    /// All target names, sorted.
    public func targets() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT name FROM target ORDER BY name") { try $0[0, as: String.self] }
        } ?? []
    }
}
