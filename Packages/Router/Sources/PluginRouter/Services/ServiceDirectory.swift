/// Where the services of manifests are kept.
public protocol ServiceDirectory: Sendable {
    /// The identifier of the bundle whose manifest declares a service, or `nil`.
    func owner(ofService name: String) async throws -> String?

    /// The names of all services, for telling what an unknown one may have meant.
    func services() async throws -> [String]
}
