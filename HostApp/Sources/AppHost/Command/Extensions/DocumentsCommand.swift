import Console
import ExtensionHost
import PluginCore
import Registry

/// The `hostapp documents` command.
let documentsCommand = HostCommand(
    description: Command(
        "documents", summary: "List or fetch the documents that plugins provide.",
        discussion: """
            Without an identifier, lists the documents of all providers. A fetched document is printed if it is a text, \
            or stored with --output. A provider that fails is reported below the others, and the command exits with \
            status 70.
            """,
        arguments: [.optional("DOCUMENT", help: "The identifier of the document to fetch.")],
        options: [
            .value(
                "from", placeholder: "ID", kind: .item(.extension),
                help: "The provider: an extension, by its identifier or the end of it."),
            .value("folder", placeholder: "FOLDER", help: "The identifier of the folder to list."),
            .value(
                "output", short: "o", placeholder: "DIR", kind: .folder, help: "The folder for the fetched document."),
        ],
        examples: [
            Command.Example("hostapp documents"),
            Command.Example("hostapp documents 1 --from notes.documents"),
        ]
    )
) { call in
    let point = ExtensionPoints.documentProvider
    let named = try call.parsed.value("from").map(call.installedExtension)
    let providers = try call.extensions.all(at: point.identifier)
        .filter { $0.choice.isEnabled || $0.declaration.identifier == named }
        .filter { named == nil || $0.declaration.identifier == named }
    guard let document = call.parsed.argument("DOCUMENT") else { return try await list(providers, call) }
    guard named != nil || providers.count == 1 else { throw call.parsed.missing("--from <ID>", adding: "--from <ID>") }
    // An extension of another point is an error of the run.
    guard let provider = named ?? providers.first?.declaration.identifier else { return nil }
    return try await call.inExtensionSession { extensions in
        let result = try await extensions.run(provider, at: point, .fetch(document: document))
        let returned = try ReturnedItems(result.items, call)
        return Answer(
            text: returned.text,
            json: ["provider": .string(provider.text), "document": .string(document), "items": returned.json])
    }
}

@MainActor
private func list(_ providers: [InstalledExtension], _ call: HostCall) async throws -> Answer {
    let folder = call.parsed.value("folder") ?? ""
    return try await call.inExtensionSession { extensions in
        var replies: [(BundleIdentifier, Result<DocumentReply, any Error>)] = []
        for provider in providers.map(\.declaration.identifier) {
            do {
                let point = ExtensionPoints.documentProvider
                let reply = try await extensions.run(provider, at: point, .list(folder: folder)).output
                replies.append((provider, .success(reply)))
            } catch {
                replies.append((provider, .failure(error)))
            }
        }
        return listing(replies, call)
    }
}

/// Returns the table of the documents, and below it the providers that failed.
@MainActor
private func listing(_ replies: [(BundleIdentifier, Result<DocumentReply, any Error>)], _ call: HostCall) -> Answer {
    var table = Table([
        Table.Column("DOCUMENT"), Table.Column("NAME"), Table.Column("SIZE", .trailing), Table.Column("PROVIDER"),
    ])
    var (failures, json): (String, [JSONText]) = ("", [])
    for (provider, reply) in replies {
        switch reply {
        case .success(.list(let entries)):
            for entry in entries {
                table.add([
                    entry.identifier, entry.name, entry.size.map(byteCount) ?? localized("folder"), provider.text,
                ])
                json.append([
                    "provider": .string(provider.text), "document": .string(entry.identifier),
                    "name": .string(entry.name), "size": entry.size.map { .integer($0) } ?? .null,
                ])
            }
        case .success: failures += localized("\(provider): it did not list its documents\n")
        case .failure(let error): failures += "\(provider): \(Failure(error).report.message)\n"
        }
    }
    let shown = table.isEmpty ? localized("No documents.\n") : table.rendered(for: call.terminal)
    return Answer(
        text: shown + (failures.isEmpty ? "" : "\n" + failures),
        json: ["documents": .array(json), "failures": .strings(failures.split(separator: "\n").map(String.init))],
        status: failures.isEmpty ? .done : .software)
}
