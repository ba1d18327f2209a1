import Console
import PluginAuthoring
import PluginComponents
import PluginCore

/// The `bundletool remove` command.
enum RemoveCommand {
    static let declaration = Command(
        "remove", summary: "Remove the Interface of another plugin that \"bundletool add\" has added.",
        discussion: """
            Removes its folder in Components, its dependency in Package.swift, its requirement in manifest.json, and its entry in the \
            lock file, together or not at all. Nothing is fetched. With the last Interface, Components is removed, and with it the \
            pinned root and the trusted teams.
            """,
        arguments: [.required("plugin", help: "The identifier of the plugin, such as com.example.app.orders.")],
        options: [ComponentOptions.directory],
        examples: [.init("bundletool remove com.example.app.orders")])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let project = try PluginProject.at(parsed.value("directory"))
        guard project.hasPackage else { throw AuthoringError.noPackage(project.folder) }
        let word = parsed.argument("plugin") ?? ""
        guard let identifier = BundleIdentifier(word) else {
            throw UsageError(
                .invalidValue, subject: "<plugin>",
                expected: ["a reverse-domain name such as com.example.app.orders"],
                command: ["bundletool"] + parsed.path, value: word)
        }
        let lock = try project.componentLock() ?? ComponentLock()
        guard let component = lock[identifier] else {
            throw ComponentError.notAdded(identifier, added: lock.components.map(\.identifier))
        }
        var change = ComponentChange(project: project, lock: lock)
        change.lock[identifier] = nil
        change.removed = [component.module]
        change.released = [identifier]
        _ = try change.commit()
        guard !parsed.flag("json") else {
            return Reply(document: [
                "removed": .string(identifier.text), "version": .string("\(component.version)"),
                "module": .string(component.module),
            ])
        }
        return Reply(
            text: """
                removed  \(component.identity)
                Next: remove "import \(component.module)" from your sources.

                """)
    }
}
