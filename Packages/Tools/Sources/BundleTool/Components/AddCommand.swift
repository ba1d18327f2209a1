import BundleFormat
import CatalogFormat
import Console
import HostSystem
import PluginAuthoring
import PluginComponents
import PluginCore
import RemoteCatalog
import Trust

/// The `bundletool add` command.
enum AddCommand {
    static let declaration = Command(
        "add", summary: "Fetch the Interface of another plugin from a catalog, to call that plugin.",
        discussion: """
            Chooses the newest version in the range, and writes its Interface into the folder Components of your package: \
            contracts and facades in Swift, which are compiled into your plugin. The targets in Package.swift depend on it, and \
            manifest.json requires the plugin in the range, by default in all versions that are compatible with the chosen one. \
            All of this happens together or not at all.

            The catalog and the Interface are verified as a host verifies packages: by the catalog's root, and by the \
            signature of a team that you trust and that owns the plugin's identifier. The first time, name the root with \
            --root, and the team with --trust, or --key and --team. Both are saved in Components. An Interface has Swift sources \
            only, so it cannot run code while it is built.

            Adding a plugin again updates it in its range. Without an identifier, everything that the lock file \
            Components/components.json names is fetched again, for example after a fresh clone: the same versions with the same \
            content. Keep the files of Components in version control; the folders in it are ignored.

            With --sdk, fetches the archive of an SDK for this machine instead, whose signer is the owner of the catalog.
            """,
        arguments: [
            .optional(
                "plugin", help: "The identifier of the plugin, such as com.example.app.orders; with --sdk, a range."),
            .optional("range", help: "The range of versions, such as ^1.2.0; by default the newest release."),
        ],
        options: ComponentOptions.declarations + [
            .flag("sdk", help: "Fetch an SDK in place of an Interface."),
            .value(
                "output", short: "o", placeholder: "dir", default: ".", help: "The folder for the archive of an SDK."),
        ],
        examples: [
            .init(
                "bundletool add com.example.app.orders --catalog https://plugins.example.org --root 1.root.json "
                    + "--key example.pub --team com.example"),
            .init("bundletool add com.example.app.orders ^1.2.0", "Another range:"),
            .init("bundletool add", "After a fresh clone:"),
            .init("bundletool add --sdk ^2.0.0 --catalog https://plugins.example.org --root 1.root.json"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> Answer {
        if parsed.flag("sdk") { return try sdk(parsed) }
        let project = try PluginProject.at(parsed.value("directory"))
        guard project.hasPackage else { throw CommandError.noPackage(project.folder) }
        try Files.makeFolder(project.workFolder)
        guard try Files.lockUntilEnd(project.workFolder.appending("components.lock")) else {
            throw CommandError.projectBusy(project.folder)
        }
        guard let word = parsed.argument("plugin") else { return try restore(project, parsed) }
        guard let identifier = BundleIdentifier(word) else {
            throw parsed.invalid("<plugin>", word, ["a reverse-domain name such as com.example.app.orders"])
        }
        return try add(identifier, try range(parsed.argument("range"), parsed), to: project, parsed)
    }

    // MARK: Adding

    private static func add(
        _ identifier: BundleIdentifier, _ range: VersionRange?, to project: PluginProject, _ parsed: ParsedCommand
    ) throws -> Answer {
        let lock = try project.componentLock() ?? ComponentLock()
        let before = lock[identifier]
        let address = try address(for: before, lock, parsed)
        let rootName = try project.rootName(of: address.description)
        let (source, root) = try ComponentOptions.source(
            address, pinned: project.components.appending(rootName), folder: project.componentCatalogs, in: parsed)
        let trust = try ComponentOptions.trust(of: project, in: parsed)
        let chosen = range ?? before.flatMap { VersionRange($0.range) }
        let archive = try source.fetch(try source.newest(of: identifier, in: chosen))
        try archive.verify(by: trust, for: .install, at: Environment.now())
        let component = ComponentLock.Component(of: archive, chosenIn: chosen, from: address.description)
        var change = ComponentChange(project: project, lock: lock)
        change.lock[identifier] = component
        change.additions = [archive]
        if let before, before.module != archive.module { change.removed = [before.module] }
        change.files = [rootName: root, project.componentTrust.lastComponent: trust.encoded()]
        let lines = try change.commit()
        let word = before == nil ? "added" : before == component ? "unchanged" : "updated"
        return answer(component, word, before, lines, project)
    }

    private static func address(
        for component: ComponentLock.Component?, _ lock: ComponentLock, _ parsed: ParsedCommand
    ) throws -> CatalogAddress {
        let used = Set(lock.components.map(\.catalog))
        let text = parsed.value("catalog") ?? component?.catalog ?? (used.count == 1 ? used.first : nil)
        guard let text else { throw CommandError.catalogMissing }
        return try ComponentSource.address(text)
    }

    /// Returns the address of a component in the lock file, which has no passwords: those are only in the command line.
    private static func address(
        of component: ComponentLock.Component, _ parsed: ParsedCommand
    ) throws -> CatalogAddress {
        let address = try ComponentSource.address(component.catalog)
        let given = try parsed.value("catalog").map(ComponentSource.address)
        return given?.description == address.description ? given ?? address : address
    }

    private static func answer(
        _ component: ComponentLock.Component, _ word: String, _ before: ComponentLock.Component?, _ lines: [String],
        _ project: PluginProject
    ) -> Answer {
        let folder = project.components.appending(component.module)
        var text = "\(word)  \(component.identity), signed by \(component.team)\n"
        text += "  Components/\(component.module)  the sources of its Interface\n"
        text += "  manifest.json requires \(component.identifier) \(printable(component.range))\n"
        if !lines.isEmpty {
            text += "Package.swift cannot be changed automatically. Add these lines to its end:\n\n"
            text += lines.map { $0 + "\n" }.joined() + "\n"
        }
        text +=
            "Next: write \"import \(component.module)\", call the plugin by its contracts, and run \"bundletool build\".\n"
        return Answer(
            text: text,
            json: [
                "change": .string(word), "identifier": .string(component.identifier.text),
                "version": .string("\(component.version)"), "before": .string(orNull: before.map { "\($0.version)" }),
                "range": .string(component.range), "module": .string(component.module),
                "team": .string(component.team), "catalog": .string(component.catalog),
                "folder": .string(folder.string), "linesToAdd": .strings(lines),
            ])
    }

    // MARK: Restoring

    private static func restore(_ project: PluginProject, _ parsed: ParsedCommand) throws -> Answer {
        guard let lock = try project.componentLock(), !lock.components.isEmpty else {
            throw parsed.missing("<plugin>")
        }
        let trust = try ComponentOptions.trust(of: project, in: parsed)
        var change = ComponentChange(project: project, lock: lock)
        for component in lock.components {
            let address = try address(of: component, parsed)
            let rootName = try project.rootName(of: component.catalog)
            let (source, root) = try ComponentOptions.source(
                address, pinned: project.components.appending(rootName), folder: project.componentCatalogs, in: parsed)
            let archive = try source.fetch(try source.locked(component))
            // A key that was replaced since does not sign new components, and what it has signed stays valid, as in a host.
            try archive.verify(by: trust, for: .load, at: Environment.now())
            change.additions.append(archive)
            change.files[rootName] = root
        }
        let lines = try change.commit()
        let restored: [JSONText] = lock.components.map {
            [
                "identifier": .string($0.identifier.text), "version": .string("\($0.version)"),
                "module": .string($0.module),
            ]
        }
        var text = lock.components.map { "restored  \($0.identity)  Components/\($0.module)\n" }.joined()
        if !lines.isEmpty { text += "Add these lines to Package.swift:\n\n" + lines.map { $0 + "\n" }.joined() }
        return Answer(text: text, json: ["restored": .array(restored), "linesToAdd": .strings(lines)])
    }

    // MARK: SDKs

    private static func sdk(_ parsed: ParsedCommand) throws -> Answer {
        guard let text = parsed.value("catalog") else { throw CommandError.catalogMissing }
        let range = try range(parsed.argument("plugin"), parsed) ?? .any
        let output = FilePath(parsed.value("output") ?? ".")
        _ = try CurrentFolder.resolve(output.string, in: ["bundletool", "add"])
        return try Files.withTemporaryFolder { folder in
            let (source, _) = try ComponentOptions.source(
                try ComponentSource.address(text), pinned: nil, folder: folder, in: parsed)
            let sdk = try source.newestSDK(for: Platform.triple, in: range)
            let path = try source.fetch(sdk, into: output)
            let description = sdk.description
            return Answer(
                text: """
                    fetched  the SDK \(description.version) for \(description.platform), \(byteCount(sdk.length))
                    Next: tar -xzf \(printable(path.string)), and put its bin on PATH. It needs Swift \(printable(description.swift)).

                    """,
                json: [
                    "file": .string(path.string), "version": .string("\(description.version)"),
                    "platform": .string(description.platform), "swift": .string(description.swift),
                    "size": .integer(sdk.length),
                ])
        }
    }

    private static func range(_ text: String?, _ parsed: ParsedCommand) throws -> VersionRange? {
        guard let text else { return nil }
        guard let range = VersionRange(text) else {
            throw parsed.invalid("<range>", text, ["a range such as ^1.2.0, 1.2.0 or \">=1.2.0 <2.0.0\""])
        }
        return range
    }
}
