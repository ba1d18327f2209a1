import Console
import PluginCore
import PluginRuntime

extension HostCall {
    /// What waits in the sandbox. A file that can not be read is told on standard error.
    var deferred: DeferredRequests {
        DeferredRequests(
            DeferredFile(manager.sandbox) { error in
                StandardOutput.note(error.report.text(for: Terminal(.error)))
            })
    }

    /// Why an address could not be opened that may open later; `nil` when it never will.
    func reasonToWait(_ error: any Error) -> AtriumError.Code? {
        (error as? AtriumError).flatMap { reasonToWait($0.code) }
    }

    /// The same, of an error's code.
    ///
    /// That nobody serves an address is no last word as long as the catalog can not be asked.
    func reasonToWait(_ code: AtriumError.Code) -> AtriumError.Code? {
        if [.catalogUnreachable, .sandboxBusy, .bundleUnavailable].contains(code) { return code }
        guard code == .routeUnknown || code == .targetUnknown else { return nil }
        do {
            _ = try manager.catalog.listing()
            return nil
        } catch {
            return error.code
        }
    }
}

extension Failure {
    /// Its report beside other members of a document.
    var jsonMembers: [(String, JSONText)] {
        guard case .object(let members) = report.json else { return [] }
        return members
    }
}

extension DeferredRecord {
    var json: JSONText {
        [
            "url": .string(url), "reason": .string(reason), "since": .string(timestamp(since)),
            "until": .string(timestamp(until)),
        ]
    }
}
