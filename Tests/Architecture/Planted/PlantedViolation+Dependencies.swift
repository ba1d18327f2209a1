extension PlantedViolation {
    private static let core = "Packages/Core/Sources/PluginCore/Core.swift"
    private static let console = "Packages/Tools/Sources/Console/Table.swift"
    private static let session = "HostApp/Sources/AppHost/Session.swift"

    static let moduleDependencies: [PlantedViolation] = imports + targets + packages

    private static let imports: [PlantedViolation] = [
        PlantedViolation(
            .moduleDependencies, "Core imports another package", .append(core, "import PluginRuntime\n"),
            at: "\(core):8", says: "PluginCore imports PluginRuntime; allowed: the toolchain's"),
        PlantedViolation(
            .moduleDependencies, "Core re-exports it, behind #if and an attribute",
            .append(core, "#if os(Linux)\n    @_exported public import SQLite\n#endif\n"),
            at: "\(core):9", says: "PluginCore imports SQLite"),
        PlantedViolation(
            .moduleDependencies, "Console imports the runtime, behind another import of its line",
            .write(console, "import PluginCore; import struct PluginRuntime.Manager\n"),
            at: "\(console):1", says: "Console imports PluginRuntime; allowed: PluginCore, the toolchain's"),
        PlantedViolation(
            .moduleDependencies, "a module of the runtime imports one above it",
            .append("Packages/Runtime/Sources/PluginRuntime/Manager.swift", "import Resolver\n"),
            at: "Packages/Runtime/Sources/PluginRuntime/Manager.swift:3", says: "PluginRuntime imports Resolver"),
        PlantedViolation(
            .moduleDependencies, "a module of the runtime imports the C library beside HostSystem",
            .append("Packages/Runtime/Sources/PluginRuntime/Manager.swift", "import Glibc\n"),
            at: "Packages/Runtime/Sources/PluginRuntime/Manager.swift:3", says: "PluginRuntime imports Glibc"),
        PlantedViolation(
            .moduleDependencies, "a module of the runtime imports a C target beside HostSystem",
            .append("Packages/Runtime/Sources/PluginRuntime/Manager.swift", "import CSystem\n"),
            at: "Packages/Runtime/Sources/PluginRuntime/Manager.swift:3", says: "PluginRuntime imports CSystem"),
        PlantedViolation(
            .moduleDependencies, "bundletool imports the host",
            .append("Packages/Tools/Sources/bundletool/main.swift", "import AppHost\n"),
            at: "Packages/Tools/Sources/bundletool/main.swift:3", says: "bundletool imports AppHost"),
        PlantedViolation(
            .moduleDependencies, "the host imports a plugin", .append(session, "import Alpha\n"),
            at: "\(session):6", says: "AppHost imports Alpha"),
        PlantedViolation(
            .moduleDependencies, "the host imports a plugin's Interface", .append(session, "import AlphaInterface\n"),
            at: "\(session):6", says: "AppHost imports AlphaInterface"),
        PlantedViolation(
            .moduleDependencies, "a plugin imports the host's side",
            .append("Plugins/Alpha/Sources/Alpha/AlphaBundle.swift", "@preconcurrency import PluginRuntime\n"),
            at: "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift:4",
            says: "Alpha imports PluginRuntime; allowed: PluginCore, SQLite, AlphaInterface, <Any>Interface"),
        PlantedViolation(
            .moduleDependencies, "a plugin imports the kit of its tests",
            .append("Plugins/Alpha/Sources/Alpha/AlphaBundle.swift", "import PluginTestKit\n"),
            at: "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift:4", says: "Alpha imports PluginTestKit"),
        PlantedViolation(
            .moduleDependencies, "an Interface imports more than Core",
            .append("Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift", "import SQLite\n"),
            at: "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift:15", says: "BetaInterface imports SQLite"),
        PlantedViolation(
            .moduleDependencies, "an Interface imports another Interface",
            .append("Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift", "import AlphaInterface\n"),
            at: "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift:15",
            says: "BetaInterface imports AlphaInterface"),
        PlantedViolation(
            .moduleDependencies, "an Interface imports its own plugin",
            .append("Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift", "import Beta\n"),
            at: "Plugins/Beta/Sources/BetaInterface/Mediating+Beta.swift:15", says: "BetaInterface imports Beta"),
        PlantedViolation(
            .moduleDependencies, "a package's tests import more than the package sees",
            .append("Packages/Core/Tests/PluginCoreTests/CoreTests.swift", "@testable import PluginRuntime\n"),
            at: "Packages/Core/Tests/PluginCoreTests/CoreTests.swift:4",
            says: "PluginCoreTests imports PluginRuntime; allowed: PluginCore, the toolchain's"),
        PlantedViolation(
            .moduleDependencies, "a plugin's tests import the host",
            .append("Plugins/Beta/Tests/BetaTests/BetaTests.swift", "@testable import AppHost\n"),
            at: "Plugins/Beta/Tests/BetaTests/BetaTests.swift:4", says: "BetaTests imports AppHost"),
        PlantedViolation(
            .moduleDependencies, "the end-to-end tests import the host's side",
            .append("Tests/EndToEnd/WholeTests.swift", "import PluginRuntime\n"),
            at: "Tests/EndToEnd/WholeTests.swift:4", says: "EndToEnd imports PluginRuntime"),
        PlantedViolation(
            .moduleDependencies, "somebody else imports the C target of a package",
            .append("HostApp/Sources/hostapp/main.swift", "import CSQLite\n"),
            at: "HostApp/Sources/hostapp/main.swift:2", says: "hostapp imports CSQLite"),
        PlantedViolation(
            .moduleDependencies, "a product imports a module of the toolchain that is not on the list",
            .append(session, "import FoundationNetworking\n"),
            at: "\(session):6", says: "AppHost imports FoundationNetworking"),
        PlantedViolation(
            .moduleDependencies, "a product imports the testing library", .append(session, "import Testing\n"),
            at: "\(session):6", says: "AppHost imports Testing"),
        PlantedViolation(
            .moduleDependencies, "a test imports XCTest",
            .append("HostApp/Tests/AppHostTests/SessionTests.swift", "import XCTest\n"),
            at: "HostApp/Tests/AppHostTests/SessionTests.swift:3", says: "AppHostTests imports XCTest"),
    ]

    private static let targets: [PlantedViolation] = [
        PlantedViolation(
            .moduleDependencies, "a target depends on what it may not know",
            .replace(
                "Packages/Tools/Package.swift", #"[.product(name: "PluginCore", package: "Core")]"#,
                with: #"[.product(name: "PluginRuntime", package: "Runtime")]"#),
            at: "Packages/Tools/Package.swift:15", says: "Console depends on PluginRuntime; allowed: PluginCore"),
        PlantedViolation(
            .moduleDependencies, "a target depends on it only under a trait",
            .replace(
                "Packages/Runtime/Package.swift", #".product(name: "SQLite", package: "SQLite"),"#,
                with: #".product(name: "Console", package: "Core", condition: .when(traits: ["Extra"])),"#),
            at: "Packages/Runtime/Package.swift:19", says: "PluginRuntime depends on Console"),
        PlantedViolation(
            .moduleDependencies, "an Interface depends on its own plugin's shared library",
            .replace(
                "Plugins/Alpha/Package.swift", #"dependencies: [.product(name: "PluginCore", package: "Core")]"#,
                with: #"dependencies: [.product(name: "SQLite", package: "SQLite")]"#),
            at: "Plugins/Alpha/Package.swift:19", says: "AlphaInterface depends on SQLite"),
        PlantedViolation(
            .moduleDependencies, "a package has a target that is not in the table",
            .replace(
                "Packages/TestKit/Package.swift", "    targets: [\n",
                with: "    targets: [\n        .target(name: \"Helpers\"),\n"),
            .write("Packages/TestKit/Sources/Helpers/Helpers.swift", ""),
            at: "Packages/TestKit/Package.swift:9", says: "has a target Helpers that is not in the table"),
        PlantedViolation(
            .moduleDependencies, "a plugin has a C target",
            .replace(
                "Plugins/Alpha/Package.swift", "    targets: [\n",
                with: "    targets: [\n        .target(name: \"CAlpha\"),\n"),
            .write("Plugins/Alpha/Sources/CAlpha/alpha.c", "int alpha;\n"),
            .write("Plugins/Alpha/Sources/CAlpha/include/alpha.h", "extern int alpha;\n"),
            at: "Plugins/Alpha/Package.swift:17", says: "has a target CAlpha that is not in the table"),
    ]

    private static let packages: [PlantedViolation] = [
        PlantedViolation(
            .moduleDependencies, "a package depends on one above it",
            .replace(
                "Packages/TestKit/Package.swift", #"[.package(path: "../Core")]"#,
                with: #"[.package(path: "../Core"), .package(path: "../Tools")]"#),
            at: "Packages/TestKit/Package.swift:7",
            says: "package Packages/TestKit depends on package Packages/Tools; allowed: Packages/Core"),
        PlantedViolation(
            .moduleDependencies, "the host depends on a plugin",
            .replace(
                "HostApp/Package.swift", "    dependencies: [\n",
                with: "    dependencies: [\n        .package(path: \"../Plugins/Alpha\"),\n"),
            at: "HostApp/Package.swift:8", says: "package HostApp depends on package Plugins/Alpha"),
        PlantedViolation(
            .moduleDependencies, "a package depends on a folder outside of the repository",
            .replace(
                "Plugins/Beta/Package.swift", "    dependencies: [\n",
                with: "    dependencies: [\n        .package(path: \"../../../Elsewhere\"),\n"),
            at: "Plugins/Beta/Package.swift:11", says: "package Plugins/Beta depends on package ../Elsewhere"),
        PlantedViolation(
            .moduleDependencies, "there is a package that is not in the table",
            .write(
                "Packages/Attic/Package.swift",
                """
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(name: "Attic")

                \(FixtureRepository.settings)
                """),
            at: "Packages/Attic/Package.swift:1", says: "package Packages/Attic has no place in the repository"),
    ]
}
