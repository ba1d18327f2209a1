import PluginCore

// The files of bundles that are not business plugins.
extension PluginTemplate {
    /// A library that several plugins share.
    var libraryFiles: [TemplateFile] {
        [
            TemplateFile(
                "Package.swift",
                """
                // swift-tools-version: 6.3
                import PackageDescription

                \(Self.settings)

                // "bundletool build" tells the compiler where the SDK is, so no path is needed here.
                let package = Package(
                    name: "\(name)",
                    products: [.library(name: "\(name)", type: .dynamic, targets: ["\(name)"])],
                    targets: [
                        .target(
                            name: "\(name)",
                            // With library evolution, plugins that were built with 1.0.0 work with 1.1.0. The compiler's check
                            // of the textual interface does not find Core's C header.
                            swiftSettings: settings + [
                                .unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])
                            ],
                            // The loader finds an open library by this name, which SwiftPM does not set.
                            linkerSettings: [
                                .linkedLibrary("PluginCore"),
                                .unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "lib\(name).so"]),
                            ]),
                        .testTarget(
                            name: "\(name)Tests", dependencies: ["\(name)"], swiftSettings: settings,
                            linkerSettings: [.linkedLibrary("PluginCore")]),
                    ]
                )

                """),
            TemplateFile(
                "manifest.json",
                """
                {
                  "formatVersion": 1,
                  "identifier": "\(identifier)",
                  "version": "1.0.0",
                  "name": "\(name)",
                  "summary": "A library that plugins share.",
                  "kind": "lib",
                  "entry": "lib\(name).so",
                  "coreABI": \(CoreVersion.abi)
                }

                """),
            TemplateFile(
                "Sources/\(name)/\(name).swift",
                """
                import PluginCore

                /// Returns the library's description; this is the only symbol that a host looks up.
                @c(plugin_entry_v2)
                public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describeLibrary() }

                /// Returns an element that greets a person.
                public func greeting(to name: String) -> PageElement { .text("Hello, \\(name).") }

                """),
            TemplateFile(
                "Tests/\(name)Tests/\(name)Tests.swift",
                """
                import PluginCore
                import Testing

                @testable import \(name)

                @Test("A greeting contains the name")
                func greets() { #expect(greeting(to: "Ada") == .text("Hello, Ada.")) }

                """),
            readme("Plugins link it, and name it in \"requires\" of their manifests."), ignoreFile,
        ] + editorFiles
    }

    /// A bundle without code.
    var assetsFiles: [TemplateFile] {
        [
            TemplateFile(
                "manifest.json",
                """
                {
                  "formatVersion": 1,
                  "identifier": "\(identifier)",
                  "version": "1.0.0",
                  "name": "\(name)",
                  "summary": "Pages and texts without code.",
                  "kind": "assets",
                  "routes": [{ "pattern": "\(segment)", "page": "about", "layout": "about/about" }]
                }

                """),
            TemplateFile("Resources/Pages/about.json", Self.layout),
            TemplateFile(
                "Resources/en.lproj/Localizable.json",
                "{\n  \"about.text\": \"\(name) 1.0.0\",\n  \"about.title\": \"About \(name)\"\n}\n"),
            TemplateFile(
                "Resources/de.lproj/Localizable.json",
                "{\n  \"about.text\": \"\(name) 1.0.0\",\n  \"about.title\": \"Über \(name)\"\n}\n"),
            readme("Its page has the address `app://\(segment)`."), ignoreFile,
        ]
    }
}

// The Interface of a new plugin: what other plugins may call.
extension PluginTemplate {
    /// The name of the Interface's module.
    var interface: String { name + "Interface" }

    /// The contract of the first page.
    var homeContract: String {
        hasInterface ? "\(name)Routes.home" : "RouteContract(\"\(segment)\", .page, name: \"home\")"
    }

    /// The lines of Package.swift.
    var interfaceTargets: [String] {
        hasInterface ? [".target(name: \"\(interface)\", swiftSettings: settings),"] : []
    }

    /// The actions in the delegate.
    var interfaceBindings: String {
        guard hasInterface else { return "" }
        return """


                static var targets: some TargetSet<\(name)> {
                    Action(\(name)Actions.greeting) { plugin, name in
                        plugin.context.resources.string("home.greeting", name)
                    }
                }
            """
    }

    /// The sources.
    var interfaceFiles: [TemplateFile] {
        guard hasInterface else { return [] }
        return [
            TemplateFile(
                "Sources/\(interface)/\(interface).swift",
                """
                public import PluginCore

                /// The pages of the plugin \(name).
                public enum \(name)Routes {
                    /// The first page.
                    public static let home = RouteContract<NoValue, NoValue>("\(segment)", .page, name: "home")
                }

                /// The actions of the plugin \(name).
                public enum \(name)Actions {
                    /// Returns a greeting of a person.
                    public static let greeting = ActionContract<String, String>("greeting", on: "\(name)")
                }

                extension Mediating {
                    /// Returns a greeting of a person by the plugin \(name).
                    ///
                    /// - Throws: The errors of ``PluginCore/Mediating/perform(_:on:_:)`` if the plugin is not available.
                    public func \(segment)Greeting(of name: String) async throws -> String {
                        try await perform(\(name)Actions.greeting, name)
                    }
                }

                """)
        ]
    }
}
