import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp pin` command.
let pinCommand = HostCommand(
    description: Command(
        "pin", summary: "Keep a plugin in its version, or in a range of versions.",
        discussion: """
            Neither updates nor installs nor what other plugins require move it out of the range; a version that crashes the host \
            still gives way to the one before. A rollback pins a plugin too, until a version is available that is newer than the \
            one it was rolled back from. "hostapp unpin" ends both.
            """,
        arguments: [
            .required(
                "ID[@RANGE]", help: "The plugin's identifier; with a range such as ^1.2.0, or \">=1.2.0 <2.0.0\".")
        ],
        examples: [
            Command.Example("hostapp pin com.example.app.shop", "stay at the version that is active"),
            Command.Example("hostapp pin com.example.app.shop@^1.0.0", "take updates below 2.0.0"),
        ]
    )
) { call in
    let (identifier, range) = try pinned(call.parsed.argument("ID[@RANGE]") ?? "")
    let (pin, unstaged) = try await call.manager.pin(identifier, to: range)
    let active = try call.manager.requireInstalled(identifier).active.identity.version
    var text = "\(identifier) is pinned to \(pin.versions?.description ?? "-")"
    if pin.versions?.contains(active) == false { text += "; \(active), which is active, is not in that range" }
    if let unstaged { text += "; \(unstaged.identity.version) is staged no more" }
    return Answer(
        text: text + ".\n",
        json: [
            "identifier": .string(identifier), "version": .string(active.description), "pin": pin.json,
            "unstaged": .string(orNull: unstaged?.identity.version.description),
        ])
}

/// The `hostapp unpin` command.
let unpinCommand = HostCommand(
    description: Command(
        "unpin", summary: "Let a plugin move again that was pinned or rolled back.",
        arguments: [.required("ID", help: "The plugin's identifier.")],
        examples: [Command.Example("hostapp unpin com.example.app.shop")]
    )
) { call in
    let identifier = call.parsed.argument("ID") ?? ""
    let pin = try await call.manager.unpin(identifier)
    return Answer(
        text: pin.map { "\(identifier) is not pinned any more; until now, \($0.words).\n" }
            ?? "\(identifier) is not pinned.\n",
        json: ["identifier": .string(identifier), "pin": pin?.json ?? .null])
}

/// Parses an argument of the form `ID[@RANGE]`.
private func pinned(_ word: String) throws(UsageError) -> (identifier: String, range: VersionRange?) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let range = parts.count == 2 ? VersionRange(parts[1]) : nil
    guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || range != nil else {
        throw UsageError(
            .invalidValue, subject: "<ID[@RANGE]>",
            expected: ["an identifier, or identifier and range such as com.example.app.shop@^1.0.0"],
            command: ["hostapp", "pin"], value: word)
    }
    return (identifier, range)
}

extension VersionPin {
    var json: JSONText {
        [
            "versions": .string(orNull: versions?.description),
            "skippedThrough": .string(orNull: skippedThrough?.description),
        ]
    }
}
