extension PlantedViolation {
    static let manifests: [PlantedViolation] = [
        PlantedViolation(
            .rootTests, "a package declares its tests itself",
            .replace(
                "Packages/Core/Package.swift", #"["CPluginEntry"]),"#,
                with: #"["CPluginEntry"]), .testTarget(name: "PluginCoreTests", dependencies: ["PluginCore"]),"#),
            says: "test target PluginCoreTests is declared here"),
        PlantedViolation(
            .settings, "a manifest has the settings of another file",
            .replace("Packages/SQLite/Package.swift", "../settings", with: "../others"),
            says: "target SQLite does not have the settings"),
        PlantedViolation(
            .settings, "a manifest has no settings",
            .replace("HostApp/Package.swift", FixtureRepository.settings("../Packages"), with: ""),
            says: "target AppHost does not have the settings"),
        PlantedViolation(
            .settings, "a manifest is for other tools",
            .replace("Packages/Core/Package.swift", "version: 6.3", with: "version: 6.2"),
            says: "starts with \"// swift-tools-version: 6.2\"; allowed: \"// swift-"),
        PlantedViolation(
            .settings, "a manifest hides another one",
            .write(
                "Packages/Core/Package@swift-6.3.swift", FixtureRepository.packages["Packages/Core/Package.swift"] ?? ""
            ), says: "is taken before Packages/Core/Package.swift"),
        PlantedViolation(
            .linkage, "Core leaves its linkage to the toolchain",
            .replace("Packages/Core/Package.swift", "type: .dynamic, ", with: ""),
            says: "library PluginCore is automatic; allowed: dynamic"),
        PlantedViolation(
            .linkage, "Core is in a second library",
            .replace(
                "Packages/Core/Package.swift", "products: [",
                with: #"products: [.library(name: "Contract", type: .dynamic, targets: ["PluginCore"]), "#),
            says: "library Contract holds a second copy of PluginCore"),
        PlantedViolation(
            .linkage, "a module of the runtime is in a second library",
            .replace(
                "Packages/System/Package.swift", "products: [",
                with: #"products: [.library(name: "System", targets: ["CSystem"]), "#),
            says: "library System holds a second copy of CSystem; allowed: the dynamic library HostSystem"),
        PlantedViolation(
            .linkage, "a plugin is no library",
            .replace(
                "Plugins/Beta/Package.swift", #".library(name: "Beta", type: .dynamic, targets: ["Beta"]),"#, with: ""),
            says: "target Beta is in no library of its name"),
        PlantedViolation(
            .linkage, "a library of the tools is dynamic",
            .replace(
                "Packages/Tools/Package.swift", #"(name: "Console", "#, with: #"(name: "Console", type: .dynamic, "#),
            says: "library Console is dynamic; allowed: static, automatic"),
        PlantedViolation(
            .moduleDependencies, "a package is fetched",
            .add(
                ".package(url: \"https://example.com/kit.git\", from: \"1.0.0\")", to: "dependencies",
                of: "Packages/TestKit"), says: "package Packages/TestKit depends on kit, which is fetched"),
    ]
}
