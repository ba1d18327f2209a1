extension Rule {
    static let pluginsApart = Rule("no plugin knows another plugin's implementation") { house in
        house.arrows.compactMap { arrow in
            guard let other = implementationReached(by: arrow, in: house) else { return nil }
            return Finding(
                file: arrow.file, line: arrow.line,
                message: "plugin \(arrow.package.name): \(arrow.sentence), which is inside plugin \(other); "
                    + "allowed: \(other)Interface, or a call through mediator or router")
        }
    }

    /// The other plugin into which an arrow from a plugin points, past its Interface.
    static func implementationReached(by arrow: Arrow, in house: House) -> String? {
        guard let own = arrow.package.plugin else { return nil }
        return house.packages.first { package in
            guard let plugin = package.plugin, plugin != own else { return false }
            return package.targets.contains { $0.module == arrow.module && $0.name != plugin + "Interface" }
        }?.plugin
    }

    static let bareInterfaces = Rule("an Interface declares no type that could cross a boundary") { house in
        let interfaces = house.packages.flatMap { package in
            package.targets.filter { $0.name == (package.plugin ?? "") + "Interface" }
        }
        return interfaces.flatMap(\.sources).flatMap { source in
            TypeDeclaration.all(in: source.tokens).compactMap { type in
                if type.keyword == "enum" && type.firstCase == nil { return nil }
                // A value that goes into a route's contract crosses as an address or coded, never as itself.
                if type.isCodable, ["struct", "enum"].contains(type.keyword) { return nil }
                return Finding(
                    file: source.path, line: type.firstCase ?? type.line,
                    message:
                        "\(type.keyword) \(type.name)\(type.firstCase == nil ? "" : " has cases"); an Interface is "
                        + "static in every caller, so its types exist once per caller; allowed: extensions, enums "
                        + "without cases as names of constants, and Codable structs and enums for contracts")
            }
        }
    }
}
