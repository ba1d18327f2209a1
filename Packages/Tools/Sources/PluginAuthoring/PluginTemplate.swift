public import PluginCore

/// A new plugin that builds, passes its tests, and can be packed.
///
/// ```swift
/// let template = PluginTemplate(name: "Hello", identifier: "org.example.hello", kind: .app)
/// for file in template.files { print(file.path) }     // Package.swift, manifest.json, Sources/Hello/Hello.swift, ...
/// ```
public struct PluginTemplate: Sendable {
    /// The name of the plugin's module and library, such as `Hello`.
    public let name: String
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The kind of the bundle.
    public let kind: BundleKind
    /// The extensions that the plugin contains.
    public let extensions: [TemplateExtension]
    /// A Boolean value that indicates whether other plugins call it, by the contracts of its Interface.
    public let hasInterface: Bool

    /// Creates a template.
    ///
    /// - Returns: `nil` for a reserved name, for a name that is not a Swift identifier of ASCII letters and digits that begins with a capital letter, and for
    ///   extensions of a bundle that is not a business plugin.
    public init?(
        name: String, identifier: BundleIdentifier, kind: BundleKind = .app,
        extensions: [TemplateExtension] = [], hasInterface: Bool = false
    ) {
        let isWord = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard isWord, let first = name.first, first.isUppercase, !Self.reservedNames.contains(name) else { return nil }
        guard extensions.isEmpty && !hasInterface || kind == .app, Set(extensions).count == extensions.count else {
            return nil
        }
        self.name = name
        self.identifier = identifier
        self.kind = kind
        self.extensions = extensions
        self.hasInterface = hasInterface
    }

    /// The names of modules of Swift and of the SDK, and of types that a template uses.
    private static let reservedNames: Set = [
        "Swift", "Foundation", "Testing", "Page", "HomePage", "PluginCore", "PluginRouter", "PluginRuntime",
        "PluginTestKit", "HostSystem", "Signing", "Trust", "Preflight", "Resolver", "RemoteCatalog", "ExtensionHost",
        "Authoring", "Doctor", "SQLite", "TUF", "Zip",
    ]

    /// The first segment of the plugin's addresses.
    public var segment: String { name.lowercased() }

    /// All files.
    public var files: [TemplateFile] {
        switch kind {
        case .app: appFiles
        case .lib: libraryFiles
        case .assets: assetsFiles
        }
    }

    /// The settings with which every target is compiled.
    static let settings = """
        // PluginCore is built with this setting; without it, async closures have incompatible types.
        let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        """

    /// The file that keeps build products and keys out of the repository.
    var ignoreFile: TemplateFile { TemplateFile(".gitignore", ".build/\n*.key\n*.zip\n") }

    /// The files with which editors find the SDK, and start the commands of `bundletool`.
    ///
    /// The task "Install" ends, because the host opens no shell with `--json`.
    ///
    /// Formats: <https://github.com/swiftlang/sourcekit-lsp/blob/main/Documentation/Configuration%20File.md>,
    /// <https://code.visualstudio.com/docs/debugtest/tasks>.
    var editorFiles: [TemplateFile] {
        [
            TemplateFile(
                ".sourcekit-lsp/config.json",
                "{ \"swiftPM\": { \"toolsets\": [\".build/atrium/toolset.json\"] } }\n"),
            TemplateFile(
                ".vscode/tasks.json",
                """
                {
                  "version": "2.0.0",
                  "tasks": [
                    {
                      "label": "Build", "type": "shell", "command": "bundletool build", "problemMatcher": "$swiftc",
                      "group": { "kind": "build", "isDefault": true }
                    },
                    {
                      "label": "Test", "type": "shell", "command": "bundletool test", "problemMatcher": "$swiftc",
                      "group": { "kind": "test", "isDefault": true }
                    },
                    { "label": "Run", "type": "shell", "command": "bundletool run --watch", "problemMatcher": [] },
                    { "label": "Install", "type": "shell", "command": "bundletool run --json", "problemMatcher": [] }
                  ]
                }

                """),
        ] + (kind == .app ? [launchFile] : [])
    }

    /// The file with which editors debug the plugin in the host that users run.
    ///
    /// `bundletool` writes the link to that host, because the file must not contain a path of one machine. Formats:
    /// <https://code.visualstudio.com/docs/debugtest/debugging-configuration>,
    /// <https://github.com/llvm/llvm-project/blob/main/lldb/tools/lldb-dap/README.md>.
    private var launchFile: TemplateFile {
        func launch(_ name: String, _ words: String, _ more: String = "") -> String {
            """
            {
                  "name": "\(name)", "type": "swift", "request": "launch", "preLaunchTask": "Install",
                  "program": "${workspaceFolder}/.build/atrium/hostapp", "cwd": "${workspaceFolder}",
                  "args": ["--development", "--sandbox", "${workspaceFolder}/.build/atrium/sandbox", \(words)]\(more)
                }
            """
        }
        let follow = ",\n      \"initCommands\": [\"settings set target.process.follow-fork-mode child\"]"
        let today = extensions.contains(.today) ? [launch("Debug the widget", "\"today\"", follow)] : []
        let attach = """
            {
                  "name": "Attach to a running host", "type": "swift", "request": "attach",
                  "program": "${workspaceFolder}/.build/atrium/hostapp"
                }
            """
        let all = [launch("Debug", "\"open\", \"app://\(segment)\"")] + today + [attach]
        return TemplateFile(
            ".vscode/launch.json",
            """
            {
              "version": "0.2.0",
              "configurations": [
                \(all.joined(separator: ",\n    "))
              ]
            }

            """)
    }

    /// The page that says how to work with the plugin.
    ///
    /// - Parameter use: How the plugin is used once it is installed.
    func readme(_ use: String) -> TemplateFile {
        TemplateFile(
            "README.md",
            """
            # \(name)

            A \(kind == .app ? "plugin" : "bundle of kind \(kind.rawValue)") for hosts that are built with Atrium. \(use)

            ```
            \(kind == .assets ? "" : "bundletool test                     # build, and run the tests\n")\
            bundletool run --watch              # a host with just this plugin, which follows your changes
            bundletool lint                     # find problems before you publish
            bundletool keygen --output team     # once: the key of your team
            bundletool pack . \(hasInterface ? "--interface " : "")--key team.key --team \(team) --output packages
            ```

            A host installs the package after `hostapp trust add \(team) --key team.pub --prefix \(team)`. Keep `team.key` secret,
            and raise `version` in `manifest.json` before you publish again.

            """)
    }

    /// The team to which the identifier belongs.
    public var team: String { Self.team(of: identifier.text) }

    /// Returns the team to which an identifier belongs: all of its labels but the last, or both if it has only two.
    ///
    /// A shorter one, such as `io.github`, would be a prefix of other teams' plugins, too.
    public static func team(of identifier: String) -> String {
        let labels = identifier.split(separator: ".")
        return labels.prefix(max(2, labels.count - 1)).joined(separator: ".")
    }
}

/// A file of a new plugin.
public struct TemplateFile: Hashable, Sendable {
    /// The path in the plugin's folder.
    public let path: String
    /// The content.
    public let content: String

    init(_ path: String, _ content: String) {
        self.path = path
        self.content = content
    }
}
