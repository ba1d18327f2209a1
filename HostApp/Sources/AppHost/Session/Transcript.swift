import PluginRuntime
import Console
import PluginCore

/// The output of a session, printed step by step for people and as one JSON document for scripts.
@MainActor
final class Transcript {
    private let call: HostCall
    private var notices: [String] = []
    private var untold: [String] = []
    private var steps: [JSONText] = []
    private var result: JSONText = .null
    /// The answer of a request to an extension whose page has waited for the user.
    private var ended: Answer?

    /// A Boolean value that indicates whether standard output is still open.
    private(set) var isHeard = true

    /// Creates a transcript of a call's session.
    init(_ call: HostCall) { self.call = call }

    /// Records a notice of a plugin.
    func notice(_ text: String) {
        notices.append(text)
        untold.append(text)
    }

    /// Performs an action that the command line names and prints the outcome.
    func tap(_ tap: Tap, in session: Session) async throws {
        if !call.isJSON { try write("\n" + (await call.pageStyle()).echo(tap.text) + "\n") }
        try await step(tap.text, in: session) { try await session.tap(tap) }
    }

    /// Performs a step and prints the outcome once the app is idle.
    ///
    /// - Parameters:
    ///   - action: the action as the user typed it; `nil` for opening an address.
    ///   - body: performs the step and returns the result of a handler.
    func step(
        _ action: String?, in session: Session, _ body: () async throws -> (any Sendable)?
    ) async throws {
        do {
            let value = try await body()
            ended = value as? Answer ?? ended
            if let value, !(value is Answer) { result = valueJSON(value) }
            let page = session.top
            steps.append([
                "tap": action, "page": page.map(PageJSON.render), "notices": untold,
            ])
            // An address that a handler served has not changed the page.
            try tell(value, action == nil && value != nil ? nil : page, in: await call.pageStyle())
        } catch {
            try tellNotices()
            // The page of a plugin whose process has ended says so, and offers to start it again.
            if let error = error as? AtriumError, [.pluginCrashed, .pluginEnded].contains(error.code) {
                try tell(nil, session.top, in: await call.pageStyle())
            }
            throw error
        }
    }

    /// Writes text to standard output.
    func write(_ text: String) throws(OutputError) {
        if try !StandardOutput.write(text) { isHeard = false }
    }

    /// Returns the JSON document; `nil` in text mode, in which everything was printed already.
    ///
    /// - Parameter subject: the name of the first member and its text.
    func answer(_ subject: (name: String, text: String), _ stack: PageStack) -> Answer? {
        guard call.isJSON else { return nil }
        return Answer(
            text: "",
            json: [
                subject.name: subject.text, "page": stack.top.map(PageJSON.render), "result": result,
                "stack": stack.titles, "waiting": stack.presentedCount > 0, "notices": notices, "steps": steps,
                "permissions": call.permissionsJSON,
            ])
    }

    /// Returns the answer of a request to an extension after its last step, without the text that was printed already.
    ///
    /// - Parameter page: the visible page, which is the extension's if the request has not ended.
    func answer(of page: (any Page)?) -> Answer {
        let json: JSONText = ["page": page.map(PageJSON.render), "notices": notices]
        guard let ended else {
            return Answer(text: hostText("requestWaits"), json: json + ["canceled": true], status: .tryLater)
        }
        return Answer(text: "", json: ended.json + json, status: ended.status)
    }

    /// Returns an answer with the notices and a page below it; the same answer if there are none.
    func adding(_ page: (any Page)?, to answer: Answer) async -> Answer {
        guard page != nil || !notices.isEmpty else { return answer }
        var (text, json) = (answer.text, answer.json)
        let width = Terminal(.output).wrappingWidth
        for notice in notices { text += WrappedText(notice).text(width: width) }
        if let page { text += "\n" + PageText(await call.pageStyle(), imageColors: call.imageColors).render(page) }
        if case .object = json { json = json + ["page": page.map(PageJSON.render), "notices": notices] }
        untold = []
        return Answer(text: text, json: json, status: answer.status)
    }

    private func tell(_ value: (any Sendable)?, _ page: (any Page)?, in style: PageStyle) throws(OutputError) {
        let wasSilent = untold.isEmpty
        try tellNotices()
        guard !call.isJSON else { return }
        if let answer = value as? Answer {
            try write(answer.text)
        } else if let value, !(value is Void) {
            try write(WrappedText(result.text()).text(width: style.width))
        }
        if value is Void, wasSilent { try write(localized("Done.\n")) }
        if let page { try write(PageText(style, imageColors: call.imageColors).render(page)) }
    }

    /// Prints the notices that were not printed yet.
    func tellNotices() throws(OutputError) {
        let width = Terminal(.output).wrappingWidth
        let lines = untold.map { WrappedText($0).text(width: width) }
        untold = []
        if !call.isJSON, !lines.isEmpty { try write(lines.joined()) }
    }
}
