/// A page that is described by a page layout. No code of the bundle runs for it.
@MainActor
public final class LayoutPage: Page {
    /// The maximum size of the parameters that are inserted into a page's content, or into any other text, in bytes of UTF-8.
    ///
    /// The limit is needed because a layout can name a parameter a hundred thousand times.
    private static let mostInserted = 1 << 20

    private let screen: PageLayout.Screen
    private let strings: @Sendable (String) -> String
    private let parameters: ActionParameters
    private let router: any Routing
    private let onMissingParameter: @Sendable (String) -> Void

    /// Creates a page from its description.
    ///
    /// - Parameters:
    ///   - screen: The description.
    ///   - parameters: The values for `{name}`.
    ///   - router: Opens the addresses of the page's actions.
    ///   - strings: Returns the text for a key of the string table.
    ///   - onMissingParameter: Receives each `{name}` that is displayed and has no value.
    public init(
        _ screen: PageLayout.Screen, parameters: ActionParameters, router: any Routing,
        strings: @escaping @Sendable (String) -> String,
        onMissingParameter: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.onMissingParameter = onMissingParameter
        self.screen = screen
        self.parameters = parameters
        self.router = router
        self.strings = strings
    }

    /// The title with its parameters inserted.
    public var title: String { fill(screen.title) }

    /// The content with its parameters inserted.
    public var content: [PageElement] {
        var room = Self.mostInserted
        return screen.content.map { element in
            switch element {
            case .heading(let text): .heading(fill(text, &room))
            case .text(let text): .text(fill(text, &room))
            case .field(let label, let value): .field(label: fill(label, &room), value: fill(value, &room))
            case .rows(let rows):
                .list(rows.map { PageRow(fill($0.title, &room), detail: fill($0.detail ?? "", &room)) })
            case .divider: .divider
            }
        }
    }

    /// The actions with their titles.
    public var actions: [PageAction] {
        (screen.actions ?? []).map { PageAction($0.id, title: fill($0.title)) }
    }

    /// Opens the address of an action.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, or `parameterMissing` for a `{name}` without a value, and the errors of
    ///   opening the address.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let described = screen.actions?.first(where: { $0.id == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        var room = Self.mostInserted
        let (address, isWhole) = try substitute(
            described.open, &room, encode: PercentCoding.encode
        ) { name throws(AtriumError) in
            throw AtriumError(
                .parameterMissing, name, reason: "actionOpens",
                ["action": .text(action), "address": .text(described.open)])
        }
        guard isWhole else {
            throw AtriumError(
                .resourceInvalid, described.open, reason: "parametersTooLong", ["limit": .integer(Self.mostInserted)])
        }
        try await router.open(address)
    }

    private func fill(_ text: String) -> String {
        var room = Self.mostInserted
        return fill(text, &room)
    }

    private func fill(_ text: String, _ room: inout Int) -> String {
        let text = text.hasPrefix("@") ? strings(String(text.dropFirst())) : text
        return substitute(text, &room, encode: { $0 }, onMissing: onMissingParameter).text
    }

    /// Replaces each parameter name in braces by its value, or by nothing; other braces remain. Inserted values are not expanded again.
    ///
    /// - Parameters:
    ///   - room: The number of bytes that may still be inserted. An ellipsis replaces values that exceed it.
    ///   - onMissing: Receives each name without a value.
    /// - Returns: The text, and whether all values fit.
    private func substitute<E: Error>(
        _ text: String, _ room: inout Int, encode: (String) -> String, onMissing: (String) throws(E) -> Void
    ) throws(E) -> (text: String, isWhole: Bool) {
        var result = ""
        var isWhole = true
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            if let value = parameters.values[name] {
                let inserted = encode(String(describing: value))
                if inserted.utf8.count <= room {
                    room -= inserted.utf8.count
                    result += inserted
                } else {
                    isWhole = false
                    result += "…"
                }
            } else if Self.isName(name) {
                try onMissing(name)
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return (result + rest, isWhole)
    }

    /// Returns whether a text can be the name of a parameter.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    }
}

extension LayoutPage: CustomReflectable {
    /// An empty mirror: code that inspects a page on the stack must not get this page's router, which acts for its own bundle.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
