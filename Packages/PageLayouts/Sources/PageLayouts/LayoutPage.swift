public import PluginCore

/// A page that is described by a page layout.
///
/// No code of the bundle runs for a route that names a layout. Code can use layouts, too: `context.layoutPage` returns a page whose slots it
/// fills, and whose elements and actions it can make part of a page of its own.
@MainActor
public final class LayoutPage: Page, CustomReflectable {
    /// The maximum size of the parameters that are inserted into a page's content, or into any other text, in bytes of UTF-8.
    ///
    /// The limit is needed because a layout can name a parameter a hundred thousand times.
    private static let mostInserted = 1 << 20

    /// The elements for a slot, made each time that the page is drawn.
    public typealias Slot = @MainActor () -> [PageElement]

    private let name: String
    private let screen: PageLayout.Screen
    private let resources: BundleResources
    private let parameters: ActionParameters
    private let router: any Routing
    private let slots: [String: Slot]
    /// The number of bytes that may still be inserted into what is being made.
    private var room = 0

    /// Creates a page of a bundle's layout file.
    ///
    /// - Parameters:
    ///   - name: The page as `layout/pageId`.
    ///   - resources: The bundle's resources.
    ///   - parameters: The values for `{name}`.
    ///   - router: Opens the addresses of the page's actions and rows.
    ///   - slots: The elements of the slots, by name. Other slots are empty.
    /// - Throws: The errors of `BundleResources.screen(_:)`.
    public init(
        _ name: String, of resources: BundleResources, parameters: ActionParameters, router: any Routing,
        slots: [String: Slot] = [:]
    ) throws(AtriumError) {
        self.name = name
        self.resources = resources
        screen = try resources.screen(name)
        self.parameters = parameters
        self.router = router
        self.slots = slots
    }

    /// The title with its parameters inserted.
    public var title: String { limited { fill(screen.title) } }

    /// The content with its parameters inserted.
    public var content: [PageElement] { limited { elements(screen.content) } }

    /// The actions with their titles. Each opens an address.
    public var actions: [PageAction] {
        for action in screen.actions ?? [] {
            PageAction(described(action)) { texts, _ in try await self.open(action, texts) }
        }
    }

    private func described(_ action: PageLayout.LayoutAction) -> PageAction.Description {
        limited { .init(action.id, title: fill(action.title), fields: (action.fields ?? []).map(field)) }
    }

    private func open(_ action: PageLayout.LayoutAction, _ texts: [String: String]) async throws {
        var values = parameters.values
        for field in action.fields ?? [] { values[field.name] = texts[field.name] }
        _ = try await router.open(try limited { try address(action.open, of: action.id, values) })
    }

    /// Limits the size of the parameters that are inserted while the body runs.
    private func limited<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        // A slot may ask for the title while the content is made, whose room it must not give back.
        let outer = room
        defer { room = outer }
        room = Self.mostInserted
        return try body()
    }

    /// Performs an action of the layout, or opens the address of a row.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, or `parameterMissing` for a `{name}` without a value, and the errors of
    ///   opening the address.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if let shown = screen.actions?.first(where: { $0.id == action }) {
            return try await open(shown, described(shown).input(from: input))
        }
        // The action is data of the host, which must not open other addresses than the page shows.
        guard content.flatMap(\.rows).contains(where: { $0.opensAddress && $0.action == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        _ = try await router.open(action)
    }

    private func elements(_ described: [PageLayout.Element]) -> [PageElement] {
        described.flatMap { element -> [PageElement] in
            switch element {
            case .heading(let text): [.heading(fill(text))]
            case .text(let text): [.text(fill(text))]
            case .field(let label, let value): [.field(label: fill(label), value: fill(value))]
            case .rows(let rows): [.list(rows.map(row))]
            case .divider: [.divider]
            case .image(let image): [.image(self.image(image))]
            case .progress(let label, let fraction):
                [.progress(label: fill(label), fraction: fraction.flatMap { Double(fill($0)) })]
            case .section(let title, let content): [.section(title: fill(title), elements(content))]
            case .slot(let name): slots[name]?() ?? []
            }
        }
    }

    private func row(_ row: PageLayout.Row) -> PageRow {
        // A row whose address lacks a value cannot be chosen.
        let address = row.open.flatMap { try? self.address($0, of: $0, parameters.values) }
        return PageRow(
            fill(row.title), detail: fill(row.detail ?? ""), image: row.image.map(self.image),
            opens: address.flatMap { try? ResourceURI($0) })
    }

    private func image(_ image: PageLayout.LayoutImage) -> PageImage {
        resources.image(image.name, text: fill(image.text))
    }

    private func field(_ field: PageLayout.LayoutField) -> PageField {
        let options = field.choices?.map { PageOption($0.value, title: $0.title.map(fill)) }
        let kind: PageField.Kind = options.map { .choice($0) } ?? (field.toggle == true ? .toggle : .text)
        let initial = field.initial.map(fill) ?? options?.first?.value ?? (kind == .toggle ? "false" : "")
        return PageField(field.name, label: fill(field.label), kind: kind, initial: initial)
    }

    private func address(
        _ open: String, of action: String, _ values: [String: any Sendable]
    ) throws(AtriumError) -> String {
        let filled = substitute(open, values, encode: PercentCoding.encode)
        if let name = filled.missing.first {
            throw AtriumError(
                .parameterMissing, name, reason: "actionOpens", ["action": .text(action), "address": .text(open)])
        }
        guard filled.isWhole else {
            throw AtriumError(
                .resourceInvalid, open, reason: "parametersTooLong", ["limit": .integer(Self.mostInserted)])
        }
        return filled.text
    }

    private func fill(_ text: String) -> String {
        let text = text.hasPrefix("@") ? resources.string(String(text.dropFirst())) : text
        let filled = substitute(text, parameters.values) { $0 }
        for parameter in filled.missing {
            let message = "\"{\(parameter)}\" in the layout \(name) has no value; nothing is shown for it"
            resources.report(missing: "{\(parameter)} \(name)", message)
        }
        return filled.text
    }

    /// Replaces each parameter name in braces by its value, or by nothing; other braces remain.
    ///
    /// Inserted values are not expanded again. An ellipsis replaces values that exceed the room.
    ///
    /// - Parameter values: The values by name.
    /// - Returns: The text, whether all values fit, and the names without a value.
    private func substitute(
        _ text: String, _ values: [String: any Sendable], encode: (String) -> String
    ) -> (text: String, isWhole: Bool, missing: [String]) {
        var (result, isWhole, missing) = ("", true, [String]())
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            if let value = values[name] {
                let inserted = encode(String(describing: value))
                let fits = inserted.utf8.count <= room
                if fits { room -= inserted.utf8.count } else { isWhole = false }
                result += fits ? inserted : "…"
            } else if Self.isName(name) {
                missing.append(name)
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return (result + rest, isWhole, missing)
    }

    /// Returns whether a text can be the name of a parameter.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    }

    /// An empty mirror: code that inspects a page on the stack must not get this page's router, which acts for its own bundle.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
