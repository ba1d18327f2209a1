import ExtensionHost
import Console
import PluginCore
import PluginExtension
import PluginIsolation

/// The `hostapp today` command.
let todayCommand = HostCommand("today") { call in
    let request = WidgetRequest(columns: call.terminal.width, rows: 8)
    return try await call.inExtensionSession { _ in
        let widgets = try await call.widgets(request)
        var (texts, failures, json): ([String], String, [JSONText]) = ([], "", [])
        for (found, content) in widgets {
            let identifier: JSONText = ["extension": found.declaration.identifier]
            switch content {
            case .success(let content):
                let page = FixedPage(content.title, content.elements)
                texts.append(PageText(terminal: call.terminal).render(page))
                json.append(identifier + ["widget": PageJSON.render(page), "address": content.address])
            case .failure(let error):
                let report = Failure(error).report
                failures += "\(found.declaration.name): \(report.message)\n"
                json.append(identifier + ["error": report.content])
            }
        }
        let text = widgets.isEmpty ? localized("No widgets.\n") : texts.joined(separator: "\n")
        return Answer(
            text: text + (failures.isEmpty ? "" : "\n" + failures), json: ["widgets": json],
            status: failures.isEmpty ? .done : .software)
    }
}

/// An extension with the contents of its widget, or the reason why there are none.
typealias ShownWidget = (extension: InstalledExtension, content: Result<WidgetContent, any Error>)

extension HostCall {
    /// Runs the widgets that have something to show at the same time, and returns them in the user's order.
    func widgets(_ request: WidgetRequest) async throws -> [ShownWidget] {
        let (point, extensions) = (ExtensionPoints.today, extensions)
        let shown = try extensions.all(at: point.identifier).filter { $0.choice.isEnabled && $0.choice.hasContent }
        return await withTaskGroup(of: (Int, ShownWidget).self) { group in
            for (index, found) in shown.enumerated() {
                group.addTask {
                    let content = await attempt {
                        try await extensions.run(found.declaration.identifier, at: point, request).output
                    }
                    return (index, (found, content))
                }
            }
            var widgets: [(Int, ShownWidget)] = []
            for await widget in group { widgets.append(widget) }
            return widgets.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// The `hostapp share` command.
let shareCommand = HostCommand(
    "share", arguments: [.required("ITEM", kind: .either([.file, .host(.address)]))],
    options: [.value("with", short: "w", placeholder: "ID", kind: .host(.extension)), .flag("text"), .tap]
) { call in
    let word = call.argument("ITEM")
    let attachment: ItemAttachment =
        if call.flag("text") {
            ItemAttachment(text: word)
        } else if (try? ResourceURI(word))?.scheme != nil, word.contains("://") {
            ItemAttachment(url: word)
        } else {
            try call.file(word)
        }
    let items = [ExtensionItem(attachments: [attachment])]
    let point = ExtensionPoints.share
    let accepting = try call.extensions.accepting(items, at: point.identifier)
    let only = accepting.count == 1 ? accepting[0].declaration.identifier : nil
    guard let chosen = try call.value("with").map(call.installedExtension) ?? only else {
        let table = Table(
            ["EXTENSION", "NAME"], rows: accepting.map { [$0.declaration.identifier, $0.declaration.name] })
        return Answer(
            text: accepting.isEmpty
                ? hostText("noExtension")
                : call.text(of: table) + localized("Choose one with --with ID.\n"),
            json: ["extensions": accepting.map(\.json)],
            status: accepting.isEmpty ? .different : .done)
    }
    if !accepting.contains(where: { $0.declaration.identifier == chosen }) {
        let reasons = try call.extensions.activationFailures(of: chosen, for: items)
        throw AtriumError(.extensionInactive, chosen, problems: reasons)
    }
    return try await call.inExtensionSession { extensions in
        _ = try await extensions.run(chosen, at: point, NoValue(), items: items, on: call.session?.stack)
        let name = try extensions.extension(chosen).declaration.name
        return Answer(
            text: localized("Sent to \(printable(name)).\n"), json: ["extension": chosen.text, "sent": true])
    }
}

/// The `hostapp documents` command.
let documentsCommand = HostCommand(
    "documents", arguments: [.optional("DOCUMENT")],
    options: [
        .value("from", placeholder: "ID", kind: .host(.extension)), .value("folder", placeholder: "FOLDER"),
        .value("output", short: "o", placeholder: "DIR", kind: .folder),
    ]
) { call in
    let point = ExtensionPoints.documentProvider
    let named = try call.value("from").map(call.installedExtension)
    let providers = try call.extensions.all(at: point.identifier)
        .filter { named == nil ? $0.choice.isEnabled : $0.declaration.identifier == named }
    guard let document = call.parsed.argument("DOCUMENT") else { return try await list(providers, call) }
    guard named != nil || providers.count == 1 else { throw call.parsed.missing("--from <ID>", adding: "--from <ID>") }
    // An extension of another point is an error of the run.
    guard let provider = named ?? providers.first?.declaration.identifier else { return nil }
    return try await call.inExtensionSession { extensions in
        let result = try await extensions.run(provider, at: point, .fetch(document: document))
        let returned = try ReturnedItems(result.items, call)
        return Answer(
            text: returned.text,
            json: ["provider": provider.text, "document": document, "items": returned.json])
    }
}

@MainActor
private func list(_ providers: [InstalledExtension], _ call: HostCall) async throws -> Answer? {
    let folder = call.value("folder") ?? ""
    return try await call.inExtensionSession { extensions in
        var table = Table(["DOCUMENT", "NAME", .init("SIZE", .trailing), "PROVIDER"])
        var (failures, json): (String, [JSONText]) = ("", [])
        for provider in providers.map(\.declaration.identifier) {
            let reply = await attempt {
                try await extensions.run(provider, at: ExtensionPoints.documentProvider, .list(folder: folder)).output
            }
            switch reply {
            case .success(.list(let entries)):
                for entry in entries {
                    let size = entry.size.map(byteCount) ?? localized("folder")
                    table.add([entry.identifier, entry.name, size, provider])
                    json.append([
                        "provider": provider, "document": entry.identifier, "name": entry.name, "size": entry.size,
                    ])
                }
            case .success: failures += localized("\(provider): it did not list its documents\n")
            case .failure(let error): failures += "\(provider): \(Failure(error).report.message)\n"
            }
        }
        // The providers that failed are below the table.
        return Answer(
            text: call.text(of: table, otherwise: localized("No documents.\n"))
                + (failures.isEmpty ? "" : "\n" + failures),
            json: ["documents": json, "failures": failures.split(separator: "\n").map(String.init)],
            status: failures.isEmpty ? .done : .software)
    }
}
