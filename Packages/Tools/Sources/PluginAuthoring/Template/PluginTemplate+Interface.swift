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
