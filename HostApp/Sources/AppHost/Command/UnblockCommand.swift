import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp unblock` command.
let unblockCommand = HostCommand(
    description: Command(
        "unblock", summary: "Allow versions again that crashed or hung the host.",
        discussion: """
            A version that crashed or hung the host is quarantined, and its content is blocked: it is neither \
            installed nor loaded again. The same version with different content is not blocked, and "hostapp \
            uninstall" also removes the blocks of a plugin. "hostapp doctor" lists what is blocked.
            """,
        arguments: [
            .required(
                "ID[@VERSION]", kind: .item(.blocked),
                help: "The plugin's identifier; with a version, that version alone.")
        ],
        examples: [
            Command.Example("hostapp unblock com.example.app.shop"),
            Command.Example("hostapp unblock com.example.app.shop@1.0.0"),
        ]
    )
) { call in
    let (word, version) = try bundle(call.parsed.argument("ID[@VERSION]") ?? "", of: "unblock")
    guard let identifier = BundleIdentifier(word) else {
        let known = Set(try call.manager.registry.quarantine.all().map(\.identity.identifier)).sorted()
        throw AtriumError(.nothingToUnblock, word, nearest: Nearest.identifiers(to: word, in: known))
    }
    let unblocked = try await call.manager.transactions.quarantine.unblock(identifier, version: version)
    return Answer(
        text: unblocked.map { localized("\($0.identity) is no longer blocked; it \(printable($0.reason.sentence)).\n") }
            .joined(),
        json: ["unblocked": .array(unblocked.map(\.json))])
}

extension QuarantinedVersion {
    var json: JSONText {
        [
            "identifier": .string(identity.identifier.text), "version": .string(identity.version.description),
            "sealSHA256": .string(digest), "reason": .string(reason.sentence), "at": .string(timestamp(at)),
        ]
    }
}
