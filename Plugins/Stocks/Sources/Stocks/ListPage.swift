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

    private struct Form: Codable {
        var symbol = ""
        var first = false
    }

    var actions: [PageAction] {
        PageAction(
            "add", title: strings.string("list.add"), input: Form(),
            fields: [
                PageField("symbol", label: strings.string("list.symbol")),
                PageField("first", label: strings.string("list.first")),
            ]
        ) { form, _ in
            try bundle.watchList.add(form.symbol, atStart: form.first)
            try await tellWidget()
        }
        for symbol in symbols ?? [] {
            PageAction("remove-\(symbol)", title: strings.string("list.remove", symbol)) { _ in
                try bundle.watchList.remove(symbol)
                try await tellWidget()
            }
        }
    }

    private func tellWidget() async throws {
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
