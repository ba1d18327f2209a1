internal import PluginCore
internal import StocksData

/// The page with the watch list, which the user can change there. It changes by itself when another process changes the list.
final class ListPage: Page {
    private let bundle: StocksBundle
    private var watching: Task<Void, Never>?

    init(_ bundle: StocksBundle) {
        self.bundle = bundle
        do {
            let changes = try bundle.watchList.changes()
            watching = Task { [weak self] in
                for await _ in changes { self?.invalidate() }
            }
        } catch {
            bundle.context.logger.error("changes of the watch list are not noticed: \(error)")
        }
    }

    deinit { watching?.cancel() }

    func didClose() { watching?.cancel() }

    private var strings: BundleResources { bundle.context.resources }

    var title: String { strings.string("list.title") }

    var content: [PageElement] {
        guard let symbols else { return [.text(strings.string("list.unreadable"))] }
        guard !symbols.isEmpty else { return [.text(strings.string("list.empty"))] }
        return [.list(symbols.map { Price.row(of: $0, in: strings) })]
    }

    var actions: [PageAction] {
        [
            PageAction(
                "add", title: strings.string("list.add"),
                fields: [
                    PageField("symbol", label: strings.string("list.symbol")),
                    .toggle("first", label: strings.string("list.first")),
                ])
        ] + (symbols ?? []).map { PageAction("remove-\($0)", title: strings.string("list.remove", $0)) }
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if action == "add" {
            try bundle.watchList.add(input["symbol"] ?? "", atStart: input["first"] == "true")
        } else if let symbol = symbols?.first(where: { "remove-\($0)" == action }) {
            try bundle.watchList.remove(symbol)
        } else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        let isEmpty = try bundle.watchList.symbols().isEmpty
        try await bundle.context.widgets.setHasContent(!isEmpty, for: StocksBundle.widget)
    }

    /// The symbols; `nil` if they cannot be read, which the page shows and the log explains.
    private var symbols: [String]? {
        do {
            return try bundle.watchList.symbols()
        } catch {
            bundle.context.logger.error("the watch list cannot be read: \(error)")
            return nil
        }
    }
}
