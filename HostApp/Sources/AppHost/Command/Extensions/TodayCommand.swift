import Console
import ExtensionHost
import PluginCore
import Registry

/// The `hostapp today` command.
let todayCommand = HostCommand(
    description: Command(
        "today", summary: "Show the widgets of the installed plugins.",
        discussion: """
            Each widget runs in a process of its own. One that fails is reported below the others, and the command exits \
            with status 70. "hostapp extension disable" hides a widget, "hostapp extension move" changes the order.
            """,
        examples: [Command.Example("hostapp today")]
    )
) { call in
    let point = ExtensionPoints.today
    let shown = try call.extensions.all(at: point.identifier).filter { $0.choice.isEnabled && $0.choice.hasContent }
    let request = WidgetRequest(columns: call.terminal.width, rows: 8)
    return try await call.inExtensionSession { extensions in
        TodayView(shown, await contents(of: shown, request, extensions), call).answer
    }
}

/// Returns the contents of widgets, or the reasons why there are none, by their positions.
func contents(
    of shown: [InstalledExtension], _ request: WidgetRequest, _ extensions: ExtensionManager
) async -> [Int: Result<WidgetContent, any Error>] {
    let point = ExtensionPoints.today
    return await withTaskGroup(of: (Int, Result<WidgetContent, any Error>).self) { group in
        for (index, found) in shown.enumerated() {
            group.addTask {
                do {
                    let output = try await extensions.run(found.declaration.identifier, at: point, request).output
                    return (index, .success(output))
                } catch {
                    return (index, .failure(error))
                }
            }
        }
        var widgets: [Int: Result<WidgetContent, any Error>] = [:]
        for await (index, widget) in group { widgets[index] = widget }
        return widgets
    }
}

/// The widgets as text and JSON.
@MainActor
private struct TodayView {
    private(set) var answer: Answer

    init(_ shown: [InstalledExtension], _ widgets: [Int: Result<WidgetContent, any Error>], _ call: HostCall) {
        var (text, failures) = ("", "")
        var json: [JSONText] = []
        for (index, found) in shown.enumerated() {
            switch widgets[index] {
            case .success(let content):
                text += (text.isEmpty ? "" : "\n") + PageText(terminal: call.terminal).render(WidgetPage(content))
                json.append(
                    .object([
                        ("extension", .string(found.declaration.identifier.text)),
                        ("widget", PageJSON.render(WidgetPage(content))),
                        ("address", .string(orNull: content.address)),
                    ]))
            case .failure(let error):
                let failure = Failure(error)
                failures += "\(found.declaration.name): \(failure.report.message)\n"
                json.append(
                    .object([("extension", .string(found.declaration.identifier.text))] + failure.jsonMembers))
            case nil: continue
            }
        }
        if shown.isEmpty { text = localized("No widgets.\n") }
        answer = Answer(
            text: text + (failures.isEmpty ? "" : "\n" + failures), json: ["widgets": .array(json)],
            status: failures.isEmpty ? .done : .software)
    }
}

/// The page that draws a widget.
@MainActor
private final class WidgetPage: Page {
    let title: String
    let content: [PageElement]

    init(_ widget: WidgetContent) {
        title = widget.title
        content = widget.elements
    }
}
