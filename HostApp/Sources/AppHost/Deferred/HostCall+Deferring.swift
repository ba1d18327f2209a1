import Console
import PluginCore
import PluginRouter
import PluginRuntime

extension HostCall {
    /// The waiting requests of the sandbox; a damaged file that was set aside is reported on standard error.
    var deferred: DeferredRequests {
        DeferredRequests(
            DeferredFile(manager.sandbox) { error in
                StandardOutput.note(error.report.text(for: Terminal(.error)))
            })
    }

    /// Returns whether an address that could not be opened may open later.
    ///
    /// An unknown route may still be served by a plugin of the catalog while the catalog is unreachable.
    func mayOpenLater(_ error: any Error) -> Bool {
        if Router.isDeferrable(error) { return true }
        guard let code = (error as? AtriumError)?.code, [.routeUnknown, .targetUnknown].contains(code) else {
            return false
        }
        return (try? manager.catalog.requireReachable()) == nil
    }

    /// Returns a waiting request as JSON.
    func json(_ request: DeferredRequest) -> JSONText {
        [
            "url": .string(request.address), "origin": .string(request.origin.description),
            "since": .string(timestamp(request.time)), "until": .string(timestamp(deferred.end(of: request))),
        ]
    }
}

extension Failure {
    /// The members of the report for use in a larger JSON object.
    var jsonMembers: [(String, JSONText)] {
        guard case .object(let members) = report.json else { return [] }
        return members
    }
}
