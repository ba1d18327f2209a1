import Console
import PluginCore

/// The outcome of one step of a session, with the visible page, the results and the notices.
struct StepOutcome {
    /// The top page, the titles of all pages, the result, the notices of plugins, and the error.
    let json: JSONText
    /// The error of a step that failed; `nil` if it succeeded.
    let failure: Failure?

    @MainActor
    init(_ stack: PageStack, result: JSONText, notices: [String], failure: Failure?) {
        self.failure = failure
        json = [
            "page": stack.top.map(PageJSON.render) ?? .null, "stack": .strings(stack.titles),
            "waiting": .bool(stack.presentedCount > 0), "result": result, "notices": .strings(notices),
            "error": failure.map { failure in
                ["code": .string(failure.report.code), "message": .string(failure.report.message)]
            } ?? .null,
        ]
    }
}
