import Console
import PluginCore

/// What happens in a session, told as it happens to people and in one piece to scripts.
@MainActor
final class Transcript {
    private let isJSON: Bool
    private let terminal: Terminal
    private var notices: [String] = []
    private var pending: [String] = []
    private var steps: [JSONText] = []
    private var result: JSONText = .null

    init(_ call: HostCall) {
        isJSON = call.isJSON
        terminal = call.terminal
    }

    /// A plugin tells the user something.
    func notice(_ text: String) {
        notices.append(text)
        pending.append(text)
    }

    /// Does an action and tells what came of it.
    func tap(_ tap: Tap, in session: Session) async throws {
        if !isJSON { try StandardOutput.write("\n" + terminal.styled("> \(printable(tap.text))", .cyan) + "\n") }
        try await session.tap(tap)
        try step(tap.text, session.stack, nil)
    }

    /// The app has come to rest after a step.
    ///
    /// - Parameters:
    ///   - action: what was done; `nil` for the opening.
    ///   - value: what a handler returned.
    func step(_ action: String?, _ stack: PageStack, _ value: (any Sendable)?) throws {
        let said = pending
        pending = []
        if let value { result = valueJSON(value) }
        let page = stack.top.map(PageJSON.render) ?? .null
        steps.append(["tap": .string(orNull: action), "page": page, "notices": .strings(said)])
        guard !isJSON else { return }
        var text = said.map { printable($0) + "\n" }.joined()
        if let value, !(value is Void) { text += printable(result.text()) + "\n" }
        if value == nil, let page = stack.top { text += PageText(terminal: terminal).render(page) }
        if value is Void, said.isEmpty { text += "Done.\n" }
        try StandardOutput.write(text)
    }

    /// All of it.
    func answer(_ uri: ResourceURI, _ stack: PageStack) -> Answer? {
        guard isJSON else { return nil }
        return Answer(
            text: "",
            json: [
                "url": .string(uri.text), "page": stack.top.map(PageJSON.render) ?? .null, "result": result,
                "stack": .strings(stack.pages.map(\.title)), "waiting": .bool(stack.presentedCount > 0),
                "notices": .strings(notices), "steps": .array(steps),
            ]
        )
    }
}
