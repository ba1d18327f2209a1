import PluginCore

/// A mediator whose actions return their names and sorted parameters.
struct StubMediator: Mediating {
    func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        let given = parameters.names.map { "\($0)=\(parameters.value($0, as: String.self) ?? "?")" }
        return ([target + "." + action] + given).joined(separator: " ")
    }

    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        "from afar: " + uri.text
    }

    func releaseTarget(named name: String) {}
}
