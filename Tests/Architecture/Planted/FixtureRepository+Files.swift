import Foundation

extension FixtureRepository {
    private static let plugins = ["Alpha", "Beta", "Delta", "Gamma"]

    /// Returns the end of a manifest.
    ///
    /// - Parameter folder: the path from the package to the folder with the settings.
    static func settings(_ folder: String) -> String {
        let settings = #"[.unsafeFlags(["@\(Context.packageDirectory)/\#(folder)/settings"])]"#
        return """
            for target in package.targets where target.type != .system {
                target.swiftSettings = (target.swiftSettings ?? []) + \(settings)
            }

            """
    }

    /// Returns the manifest of a package, in which each entry of a list has a line of its own.
    ///
    /// - Parameters:
    ///   - name: the package's name.
    ///   - products: the declarations of its products.
    ///   - folders: the packages on which it depends.
    ///   - targets: the declarations of its targets.
    ///   - ending: what follows the package.
    private static func package(
        _ name: String, products: [String] = [], traits: [String] = [], on folders: [String] = [], targets: [String],
        ending: String = ""
    ) -> String {
        let lists = [
            ("products", products), ("traits", traits), ("dependencies", folders.map { #".package(path: "\#($0)")"# }),
            ("targets", targets),
        ]
        let fields = lists.filter { !$0.1.isEmpty }.map { list, entries in
            "    \(list): [\n" + entries.map { "        \($0),\n" }.joined() + "    ]"
        }
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "\(name)",
            \(fields.joined(separator: ",\n"))
            )
            \(ending)
            \(settings(name == "Tiny" ? "Packages" : name == "HostApp" ? "../Packages" : ".."))
            """
    }

    /// Returns the declaration of a library with the module of its name.
    private static func library(_ name: String, _ linkage: String? = "dynamic") -> String {
        ".library(name: \"\(name)\", " + (linkage.map { "type: .\($0), " } ?? "") + "targets: [\"\(name)\"])"
    }

    /// Returns the declaration of a target; a dependency is a target of its package, or `PRODUCT of PACKAGE`.
    ///
    /// Several dependencies have a line each.
    private static func target(
        _ name: String, kind: String = "target", on dependencies: String..., settings: String = ""
    ) -> String {
        let list = dependencies.map { dependency in
            let words = dependency.components(separatedBy: " of ")
            return words.count == 1 ? "\"\(words[0])\"" : #".product(name: "\#(words[0])", package: "\#(words[1])")"#
        }
        let lines = list.count > 1 ? list.map { "\n            \($0)," }.joined() + "\n        " : list.joined()
        let needs = list.isEmpty ? "" : ", dependencies: [\(lines)]"
        return ".\(kind)(name: \"\(name)\"\(needs)\(settings))"
    }

    /// Returns the declaration of a package's tests in the root.
    private static func tests(_ name: String, of folder: String) -> String {
        let package = folder.split(separator: "/").last ?? ""
        return #"tests("\#(name)Tests", of: "\#(folder)", with: [.product(name: "\#(name)", package: "\#(package)")])"#
    }

    static let packages: [String: String] = [
        "Package.swift": package(
            "Tiny",
            on: ["Packages/Core", "Packages/TestKit", "HostApp"]
                + plugins.map { "Plugins/\($0)" },
            targets: [
                target("EndToEnd", kind: "testTarget", on: "PluginTestKit of TestKit"),
                tests("PluginCore", of: "Packages/Core"), tests("AppHost", of: "HostApp"),
                tests("Alpha", of: "Plugins/Alpha"), tests("Beta", of: "Plugins/Beta"),
                tests("Delta", of: "Plugins/Delta"),
            ],
            ending: """

                func tests(_ name: String, of folder: String, with dependencies: [Target.Dependency]) -> Target {
                    .testTarget(name: name, dependencies: dependencies, path: "\\(folder)/Tests/\\(name)")
                }

                """),
        "Packages/Core/Package.swift": package(
            "Core", products: [library("PluginCore")],
            targets: [target("CPluginEntry"), target("PluginCore", on: "CPluginEntry")]),
        "Packages/SQLite/Package.swift": package(
            "SQLite", products: [library("SQLite")],
            targets: [target("CSQLite", kind: "systemLibrary"), target("SQLite", on: "CSQLite")]),
        "Packages/Runtime/Package.swift": package(
            "Runtime", products: [library("PluginRuntime")], traits: [".trait(name: \"Extra\")"],
            on: ["../Core", "../SQLite", "../System"],
            targets: [
                target("PluginRuntime", on: "HostSystem of System", "SQLite of SQLite", "PluginCore of Core")
            ]),
        "Packages/System/Package.swift": package(
            "System", products: [library("HostSystem")],
            targets: [target("CSystem"), target("HostSystem", on: "CSystem")]),
        "Packages/Tools/Package.swift": package(
            "Tools",
            products: [library("Console", nil), ".executable(name: \"bundletool\", targets: [\"bundletool\"])"],
            on: ["../Core", "../Runtime"],
            targets: [
                target("Console", on: "PluginCore of Core"),
                target("bundletool", kind: "executableTarget", on: "Console"),
            ]),
        "Packages/TestKit/Package.swift": package(
            "TestKit", products: [library("PluginTestKit")], on: ["../Core"],
            targets: [target("PluginTestKit", on: "PluginCore of Core")]),
        "HostApp/Package.swift": package(
            "HostApp", products: [library("AppHost", nil)],
            on: ["Core", "Runtime", "Tools"].map { "../Packages/\($0)" },
            targets: [
                target("AppHost", on: "Console of Tools", "PluginRuntime of Runtime"),
                target("hostapp", kind: "executableTarget", on: "AppHost"),
            ]),
        "Plugins/Alpha/Package.swift": plugin("Alpha", knows: "Beta"),
        "Plugins/Beta/Package.swift": plugin("Beta", knows: "Alpha"),
        "Plugins/Delta/Package.swift": package(
            "Delta", products: [library("DeltaInterface", "static"), library("Delta")],
            on: ["../../Packages/Core", "../Gamma"],
            targets: [target("DeltaInterface", on: "PluginCore of Core"), target("Delta", on: "Gamma of Gamma")]),
        "Plugins/Gamma/Package.swift": package(
            "Gamma", products: [library("Gamma")], on: ["../../Packages/Core"],
            targets: [
                target(
                    "Gamma", on: "PluginCore of Core",
                    settings: #", swiftSettings: [.unsafeFlags(["-enable-library-evolution"])], linkerSettings: "#
                        + #"[.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libGamma.so"])]"#)
            ]),
    ]

    private static func plugin(_ name: String, knows other: String) -> String {
        let interface = name + "Interface"
        return package(
            name, products: [library(interface, "static"), library(name)],
            on: ["Core", "SQLite", "TestKit"].map { "../../Packages/\($0)" } + ["../\(other)"],
            targets: [
                target(interface, on: "PluginCore of Core"),
                target(
                    name, on: interface, "PluginCore of Core", "SQLite of SQLite", "\(other)Interface of \(other)"),
            ])
    }

    static let sources: [String: String] = [
        "README.md": "# Tiny\n",
        "CHANGELOG.md": "",
        "CONTRIBUTING.md": "",
        "LICENSE": "",
        "ARCHITECTURE.md": "# Tiny\n",
        "Scripts/test": "#!/usr/bin/env bash\n",
        "Tests/EndToEnd/WholeTests.swift": "import Foundation\nimport PluginTestKit\nimport Testing\n",
        "Packages/Core/Sources/CPluginEntry/entry.c": "#include \"entry.h\"\n",
        "Packages/Core/Sources/CPluginEntry/include/entry.h": "int plugin_entry(void);\n",
        "Packages/Core/Sources/PluginCore/Core.swift": """
        import Glibc
        public import CPluginEntry
        internal import FoundationEssentials

        // because it is written once
        nonisolated(unsafe) var pointer: UnsafeRawPointer?
        struct Box: @unchecked Sendable {}  // because it is empty

        """,
        "Packages/Core/Sources/PluginCore/PluginCore.docc/PluginCore.md": "# ``PluginCore``\n",
        "Packages/Core/Tests/PluginCoreTests/CoreTests.swift":
            "import Foundation\n@testable import PluginCore\nimport Testing\n",
        "Packages/SQLite/Sources/CSQLite/module.modulemap": "module CSQLite [system] { header \"shim.h\" }\n",
        "Packages/SQLite/Sources/CSQLite/shim.h": "#include <sqlite3.h>\n",
        "Packages/SQLite/Sources/SQLite/Database.swift": "internal import CSQLite\n",
        "Packages/SQLite/Sources/SQLite/SQLite.docc/SQLite.md": "# ``SQLite``\n",
        "Packages/System/Sources/HostSystem/Libraries/DynamicLibrary.swift": """
        import Glibc

        func open(_ path: String) -> UnsafeMutableRawPointer? { dlopen(path, RTLD_NOW) }

        """,
        "Packages/System/Sources/CSystem/include/system.h": "int csystem(void);\n",
        "Packages/System/Sources/CSystem/system.c": "int csystem(void) { return 0; }\n",
        "Packages/Runtime/Sources/PluginRuntime/Manager.swift": "import PluginCore\nimport SQLite\n",
        "Packages/System/Sources/HostSystem/HostSystem.docc/HostSystem.md": "# ``HostSystem``\n",
        "Packages/Runtime/Sources/PluginRuntime/PluginRuntime.docc/PluginRuntime.md": "# ``PluginRuntime``\n",
        "Packages/Tools/Sources/Console/Console.docc/Console.md": "# ``Console``\n",
        "Packages/Tools/Sources/Console/Table.swift": "public import PluginCore\n",
        "Packages/Tools/Sources/bundletool/main.swift": "import Console\n",
        "Packages/TestKit/Sources/PluginTestKit/Fake.swift": "public import PluginCore\n",
        "Packages/TestKit/Sources/PluginTestKit/PluginTestKit.docc/PluginTestKit.md": "# ``PluginTestKit``\n",
        "HostApp/Sources/AppHost/AppHost.docc/AppHost.md": "# ``AppHost``\n",
        "HostApp/Sources/AppHost/Session.swift": """
        import Console
        import PluginRuntime

        // import Alpha, and try! and dlopen( in a comment are no more than words.
        let words = localized("import Alpha; fatalError() try! dlopen")

        """,
        "Packages/Tools/Sources/Console/Report/ExitStatus.swift": "let codes: [String] = []\n",
        "Packages/Tools/share/atrium/en.json": """
        {
          "errors": {
          },
          "remedies": {
          },
          "reasons": {
          }
        }

        """,
        "Packages/Tools/share/atrium/zh-Hans.json": """
        {
          "errors": {
          },
          "remedies": {
          },
          "reasons": {
          },
          "texts": {
            "import Alpha; fatalError() try! dlopen": "都是文字"
          }
        }

        """,
        "HostApp/Sources/hostapp/main.swift": "import AppHost\n",
        "HostApp/Tests/AppHostTests/SessionTests.swift": "@testable import AppHost\nlet value = try! make() as! Int\n",
        "Plugins/Alpha/Sources/AlphaInterface/Mediating+Alpha.swift": facade("Alpha"),
        "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift":
            "import AlphaInterface\nimport BetaInterface\nimport PluginCore\n",
        "Plugins/Alpha/Tests/AlphaTests/AlphaTests.swift":
            "@testable import Alpha\nimport PluginTestKit\nimport SQLite\n",
        "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift": facade("Beta"),
        "Plugins/Delta/manifest.json": """
        {
          "identifier": "com.example.app.delta", "kind": "app",
          "requires": [{ "bundle": "com.example.lib.gamma", "versions": "^1.0.0" }]
        }

        """,
        "Plugins/Delta/Sources/DeltaInterface/Mediating+Delta.swift": facade("Delta"),
        "Plugins/Delta/Sources/Delta/DeltaBundle.swift": "import Gamma\nimport PluginCore\n",
        "Plugins/Delta/Tests/DeltaTests/DeltaTests.swift": "@testable import Delta\nimport Gamma\n",
        "Plugins/Gamma/manifest.json": #"{ "identifier": "com.example.lib.gamma", "kind": "lib" }"#,
        "Plugins/Gamma/Sources/Gamma/Gamma.swift": "import PluginCore\n",
        "Plugins/Beta/Sources/Beta/BetaBundle.swift": "import AlphaInterface\nimport BetaInterface\nimport SQLite\n",
        "Plugins/Beta/Tests/BetaTests/BetaTests.swift": "@testable import Beta\nimport PluginTestKit\nimport Testing\n",
    ]

    private static func facade(_ name: String) -> String {
        """
        public import PluginCore

        public enum \(name)Names {
            public static let target = "\(name)"
        }

        extension Mediating {
            public func kind(of actor: Int) -> String {
                switch actor {
                case 0: "struct None { case some }"
                default: "enum"
                }
            }
        }

        """
    }
}
