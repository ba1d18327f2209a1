/// A page drawn from a ``PageLayout``: no code of the bundle runs for it.
@MainActor
public final class LayoutPage: Page {
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
        screen.content.map { element in
            switch element {
            case .heading(let text): .heading(fill(text))
            case .text(let text): .text(fill(text))
            case .field(let label, let value): .field(label: fill(label), value: fill(value))
            case .rows(let rows): .list(rows.map { PageRow(fill($0.title), detail: fill($0.detail ?? "")) })
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
        try await router.open(substitute(described.open, encode: PercentCoding.encode))
    }

    private func fill(_ text: String) -> String {
        substitute(text.hasPrefix("@") ? strings(String(text.dropFirst())) : text) { $0 }
    }

    /// Replaces each `{name}` that has a value; any other text stays as it is. What is put in is not looked at again.
    private func substitute(_ text: String, encode: (String) -> String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            if let value = parameters.values[name] {
                result += encode(String(describing: value))
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension LayoutPage: CustomReflectable {
    /// Nothing: its router asks as its own bundle, and any page on the stack can be looked at.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
