import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The page with the addresses that wait until their plugin is ready.
@MainActor
final class DeferredPage: Page {
    private let call: HostCall
    private let open: @MainActor () -> Void
    let title = localized("Deferred addresses")

    /// Creates the page.
    ///
    /// - Parameter open: starts to open all of them that can be opened now. It must not wait for the action of the page that calls it,
    ///   because the session opens an address only after the running step.
    init(_ call: HostCall, open: @escaping @MainActor () -> Void) {
        (self.call, self.open) = (call, open)
    }

    private var waiting: [PageRow] {
        let requests = (try? call.deferred.waiting()) ?? []
        return requests.map {
            PageRow($0.address, detail: localized("until \(timestamp(call.deferred.end(of: $0)))"))
        }
    }

    var content: [PageElement] {
        let rows = waiting
        return rows.isEmpty ? [.text(localized("No address waits for its plugin."))] : [.list(rows)]
    }

    var actions: [PageAction] {
        waiting.isEmpty
            ? []
            : [
                PageAction("open", title: localized("Open them now")),
                PageAction("clear", title: localized("Forget them")),
            ]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        switch action {
        case "open": open()
        case "clear": navigator.show(notice: localized("Dropped \(try call.deferred.clear().count)."))
        default: throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }
}

/// The page with the lines that plugins and the host have written to standard output and standard error.
@MainActor
final class MessagesPage: Page {
    let title = localized("Messages")
    let content: [PageElement]

    init(_ lines: [String]) {
        content = lines.isEmpty ? [.text(localized("No plugin has written anything."))] : lines.map { .text($0) }
    }
}
