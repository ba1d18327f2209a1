/// The services that manifests declare.
public protocol ServiceDirectory: Sendable {
    /// Returns the identifier of the bundle that declares a service, or nil if there is none.
    func owner(ofService name: String) async throws -> String?

    /// Returns the names of all services, for suggestions.
    func services() async throws -> [String]
}
