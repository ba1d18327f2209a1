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

    /// Joins a described page with what fills it.
    ///
    /// - Parameters:
    ///   - screen: the description.
    ///   - parameters: what `{name}` stands for.
    ///   - router: opens the addresses of its actions.
    ///   - strings: the text of a string-table key.
    public init(
        _ screen: PageLayout.Screen, parameters: ActionParameters, router: any Routing,
        strings: @escaping @Sendable (String) -> String
    ) {
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
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let described = screen.actions?.first(where: { $0.id == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        var room = Self.mostInserted
        let (address, isWhole) = substitute(described.open, &room, encode: PercentCoding.encode)
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
        substitute(text.hasPrefix("@") ? strings(String(text.dropFirst())) : text, &room) { $0 }.text
    }

    /// Replaces each `{name}` that has a value; any other text stays as it is. What is put in is not looked at again.
    ///
    /// - Parameter room: how many bytes may still be put in; for what does not fit there is an ellipsis.
    /// - Returns: the text, and whether everything did fit.
    private func substitute(
        _ text: String, _ room: inout Int, encode: (String) -> String
    ) -> (text: String, isWhole: Bool) {
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
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return (result + rest, isWhole)
    }
}

extension LayoutPage: CustomReflectable {
    /// Nothing: its router asks as its own bundle, and any page on the stack can be looked at.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
