extension FixtureRepository {
    static let settings = """
        // Common settings: the same everywhere.
        for target in package.targets where target.type != .system {
            target.swiftSettings = (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
        }

        """

    private static func manifest(_ package: String) -> String {
        """
        // swift-tools-version: 6.3
        import PackageDescription

        \(package)

        \(settings)
        """
    }

    static let packages: [String: String] = [
        "Package.swift": manifest(
            """
            let package = Package(
                name: "Tiny",
                dependencies: [
                    .package(path: "Packages/Core"),
                    .package(path: "Packages/TestKit"),
                    .package(path: "HostApp"),
                    .package(path: "Plugins/Alpha"),
                    .package(path: "Plugins/Beta"),
                    .package(path: "Plugins/Delta"),
                    .package(path: "Plugins/Gamma"),
                ],
                targets: [
                    .testTarget(
                        name: "EndToEnd",
                        dependencies: [.product(name: "PluginTestKit", package: "TestKit")]
                    ),
                    tests("PluginCoreTests", of: "Packages/Core", with: [.product(name: "PluginCore", package: "Core")]),
                    tests("AppHostTests", of: "HostApp", with: [.product(name: "AppHost", package: "HostApp")]),
                    tests("AlphaTests", of: "Plugins/Alpha", with: [.product(name: "Alpha", package: "Alpha")]),
                    tests("BetaTests", of: "Plugins/Beta", with: [.product(name: "Beta", package: "Beta")]),
                    tests("DeltaTests", of: "Plugins/Delta", with: [.product(name: "Gamma", package: "Gamma")]),
                ]
            )

            func tests(_ name: String, of folder: String, with dependencies: [Target.Dependency]) -> Target {
                .testTarget(name: name, dependencies: dependencies, path: "\\(folder)/Tests/\\(name)")
            }
            """),
        "Packages/Core/Package.swift": manifest(
            """
            let package = Package(
                name: "Core",
                products: [.library(name: "PluginCore", type: .dynamic, targets: ["PluginCore"])],
                targets: [
                    .target(name: "CPluginEntry"),
                    .target(name: "PluginCore", dependencies: ["CPluginEntry"]),
                ]
            )
            """),
        "Packages/SQLite/Package.swift": manifest(
            """
            let package = Package(
                name: "SQLite",
                products: [.library(name: "SQLite", type: .dynamic, targets: ["SQLite"])],
                targets: [
                    .systemLibrary(name: "CSQLite"),
                    .target(name: "SQLite", dependencies: ["CSQLite"]),
                ]
            )
            """),
        "Packages/Runtime/Package.swift": manifest(
            """
            let package = Package(
                name: "Runtime",
                products: [.library(name: "PluginRuntime", type: .dynamic, targets: ["PluginRuntime"])],
                traits: [.trait(name: "Extra")],
                dependencies: [
                    .package(path: "../Core"),
                    .package(path: "../SQLite"),
                    .package(path: "../System"),
                ],
                targets: [
                    .target(
                        name: "PluginRuntime",
                        dependencies: [
                            .product(name: "HostSystem", package: "System"),
                            .product(name: "PluginCore", package: "Core"),
                            .product(name: "SQLite", package: "SQLite"),
                        ]
                    )
                ]
            )
            """),
        "Packages/System/Package.swift": manifest(
            """
            let package = Package(
                name: "System",
                products: [.library(name: "HostSystem", type: .dynamic, targets: ["HostSystem"])],
                targets: [
                    .target(name: "CSystem"),
                    .target(name: "HostSystem", dependencies: ["CSystem"]),
                ]
            )
            """),
        "Packages/Resolver/Package.swift": manifest(
            """
            let package = Package(
                name: "Resolver",
                products: [.library(name: "Resolver", type: .dynamic, targets: ["Resolver"])],
                dependencies: [.package(path: "../Core")],
                targets: [.target(name: "Resolver", dependencies: [.product(name: "PluginCore", package: "Core")])]
            )
            """),
        "Packages/Tools/Package.swift": manifest(
            """
            let package = Package(
                name: "Tools",
                products: [
                    .library(name: "Console", targets: ["Console"]),
                    .executable(name: "bundletool", targets: ["bundletool"]),
                ],
                dependencies: [
                    .package(path: "../Core"),
                    .package(path: "../Runtime"),
                ],
                targets: [
                    .target(name: "Console", dependencies: [.product(name: "PluginCore", package: "Core")]),
                    .executableTarget(name: "bundletool", dependencies: ["Console"]),
                ]
            )
            """),
        "Packages/TestKit/Package.swift": manifest(
            """
            let package = Package(
                name: "TestKit",
                products: [.library(name: "PluginTestKit", type: .dynamic, targets: ["PluginTestKit"])],
                dependencies: [.package(path: "../Core")],
                targets: [
                    .target(name: "PluginTestKit", dependencies: [.product(name: "PluginCore", package: "Core")])
                ]
            )
            """),
        "HostApp/Package.swift": manifest(
            """
            let package = Package(
                name: "HostApp",
                products: [.library(name: "AppHost", targets: ["AppHost"])],
                dependencies: [
                    .package(path: "../Packages/Core"),
                    .package(path: "../Packages/Runtime"),
                    .package(path: "../Packages/Tools"),
                ],
                targets: [
                    .target(
                        name: "AppHost",
                        dependencies: [
                            .product(name: "Console", package: "Tools"),
                            .product(name: "PluginRuntime", package: "Runtime"),
                        ]
                    ),
                    .executableTarget(name: "hostapp", dependencies: ["AppHost"]),
                ]
            )
            """),
        "Plugins/Alpha/Package.swift": plugin("Alpha", knows: "Beta"),
        "Plugins/Beta/Package.swift": plugin("Beta", knows: "Alpha"),
        "Plugins/Delta/Package.swift": manifest(
            """
            let package = Package(
                name: "Delta",
                products: [
                    .library(name: "DeltaInterface", type: .static, targets: ["DeltaInterface"]),
                    .library(name: "Delta", type: .dynamic, targets: ["Delta"]),
                ],
                dependencies: [.package(path: "../../Packages/Core"), .package(path: "../Gamma")],
                targets: [
                    .target(name: "DeltaInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
                    .target(name: "Delta", dependencies: [.product(name: "Gamma", package: "Gamma")]),
                ]
            )
            """),
        "Plugins/Gamma/Package.swift": manifest(
            """
            let package = Package(
                name: "Gamma",
                products: [.library(name: "Gamma", type: .dynamic, targets: ["Gamma"])],
                dependencies: [.package(path: "../../Packages/Core")],
                targets: [
                    .target(
                        name: "Gamma",
                        dependencies: [.product(name: "PluginCore", package: "Core")],
                        swiftSettings: [.unsafeFlags(["-enable-library-evolution"])],
                        linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libGamma.so"])]
                    )
                ]
            )
            """),
    ]

    private static func plugin(_ name: String, knows other: String) -> String {
        manifest(
            """
            let package = Package(
                name: "\(name)",
                products: [
                    .library(name: "\(name)Interface", type: .static, targets: ["\(name)Interface"]),
                    .library(name: "\(name)", type: .dynamic, targets: ["\(name)"]),
                ],
                dependencies: [
                    .package(path: "../../Packages/Core"),
                    .package(path: "../../Packages/SQLite"),
                    .package(path: "../../Packages/TestKit"),
                    .package(path: "../\(other)"),
                ],
                targets: [
                    .target(
                        name: "\(name)Interface",
                        dependencies: [.product(name: "PluginCore", package: "Core")]
                    ),
                    .target(
                        name: "\(name)",
                        dependencies: [
                            "\(name)Interface",
                            .product(name: "PluginCore", package: "Core"),
                            .product(name: "SQLite", package: "SQLite"),
                            .product(name: "\(other)Interface", package: "\(other)"),
                        ]
                    ),
                ]
            )
            """)
    }

    static let sources: [String: String] = [
        "README.md": "# Tiny\n",
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
        "Packages/Resolver/Sources/Resolver/Resolver.docc/Resolver.md": "# ``Resolver``\n",
        "Packages/Resolver/Sources/Resolver/Resolver.swift": "import PluginCore\n",
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
