extension PlantedViolation {
    private static let facade = "Plugins/Alpha/Sources/AlphaInterface/Mediating+Alpha.swift"

    private static let alphaShareTarget = Edit.add(".target(name: \"AlphaShare\")", to: "targets", of: "Plugins/Alpha")
    private static let alphaShareProduct = Edit.add(
        ".library(name: \"AlphaShare\", type: .dynamic, targets: [\"AlphaShare\"])", to: "products", of: "Plugins/Alpha"
    )

    static let plugins: [PlantedViolation] = [
        .imports(
            "Alpha", in: "Plugins/Beta/Sources/Beta/BetaBundle.swift", by: .pluginsApart,
            says: ", which is inside plugin Alpha; allowed: AlphaInterface"),
        .imports("Alpha", in: "Plugins/Beta/Tests/BetaTests/BetaTests.swift", by: .pluginsApart, after: "@testable "),
        PlantedViolation(
            .pluginsApart, "an extension imports another plugin", alphaShareTarget, alphaShareProduct,
            .write("Plugins/Alpha/Sources/AlphaShare/AlphaShare.swift", "import Beta\n"),
            at: "Plugins/Alpha/Sources/AlphaShare/AlphaShare.swift:1", says: "AlphaShare imports Beta"),
        PlantedViolation(
            .pluginsApart, "a plugin depends on another plugin",
            .replace(
                "Plugins/Beta/Package.swift", #".product(name: "AlphaInterface", package: "Alpha")"#,
                with: #".product(name: "Alpha", package: "Alpha")"#), says: "plugin Beta: Beta depends on Alpha"),
        PlantedViolation(
            .moduleDependencies, "an extension imports the plugin that contains it",
            alphaShareTarget, alphaShareProduct,
            .write("Plugins/Alpha/Sources/AlphaShare/AlphaShare.swift", "import Alpha\n"),
            at: "Plugins/Alpha/Sources/AlphaShare/AlphaShare.swift:1",
            says:
                "AlphaShare imports Alpha; allowed: PluginCore, PluginExtension, SQLite, AlphaInterface, the toolchain's"
        ),
        PlantedViolation(
            .moduleDependencies, "an extension is called like another plugin's",
            .add(".target(name: \"AlphaShare\")", to: "targets", of: "Plugins/Beta"),
            .write("Plugins/Beta/Sources/AlphaShare/AlphaShare.swift", ""),
            says: "has a target AlphaShare that is not in the table"),
        PlantedViolation(
            .pluginsApart, "a plugin imports a library that its manifest does not require",
            .append("Plugins/Beta/Sources/Beta/BetaBundle.swift", "import Gamma\n"),
            at: "Plugins/Beta/Sources/Beta/BetaBundle.swift:4",
            says:
                "Beta imports Gamma, which is inside plugin Gamma; allowed: the plugin itself and its tests, when its "
                + "manifest.json requires com.example.lib.gamma, not on demand"),
        PlantedViolation(
            .pluginsApart, "a plugin imports a library that comes on demand",
            .replace("Plugins/Delta/manifest.json", #""^1.0.0""#, with: #""^1.0.0", "onDemand": true"#),
            at: "Plugins/Delta/Sources/Delta/DeltaBundle.swift:1", says: "Delta imports Gamma"),
        PlantedViolation(
            .pluginsApart, "a plugin is linked with another one as if that were a library",
            .replace("Plugins/Gamma/manifest.json", "\"lib\"", with: "\"app\""),
            at: "Plugins/Delta/Package.swift", says: "Delta depends on Gamma"),
        .imports("Gamma", in: "Plugins/Delta/Sources/DeltaInterface/Mediating+Delta.swift", by: .pluginsApart),
        .imports(
            "AlphaInterface", in: "Plugins/Gamma/Sources/Gamma/Gamma.swift",
            says: "; allowed: PluginCore, the toolchain's"),
        PlantedViolation(
            .moduleDependencies, "a library depends on the package of a plugin",
            .replace(
                "Plugins/Gamma/Package.swift", #".package(path: "../../Packages/Core")"#,
                with: #".package(path: "../../Packages/Core"), .package(path: "../Alpha")"#),
            says: "package Plugins/Gamma depends on package Plugins/Alpha"),
        PlantedViolation(
            .linkedLibraries, "a library is not built for evolution",
            .replace("Plugins/Gamma/Package.swift", #""-enable-library-evolution""#, with: ""),
            says: "Gamma is not built for evolution"),
        PlantedViolation(
            .linkedLibraries, "a library has the name of another one",
            .replace("Plugins/Gamma/Package.swift", "libGamma.so", with: "libAlpha.so"),
            says: "gives its library no soname"),
        PlantedViolation(
            .bareInterfaces, "an Interface declares a struct", .append(facade, "public struct Item {}\n"),
            says: "struct Item; an Interface is static in every caller"),
        PlantedViolation(
            .bareInterfaces, "an Interface declares a class that is Codable",
            .append(facade, "public final class Link: Codable {}\n"), says: "class Link"),
        PlantedViolation(
            .bareInterfaces, "an Interface declares a struct beside one that is Codable",
            .append(facade, "public struct Link: Codable, Sendable {}\npublic struct Item: Sendable {}\n"),
            at: "\(facade):16", says: "struct Item"),
        PlantedViolation(
            .bareInterfaces, "an Interface declares an enum with cases inside of one without",
            .replace(facade, "public static", with: "public enum Kind: Int {\n case one }\n    public static"),
            at: "\(facade):5", says: "enum Kind has cases"),
    ]
}
