public import PluginCore
public import PluginRouter

/// So do those who bring services together.
extension Registry: ServiceDirectory {
    /// The bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? {
        for bundle in try installed() where try manifest(of: bundle.active).services.contains(name) {
            return bundle.active.identity.identifier
        }
        return nil
    }

    /// All service names, sorted.
    public func services() throws(AtriumError) -> [String] {
        var names: Set<String> = []
        for bundle in try installed() { names.formUnion(try manifest(of: bundle.active).services) }
        return names.sorted()
    }
}
