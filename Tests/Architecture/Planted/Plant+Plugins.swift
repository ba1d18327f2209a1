extension Plant {
    private static let facade = "Plugins/Alpha/Sources/AlphaInterface/Mediating+Alpha.swift"

    static let plugins: [Plant] = [
        Plant(
            .pluginsApart, "a plugin imports another plugin",
            .append("Plugins/Beta/Sources/Beta/BetaBundle.swift", "import Alpha\n"),
            at: "Plugins/Beta/Sources/Beta/BetaBundle.swift:4",
            says: "plugin Beta: Beta imports Alpha, which is inside plugin Alpha; allowed: AlphaInterface"),
        Plant(
            .pluginsApart, "a plugin's tests import another plugin",
            .append("Plugins/Beta/Tests/BetaTests/BetaTests.swift", "@testable import Alpha\n"),
            at: "Plugins/Beta/Tests/BetaTests/BetaTests.swift:4", says: "BetaTests imports Alpha"),
        Plant(
            .pluginsApart, "an Interface imports another plugin",
            .append(facade, "import enum Beta.Order\n"),
            at: "\(facade):15", says: "AlphaInterface imports Beta"),
        Plant(
            .pluginsApart, "a plugin depends on another plugin",
            .replace(
                "Plugins/Beta/Package.swift", #".product(name: "AlphaInterface", package: "Alpha")"#,
                with: #".product(name: "Alpha", package: "Alpha")"#),
            at: "Plugins/Beta/Package.swift:27", says: "plugin Beta: Beta depends on Alpha"),
        Plant(
            .bareInterfaces, "an Interface declares a struct", .append(facade, "public struct Item {}\n"),
            at: "\(facade):15", says: "struct Item; an Interface is static in every caller"),
        Plant(
            .bareInterfaces, "an Interface declares a class in an extension",
            .append(facade, "extension Mediating {\n    final class Token {}\n}\n"),
            at: "\(facade):16", says: "class Token"),
        Plant(
            .bareInterfaces, "an Interface declares a class that is Codable",
            .append(facade, "public final class Link: Codable {}\n"), at: "\(facade):15", says: "class Link"),
        Plant(
            .bareInterfaces, "an Interface declares a struct beside one that is Codable",
            .append(facade, "public struct Link: Codable, Sendable {}\npublic struct Item: Sendable {}\n"),
            at: "\(facade):16", says: "struct Item"),
        Plant(
            .bareInterfaces, "an Interface declares an actor", .append(facade, "public actor Store {}\n"),
            at: "\(facade):15", says: "actor Store"),
        Plant(
            .bareInterfaces, "an Interface declares a protocol", .append(facade, "public protocol Selling {}\n"),
            at: "\(facade):15", says: "protocol Selling"),
        Plant(
            .bareInterfaces, "an Interface declares an enum with cases inside of one without",
            .replace(facade, "public static", with: "public enum Kind: Int {\n case one }\n    public static"),
            at: "\(facade):5", says: "enum Kind has cases"),
    ]
}
