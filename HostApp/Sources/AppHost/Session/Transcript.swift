import Console
import PluginCore

/// What happens in a session, told as it happens to people and in one piece to scripts.
@MainActor
final class Transcript {
    private let isJSON: Bool
    private let isSilent: Bool
    private let style: @MainActor () async -> PageStyle
    private var notices: [String] = []
    private var untold: [String] = []
    private var steps: [JSONText] = []
    private var result: JSONText = .null

    /// A Boolean value that indicates whether anybody still reads standard output.
    private(set) var isHeard = true

    /// The results and notices of the step that is under way or was last.
    private(set) var lastStep: (result: JSONText, notices: [String]) = (.null, [])

    /// - Parameter isSilent: whether nothing is told, because somebody compares instead.
    init(_ call: HostCall, isSilent: Bool = false) {
        self.isSilent = isSilent
        isJSON = call.isJSON
        style = { await call.pageStyle() }
    }

    /// A plugin tells the user something.
    func notice(_ text: String) {
        notices.append(text)
        untold.append(text)
        lastStep.notices.append(text)
    }

    /// Does an action that the command line names, and tells what came of it.
    func tap(_ tap: Tap, in session: Session) async throws {
        if !isJSON { try write("\n" + (await style()).echo(tap.text) + "\n") }
        try await step(tap.text, in: session) { try await session.tap(tap) }
    }

    /// Does something, and tells what came of it once the app has come to rest.
    ///
    /// - Parameters:
    ///   - action: what is done, in the user's words; `nil` for opening an address.
    ///   - body: does it, and returns what a handler returned.
    func step(
        _ action: String?, in session: Session, _ body: () async throws -> (any Sendable)?
    ) async throws {
        do {
            let value = try await body()
            if let value {
                result = valueJSON(value)
                lastStep.result = result
            }
            let page = session.stack.top
            steps.append([
                "tap": .string(orNull: action), "page": page.map(PageJSON.render) ?? .null, "notices": .strings(untold),
            ])
            // An address that a handler served has not changed the page.
            try tell(value, action == nil && value != nil ? nil : page, in: await style())
        } catch {
            try tellNotices()
            throw error
        }
    }

    /// Forgets the last step: what comes now belongs to the next.
    func beginStep() {
        lastStep = (.null, [])
    }

    /// Writes to standard output, for people.
    func write(_ text: String) throws(OutputError) {
        guard !isSilent else { return }
        if try !StandardOutput.write(text) { isHeard = false }
    }

    /// All of it, for scripts; `nil` when everything was told already.
    ///
    /// - Parameter subject: what was asked for: the name of the member, and its text.
    func answer(_ subject: (name: String, text: String), _ stack: PageStack) -> Answer? {
        guard isJSON else { return nil }
        return Answer(
            text: "",
            json: [
                subject.name: .string(subject.text), "page": stack.top.map(PageJSON.render) ?? .null, "result": result,
                "stack": .strings(stack.titles), "waiting": .bool(stack.presentedCount > 0),
                "notices": .strings(notices), "steps": .array(steps),
            ]
        )
    }

    private func tell(_ value: (any Sendable)?, _ page: (any Page)?, in style: PageStyle) throws(OutputError) {
        let wasSilent = untold.isEmpty
        try tellNotices()
        guard !isJSON else { return }
        if let value, !(value is Void) { try write(WrappedText(result.text()).text(width: style.width)) }
        if value is Void, wasSilent { try write("Done.\n") }
        if let page { try write(PageText(style).render(page)) }
    }

    /// Tells what nobody has been told yet.
    func tellNotices() throws(OutputError) {
        let width = Terminal(.output).wrappingWidth
        let lines = untold.map { WrappedText($0).text(width: width) }
        untold = []
        if !isJSON, !lines.isEmpty { try write(lines.joined()) }
    }
}
