import PluginCore

// The files of a business plugin.
extension PluginTemplate {
    var appFiles: [TemplateFile] {
        [
            package, manifest, TemplateFile("Sources/\(name)/\(name).swift", delegate),
            TemplateFile("Sources/\(name)/HomePage.swift", page),
            TemplateFile("Tests/\(name)Tests/\(name)Tests.swift", tests),
            TemplateFile("Resources/Pages/about.json", Self.layout),
            TemplateFile("Resources/en.lproj/Localizable.json", texts("Hello", "Greet", "Hello, {}.", "Name", "About")),
            TemplateFile(
                "Resources/de.lproj/Localizable.json", texts("Hallo", "Begrüßen", "Hallo, {}.", "Name", "Über")),
            readme("Its first page has the address `app://\(segment)`."), ignoreFile,
        ] + interfaceFiles + editorFiles + extensions.map { $0.file(of: self) }
    }

    private var package: TemplateFile {
        let modules = [name] + extensions.map { name + $0.word }
        let products = modules.map { ".library(name: \"\($0)\", type: .dynamic, targets: [\"\($0)\"])," }
        let targets =
            interfaceTargets
            + modules.map {
                let dependencies = hasInterface && $0 == name ? " dependencies: [\"\(interface)\"]," : ""
                return ".target(name: \"\($0)\",\(dependencies) swiftSettings: settings, "
                    + "linkerSettings: [.linkedLibrary(\"PluginCore\")]),"
            }
        let tested = modules.map { "\"\($0)\"" }.joined(separator: ", ")
        return TemplateFile(
            "Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription

            \(Self.settings)

            // "bundletool build" tells the compiler where the SDK is, so no path and no unsafe flag is needed here.
            let package = Package(
                name: "\(name)",
                products: [
                    \(products.joined(separator: "\n        "))
                ],
                targets: [
                    \(targets.joined(separator: "\n        "))
                    .testTarget(
                        name: "\(name)Tests", dependencies: [\(tested)], swiftSettings: settings,
                        linkerSettings: [
                            .linkedLibrary("PluginCore"), .linkedLibrary("PluginTestKit"),
                        ]),
                ]
            )

            """)
    }

    private var manifest: TemplateFile {
        let declarations = extensions.map { "    " + $0.declaration(in: self) }.joined(separator: ",\n")
        let extensions = declarations.isEmpty ? "" : ",\n  \"extensions\": [\n\(declarations)\n  ]"
        return TemplateFile(
            "manifest.json",
            """
            {
              "formatVersion": 1,
              "identifier": "\(identifier)",
              "version": "1.0.0",
              "name": "\(name)",
              "summary": "A plugin that greets the user.",
              "kind": "app",
              "entry": "lib\(name).so",
              "coreABI": \(CoreVersion.abi),
              "routes": [{ "pattern": "\(segment)/about", "page": "about", "layout": "about/about" }]\(extensions)
            }

            """)
    }

    private var delegate: String {
        """
        \(hasInterface ? "import \(interface)\n" : "")import PluginCore

        /// Returns the plugin's description; this is the only symbol that a host looks up.
        @c(plugin_entry_v2)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(\(name).self) }

        /// The plugin: a host creates this object when something of the plugin is first needed.
        final class \(name): BundleDelegate {
            let context: BundleContext

            init(context: BundleContext) { self.context = context }

            static var routes: some RouteSet<\(name)> {
                Page(\(homeContract)) { plugin in HomePage(plugin.context) }
            }\(interfaceBindings)
        }

        """
    }

    private var page: String {
        """
        import PluginCore

        /// The first page, which greets the user by name.
        final class HomePage: Page {
            private let context: BundleContext

            init(_ context: BundleContext) { self.context = context }

            var title: String { context.resources.string("home.title") }
            let content: [PageElement] = []
            var actions: [PageAction] {
                [
                    PageAction(
                        "greet", title: context.resources.string("home.greet"),
                        fields: [PageField("name", label: context.resources.string("home.name"))])
                ]
            }

            func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
                navigator.show(notice: context.resources.string("home.greeting", input["name"] ?? ""))
            }
        }

        """
    }

    private var tests: String {
        """
        import PluginCore
        import PluginTestKit
        import Testing

        @testable import \(name)

        @MainActor
        @Suite("The plugin \(name)")
        struct \(name)Tests {
            @Test("The first page greets the user in each language", arguments: [("en", "Hello, Ada."), ("de", "Hallo, Ada.")])
            func greeting(language: String, greeting: String) async throws {
                let host = try TestBundleContext(of: \(name).self, language: language)
                let page = try await host.page(at: "app://\(segment)", of: \(name)(context: host.context))
                let navigator = FakeNavigator(showing: page)
                try await page.perform("greet", input: ["name": "Ada"], on: navigator)
                #expect(navigator.notices == [greeting])
            }

            @Test("The plugin provides what its manifest declares")
            func manifest() async throws {
                let host = try TestBundleContext(of: \(name).self)
                let plugin = \(name)(context: host.context)
                #expect(await ManifestContract(host.manifest).problems(of: plugin, in: host.context) == [])
            }

            @Test("Each text is there in each language")
            func texts() throws {
                #expect(try StringsContract(PluginFolder()).problems() == [])
            }
        }

        """
    }

    static let layout = """
        {
          "pages": {
            "about": { "title": "@about.title", "content": [{ "text": "@about.text" }] }
          }
        }

        """

    private func texts(_ title: String, _ greet: String, _ greeting: String, _ field: String, _ about: String) -> String
    {
        """
        {
          "about.text": "\(name) 1.0.0",
          "about.title": "\(about) \(name)",
          "home.greet": "\(greet)",
          "home.greeting": "\(greeting)",
          "home.name": "\(field)",
          "home.title": "\(title)"
        }

        """
    }
}
