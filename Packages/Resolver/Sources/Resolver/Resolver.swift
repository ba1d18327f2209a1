public import PluginRuntime
import PluginCore

/// Computes the changes that are needed to install, update, roll back or remove bundles, without reading files or changing anything.
///
/// Installed bundles keep their versions unless a request or a range requires a change, and then they move to a newer version.
/// Only an explicit rollback moves to an older one; in a rollback, where only kept versions are available, dependent bundles
/// may move back too. Newer versions are tried first. Afterwards, every installed or updated bundle has its requirements active
/// in range, and its on-demand requirements active or offered in range. Unchanged bundles keep satisfied requirements.
/// Requirements that were unsatisfied before are ignored, unless the bundle itself is to be installed.
///
/// ```swift
/// let change = try Resolver(question: VersionQuestion(requests, sandbox: sandbox, offers: offers)).plan()
/// for step in change.steps { ... }
/// ```
struct Resolver {
    /// The maximum number of steps of a plan, where a step compares a version with a range.
    ///
    /// A hostile catalog could make the search run practically forever.
    static let stepLimit = 1_000_000

    let question: VersionQuestion
    var stepLimit = Self.stepLimit

    /// Computes the changes that fulfill all requests.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `versionUnknown`, `bundleNotInstalled`, `downgrade`, the reason of
    ///   a blocked version, `requirementUnmet` for a requirement that no offered version meets, `dependencyConflict` with the
    ///   contradicting chains of requirements, `bundleNeeded`, `catalogUnreachable` when the offers are needed and can't be
    ///   read, and the errors in the manifest of a requested version.
    func plan() throws(AtriumError) -> ResolvedChange {
        let universe = ResolverUniverse(question, stepLimit, requests: try consistent(question.requests))
        try universe.resolveRemovals()
        var search = ResolverSearch(universe)
        return try universe.change(to: search.solve())
    }

    /// Returns at most one request for each bundle, in their order; an update yields to a more specific request.
    private func consistent(_ requests: [ChangeRequest]) throws(AtriumError) -> [ChangeRequest] {
        var order: [BundleIdentifier] = []
        var wanted: [BundleIdentifier: ChangeRequest] = [:]
        for request in requests {
            guard let other = wanted[request.identifier] else {
                order.append(request.identifier)
                wanted[request.identifier] = request
                continue
            }
            if other.kind == .update { wanted[request.identifier] = request }
            if request == other || request.kind == .update || other.kind == .update { continue }
            throw AtriumError(.dependencyConflict, request.subject, reason: "requestedTwice")
        }
        return order.compactMap { wanted[$0] }
    }
}

extension VersionChooser {
    /// The search among all offered versions, with the contradicting requirements as the reason when there is no solution.
    public static let resolver = VersionChooser { question throws(AtriumError) in
        try Resolver(question: question).plan()
    }
}
