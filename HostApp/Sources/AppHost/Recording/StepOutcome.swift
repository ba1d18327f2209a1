import Console
import PluginCore

/// What came of one step of a session: what the user sees then, and what was said.
struct StepOutcome {
    /// The page on top, the titles of all pages, what was returned, what plugins told the user, and the failure.
    let json: JSONText
    /// Why the step failed; `nil` when it did not.
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
