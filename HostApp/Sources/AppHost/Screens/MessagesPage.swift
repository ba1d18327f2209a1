import Console
import PluginCore

/// The page with the lines that plugins and the host have written to standard output and standard error.
@MainActor
final class MessagesPage: Page {
    let title = localized("Messages")
    let content: [PageElement]

    init(_ lines: [String]) {
        content = lines.isEmpty ? [.text(localized("No plugin has written anything."))] : lines.map { .text($0) }
    }
}
