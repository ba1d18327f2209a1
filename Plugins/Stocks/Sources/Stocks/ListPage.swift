internal import PluginCore
internal import StocksData

/// The page with the watch list, which the user can change there. It changes by itself when another process changes the list.
final class ListPage: Page {
    private let bundle: StocksBundle
    private var watching: Task<Void, Never>?

    init(_ bundle: StocksBundle) throws {
        self.bundle = bundle
        let changes = try bundle.watchList.changes()
        watching = Task { [weak self] in
            for await _ in changes { self?.invalidate() }
        }
    }

    deinit { watching?.cancel() }

    func didClose() { watching?.cancel() }

    private var texts: Texts { bundle.context.texts }

    var title: String { texts.listTitle }

    var content: [PageElement] {
        [
            bundle.context.list(empty: texts.listEmpty, unreadable: texts.listUnreadable) {
                try bundle.watchList.symbols().map { PageRow(stock: $0, in: bundle.context.resources) }
            }
        ]
    }

    private struct Form: Codable {
        var symbol = ""
        var first = false
    }

    var actions: [PageAction] {
        PageAction(
            "add", title: texts.listAdd, input: Form(),
            fields: [PageField("symbol", label: texts.listSymbol), PageField("first", label: texts.listFirst)]
        ) { form, _ in
            try bundle.watchList.add(form.symbol, atStart: form.first)
            try await tellWidget()
        }
        for symbol in (try? bundle.watchList.symbols()) ?? [] {
            PageAction("remove-\(symbol)", title: texts.listRemove(symbol)) { _ in
                try bundle.watchList.remove(symbol)
                try await tellWidget()
            }
        }
    }

    private func tellWidget() async throws {
        let isEmpty = try bundle.watchList.symbols().isEmpty
        try await bundle.context.widgets.setHasContent(!isEmpty, for: StocksBundle.widget)
    }
}
