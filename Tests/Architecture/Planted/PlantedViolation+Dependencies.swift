extension PlantedViolation {
    private static let core = "Packages/Core/Sources/PluginCore/Core.swift"
    private static let console = "Packages/Tools/Sources/Console/Table.swift"
    private static let session = "HostApp/Sources/AppHost/Session.swift"

    static let moduleDependencies: [PlantedViolation] = imports + targets + packages

    private static let imports: [PlantedViolation] = [
        .imports("PluginRuntime", in: core, says: "; allowed: the toolchain's"),
        PlantedViolation(
            .moduleDependencies, "Core re-exports it, behind #if and an attribute",
            .append(core, "#if os(Linux)\n    @_exported public import SQLite\n#endif\n"), at: "\(core):9",
            says: "PluginCore imports SQLite"),
        PlantedViolation(
            .moduleDependencies, "Console imports the runtime, behind another import of its line",
            .write(console, "import PluginCore; import struct PluginRuntime.Manager\n"),
            says: "Console imports PluginRuntime; allowed: HostSystem, PluginCore, PluginExtension, the toolchain's"),
        .imports("Glibc", in: "Packages/Runtime/Sources/PluginRuntime/Manager.swift"),
        .imports("CSystem", in: "Packages/Runtime/Sources/PluginRuntime/Manager.swift"),
        .imports("Alpha", in: session),
        .imports(
            "PluginRuntime", in: "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift", after: "@preconcurrency ",
            says: "; allowed: PageLayouts, PluginCore, PluginDatabase, PluginExtension, SQLite, AlphaInterface, "),
        .imports("SQLite", in: "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift"),
        .imports("AlphaInterface", in: "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift"),
        .imports("PluginRuntime", in: "Tests/EndToEnd/WholeTests.swift"),
        .imports(
            "PluginRuntime", in: "Packages/Core/Tests/PluginCoreTests/CoreTests.swift", after: "@testable ",
            says: "; allowed: PluginCore, the toolchain's"),
        .imports("Foundation", in: session, after: "internal "),
        .imports("Testing", in: session),
        .imports("XCTest", in: "HostApp/Tests/AppHostTests/SessionTests.swift"),
    ]

    private static let targets: [PlantedViolation] = [
        PlantedViolation(
            .moduleDependencies, "a target depends on it only under a trait",
            .replace(
                "Packages/Runtime/Package.swift", #".product(name: "SQLite", package: "SQLite"),"#,
                with: #".product(name: "Console", package: "Core", condition: .when(traits: ["Extra"])),"#),
            says: "PluginRuntime depends on Console"),
        PlantedViolation(
            .moduleDependencies, "a package has a target that is not in the table",
            .add(".target(name: \"Helpers\")", to: "targets", of: "Packages/TestKit"),
            .write("Packages/TestKit/Sources/Helpers/Helpers.swift", ""),
            says: "has a target Helpers that is not in the table"),
        PlantedViolation(
            .moduleDependencies, "a plugin has a C target",
            .add(".target(name: \"CAlpha\")", to: "targets", of: "Plugins/Alpha"),
            .write("Plugins/Alpha/Sources/CAlpha/alpha.c", "int alpha;\n"),
            .write("Plugins/Alpha/Sources/CAlpha/include/alpha.h", "extern int alpha;\n"),
            says: "has a target CAlpha that is not in the table"),
    ]

    private static let packages: [PlantedViolation] = [
        PlantedViolation(
            .moduleDependencies, "a package depends on one above it",
            .add(".package(path: \"../Tools\")", to: "dependencies", of: "Packages/TestKit"),
            says: "package Packages/TestKit depends on package Packages/Tools; allowed: Packages/Core"),
        PlantedViolation(
            .moduleDependencies, "a package depends on a folder outside of the repository",
            .add(".package(path: \"../../../Elsewhere\")", to: "dependencies", of: "Plugins/Beta"),
            says: "package Plugins/Beta depends on package ../Elsewhere"),
        PlantedViolation(
            .moduleDependencies, "there is a package that is not in the table",
            .write(
                "Packages/Attic/Package.swift",
                """
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(name: "Attic")

                \(FixtureRepository.settings(".."))
                """),
            at: "Packages/Attic/Package.swift", says: "package Packages/Attic has no place in the repository"),
    ]
}
