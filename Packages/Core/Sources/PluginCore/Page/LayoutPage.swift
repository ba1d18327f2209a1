/// A page that is described by a page layout.
///
/// No code of the bundle runs for a route that names a layout. Code can use layouts, too: ``BundleContext/layoutPage(_:parameters:slots:onAction:)``
/// returns a page whose slots it fills, and whose elements and actions it can make part of a page of its own.
@MainActor
public final class LayoutPage: Page {
    /// The identifier of the action of all rows that open an address.
    public static let openAction = "layout.open"
    /// The name of the address in the input of that action.
    private static let address = "address"
    /// The maximum size of the parameters that are inserted into a page's content, or into any other text, in bytes of UTF-8.
    ///
    /// The limit is needed because a layout can name a parameter a hundred thousand times.
    private static let mostInserted = 1 << 20

    /// The elements for a slot, made each time that the page is drawn.
    public typealias Slot = @MainActor () -> [PageElement]
    /// Performs an action of the elements in slots.
    public typealias ActionHandler =
        @MainActor (_ action: String, _ input: [String: String], _ navigator: any Navigator) async throws -> Void

    private let screen: PageLayout.Screen
    private let strings: @Sendable (String) -> String
    private let images: @Sendable (_ name: String, _ text: String) -> PageImage
    private let parameters: ActionParameters
    private let router: any Routing
    private let onMissingParameter: @Sendable (String) -> Void
    private let slots: [String: Slot]
    private let onAction: ActionHandler?

    /// Creates a page from its description. Its images are shown as their texts, and its slots are empty.
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
        images = { PageImage(png: [], text: $1) }
        slots = [:]
        onAction = nil
    }

    /// Creates a page of a bundle's layout file.
    ///
    /// - Parameters:
    ///   - name: The page as `layout/pageId`.
    ///   - resources: The bundle's resources.
    ///   - parameters: The values for `{name}`.
    ///   - router: Opens the addresses of the page's actions and rows.
    ///   - slots: The elements of the slots, by name. Other slots are empty.
    ///   - onAction: Performs the actions of rows in the slots.
    /// - Throws: The errors of ``BundleResources/screen(_:)``.
    public init(
        _ name: String, of resources: BundleResources, parameters: ActionParameters, router: any Routing,
        slots: [String: Slot] = [:], onAction: ActionHandler? = nil
    ) throws(AtriumError) {
        screen = try resources.screen(name)
        self.parameters = parameters
        self.router = router
        self.slots = slots
        self.onAction = onAction
        strings = { resources.string($0) }
        images = { resources.image($0, text: $1) }
        onMissingParameter = { resources.report(missingParameter: $0, of: name) }
    }

    /// The title with its parameters inserted.
    public var title: String { fill(screen.title) }

    /// The content with its parameters inserted.
    public var content: [PageElement] {
        var room = Self.mostInserted
        return elements(screen.content, &room)
    }

    /// The actions with their titles.
    public var actions: [PageAction] {
        (screen.actions ?? []).map { PageAction($0.id, title: fill($0.title), fields: ($0.fields ?? []).map(field)) }
    }

    /// Returns whether an action is one of the layout: of its actions, or of its rows that open addresses.
    ///
    /// A page of code that shows the elements of a layout passes such actions on to it.
    public func performs(_ action: String) -> Bool {
        action == Self.openAction || screen.actions?.contains { $0.id == action } == true
    }

    /// Opens the address of an action or of a row, or calls the handler for actions of slots.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, or `parameterMissing` for a `{name}` without a value, and the errors of
    ///   opening the address.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if let described = screen.actions?.first(where: { $0.id == action }) {
            var values = parameters.values
            for field in described.fields ?? [] { values[field.name] = input[field.name] ?? "" }
            return _ = try await router.open(try address(described.open, of: action, values))
        }
        // The input is data of the host, which must not open other addresses than the page shows.
        if action == Self.openAction, let asked = input[Self.address] {
            for open in rows(screen.content).compactMap(\.open) {
                // A row whose address lacks a value cannot be chosen.
                if (try? address(open, of: open, parameters.values)) == asked {
                    return _ = try await router.open(asked)
                }
            }
        }
        guard let onAction, !performs(action) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try await onAction(action, input, navigator)
    }

    private func elements(_ described: [PageLayout.Element], _ room: inout Int) -> [PageElement] {
        described.flatMap { element -> [PageElement] in
            switch element {
            case .heading(let text): [.heading(fill(text, &room))]
            case .text(let text): [.text(fill(text, &room))]
            case .field(let label, let value): [.field(label: fill(label, &room), value: fill(value, &room))]
            case .rows(let rows): [.list(rows.map { row($0, &room) })]
            case .divider: [.divider]
            case .image(let image): [.image(self.image(image, &room))]
            case .progress(let label, let fraction):
                [.progress(label: fill(label, &room), fraction: fraction.flatMap { Double(fill($0, &room)) })]
            case .section(let title, let content): [.section(title: fill(title, &room), elements(content, &room))]
            case .slot(let name): slots[name]?() ?? []
            }
        }
    }

    private func row(_ row: PageLayout.Row, _ room: inout Int) -> PageRow {
        let (title, detail) = (fill(row.title, &room), fill(row.detail ?? "", &room))
        let image = row.image.map { self.image($0, &room) }
        // A row whose address lacks a value cannot be chosen.
        guard let open = row.open, let address = try? address(open, of: open, parameters.values, &room) else {
            return PageRow(title, detail: detail, image: image)
        }
        return PageRow(
            title, detail: detail, image: image, action: Self.openAction, input: [Self.address: address])
    }

    private func image(_ image: PageLayout.LayoutImage, _ room: inout Int) -> PageImage {
        images(image.name, fill(image.text, &room))
    }

    private func field(_ field: PageLayout.LayoutField) -> PageField {
        let initial = field.initial.map(fill)
        if let choices = field.choices {
            let options = choices.map { PageOption($0.value, title: $0.title.map(fill)) }
            return .choice(field.name, label: fill(field.label), of: options, initial: initial)
        }
        let kind: PageField.Kind = field.toggle == true ? .toggle : .text
        return PageField(
            field.name, label: fill(field.label), kind: kind, initial: initial ?? (kind == .toggle ? "false" : ""))
    }

    private func rows(_ elements: [PageLayout.Element]) -> [PageLayout.Row] {
        elements.flatMap { element -> [PageLayout.Row] in
            switch element {
            case .rows(let rows): rows
            case .section(_, let content): rows(content)
            default: []
            }
        }
    }

    private func address(_ open: String, of action: String, _ values: [String: any Sendable]) throws -> String {
        var room = Self.mostInserted
        return try address(open, of: action, values, &room)
    }

    private func address(
        _ open: String, of action: String, _ values: [String: any Sendable], _ room: inout Int
    ) throws(AtriumError) -> String {
        let (address, isWhole) = try substitute(
            open, values, &room, encode: PercentCoding.encode
        ) { name throws(AtriumError) in
            throw AtriumError(
                .parameterMissing, name, reason: "actionOpens", ["action": .text(action), "address": .text(open)])
        }
        guard isWhole else {
            throw AtriumError(
                .resourceInvalid, open, reason: "parametersTooLong", ["limit": .integer(Self.mostInserted)])
        }
        return address
    }

    private func fill(_ text: String) -> String {
        var room = Self.mostInserted
        return fill(text, &room)
    }

    private func fill(_ text: String, _ room: inout Int) -> String {
        let text = text.hasPrefix("@") ? strings(String(text.dropFirst())) : text
        return substitute(text, parameters.values, &room, encode: { $0 }, onMissing: onMissingParameter).text
    }

    /// Replaces each parameter name in braces by its value, or by nothing; other braces remain. Inserted values are not expanded again.
    ///
    /// - Parameters:
    ///   - values: The values by name.
    ///   - room: The number of bytes that may still be inserted. An ellipsis replaces values that exceed it.
    ///   - onMissing: Receives each name without a value.
    /// - Returns: The text, and whether all values fit.
    private func substitute<E: Error>(
        _ text: String, _ values: [String: any Sendable], _ room: inout Int, encode: (String) -> String,
        onMissing: (String) throws(E) -> Void
    ) throws(E) -> (text: String, isWhole: Bool) {
        var result = ""
        var isWhole = true
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            if let value = values[name] {
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
