internal import PluginCore

extension ManifestContract {
    /// Returns the services that are declared but were not provided when the plugin was loaded, and the reverse.
    ///
    /// Only the test's own fake registry can be checked.
    func serviceProblems(of services: any ServiceRegistry) -> [String] {
        guard let services = services as? FakeServices else { return [] }
        let (provided, declared) = (Set(services.policies.keys), Set(manifest.services))
        return declared.subtracting(provided).sorted().map { "service \($0) is declared and not provided" }
            + provided.subtracting(declared).sorted().map { "service \($0) is provided and not declared" }
    }
}
