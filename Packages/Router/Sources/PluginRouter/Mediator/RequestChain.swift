import PluginCore

/// The requests that led to this one: a link of a chain that hangs on the task.
final class RequestChain: Sendable {
    /// How many requests may lead to one another.
    static let limit = 32

    @TaskLocal static var current: RequestChain?

    let name: String
    let depth: Int
    private let before: RequestChain?

    init(_ name: String, after before: RequestChain?) {
        self.name = name
        self.before = before
        depth = (before?.depth ?? 0) + 1
    }

    /// Runs an action as the last of the chain, where its caller runs.
    @inline(__always)
    func run(
        _ body: Action.Body, _ parameters: ActionParameters, isolation: isolated (any Actor)? = #isolation
    ) async throws -> any Sendable {
        try await Self.$current.withValue(self) {
            // because: what captures the isolation stays on it; anything else would hop to another thread and back.
            _ = isolation
            return try await body(parameters)
        }
    }

    /// The names of all requests, the first one first.
    var path: [String] {
        var names: [String] = []
        var link: RequestChain? = self
        while let current = link {
            names.append(current.name)
            link = current.before
        }
        return names.reversed()
    }
}
