/// A page drawn from a ``PageLayout``: no code of the bundle runs for it.
@MainActor
public final class LayoutPage: Page {
    /// The most that parameters add to a page's content, or to another text of it, in bytes of UTF-8: a layout may name one a
    /// hundred thousand times.
    private static let mostInserted = 1 << 20

    private let screen: PageLayout.Screen
    private let strings: @Sendable (String) -> String
    private let parameters: ActionParameters
    private let router: any Routing
    private let onMissingParameter: @Sendable (String) -> Void

    /// Joins a described page with what fills it.
    ///
    /// - Parameters:
    ///   - screen: the description.
    ///   - parameters: what `{name}` stands for.
    ///   - router: opens the addresses of its actions.
    ///   - strings: the text of a string-table key.
    ///   - onMissingParameter: hears of each `{name}` that is shown and has no value.
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

    /// The described title.
    public var title: String { fill(screen.title) }

    /// The described content.
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

    /// The described actions.
    public var actions: [PageAction] {
        (screen.actions ?? []).map { PageAction($0.id, title: fill($0.title)) }
    }

    /// Opens the address of the action.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, `parameterMissing` for a `{name}` without a value, and what opening
    ///   throws.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let described = screen.actions?.first(where: { $0.id == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        var room = Self.mostInserted
        let (address, isWhole) = try substitute(
            described.open, &room, encode: PercentCoding.encode
        ) { name throws(AtriumError) in
            throw AtriumError(.parameterMissing, name, detail: "the action \"\(action)\" opens \(described.open)")
        }
        guard isWhole else {
            throw AtriumError(
                .resourceInvalid, described.open, detail: "its parameters are longer than \(Self.mostInserted) bytes")
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

    /// Replaces each `{name}` by its value, or by nothing; braces around anything else stay. What is put in is not looked at again.
    ///
    /// - Parameters:
    ///   - room: how many bytes may still be put in; for what does not fit there is an ellipsis.
    ///   - onMissing: hears of each name without a value.
    /// - Returns: the text, and whether everything did fit.
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
    /// Nothing: its router asks as its own bundle, and any page on the stack can be looked at.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
