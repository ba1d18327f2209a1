import Console
import ExtensionHost
import PluginCore
import Registry

extension HostCall {
    /// The options that describe the items of a request to an extension.
    nonisolated static let itemOptions: [Command.Option] = [
        .value("text", placeholder: "TEXT", repeatable: true, help: "A text that is passed to the extension."),
        .value(
            "url", placeholder: "URL", repeatable: true, kind: .item(.address),
            help: "A link that is passed to the extension."),
        .value(
            "input", short: "i", placeholder: "FILE", repeatable: true, kind: .file,
            help: "A file that is passed to the extension."),
    ]

    /// Runs a body with the extensions of the open session or a new one, whose router opens the addresses that extensions ask for.
    ///
    /// All processes of extensions are ended with a new session. Its last page, which the user would otherwise never see, and its notices
    /// are added to the answer.
    func inExtensionSession(
        _ body: @escaping @MainActor (ExtensionManager) async throws -> Answer
    ) async throws -> Answer {
        if session != nil { return try await body(extensions) }
        let transcript = Transcript(self)
        return try await inSession(sessionComposition(), onNotice: transcript.notice) { [self] session in
            let answer = try await body(extensions)
            return await transcript.adding(session.top, to: answer)
        }
    }

    /// Returns the items that the options describe: one item with all attachments, or none.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` for a file that cannot be opened.
    func items() throws -> [ExtensionItem] {
        let texts = parsed.values("text").map { ItemAttachment(text: $0) }
        let links = parsed.values("url").map { ItemAttachment(url: $0) }
        let files = try parsed.values("input").map { try file($0) }
        let attachments = texts + links + files
        return attachments.isEmpty ? [] : [ExtensionItem(attachments: attachments)]
    }

    /// Returns an attachment for a file, with the type that its name says.
    func file(_ path: String) throws -> ItemAttachment {
        let path = try resolve(path)
        let suffix = path.lastComponent.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        return try ItemAttachment(opening: path, as: [ContentType(filenameExtension: suffix) ?? .data])
    }

    /// Returns the extension that an argument names: its identifier, or the end of it.
    func installedExtension(_ word: String) throws(AtriumError) -> BundleIdentifier {
        let known = try extensions.all().map(\.declaration.identifier)
        if let identifier = BundleIdentifier(word), known.contains(identifier) { return identifier }
        let ending = known.filter { $0.text.hasSuffix(".\(word)") }
        if let only = ending.first, ending.count == 1 { return only }
        throw AtriumError(.extensionUnknown, word, nearest: Nearest.identifiers(to: word, in: known))
    }
}
