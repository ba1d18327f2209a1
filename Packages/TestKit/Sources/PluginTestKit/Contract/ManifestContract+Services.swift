internal import PluginCore

extension ManifestContract {
    /// What is declared and was not provided when the plugin was loaded, and the reverse. Services that are not the test's
    /// own cannot be looked into.
    func serviceProblems(of services: any ServiceRegistry) -> [String] {
        guard let services = services as? FakeServices else { return [] }
        let (provided, declared) = (Set(services.policies.keys), Set(manifest.services))
        return declared.subtracting(provided).sorted().map { "service \($0) is declared and not provided" }
            + provided.subtracting(declared).sorted().map { "service \($0) is provided and not declared" }
    }
}
