import Console
import PluginCore
import PluginRouter
import PluginRuntime

extension HostCall {
    /// What waits in the sandbox. A file that was set aside is told on standard error.
    var deferred: DeferredRequests {
        DeferredRequests(
            DeferredFile(manager.sandbox) { error in
                StandardOutput.note(error.report.text(for: Terminal(.error)))
            })
    }

    /// Returns whether an address that could not be opened may open later.
    ///
    /// That nobody serves it is no last word as long as the catalog cannot be asked.
    func mayOpenLater(_ error: any Error) -> Bool {
        if Router.isDeferrable(error) { return true }
        guard let code = (error as? AtriumError)?.code, [.routeUnknown, .targetUnknown].contains(code) else {
            return false
        }
        return (try? manager.catalog.requireReachable()) == nil
    }

    /// A request that waits, for scripts.
    func json(_ request: DeferredRequest) -> JSONText {
        [
            "url": .string(request.address), "origin": .string(request.origin.description),
            "since": .string(timestamp(request.time)), "until": .string(timestamp(deferred.end(of: request))),
        ]
    }
}

extension Failure {
    /// Its report beside other members of a document.
    var jsonMembers: [(String, JSONText)] {
        guard case .object(let members) = report.json else { return [] }
        return members
    }
}
