extension Rule {
    static let pluginsApart = Rule("no plugin knows another plugin's implementation") { repository in
        repository.moduleDependencies.compactMap { moduleDependency in
            guard let other = implementationReached(by: moduleDependency, in: repository), let name = other.plugin
            else { return nil }
            let allowed =
                if let bundle = other.bundle, bundle.isLibrary {
                    "the plugin itself and its tests, when its manifest.json requires \(bundle.identifier), not on demand"
                } else {
                    "\(name)Interface, or a call through mediator or router"
                }
            return Finding(
                file: moduleDependency.file, line: moduleDependency.line,
                message:
                    "plugin \(moduleDependency.package.name): \(moduleDependency.sentence), which is inside plugin \(name); "
                    + "allowed: \(allowed)")
        }
    }

    /// Returns the plugin whose implementation another plugin depends on without linking its library.
    static func implementationReached(by moduleDependency: ModuleDependency, in repository: Repository) -> Package? {
        guard linkedLibrary(reachedBy: moduleDependency, in: repository) == nil else { return nil }
        return plugin(reachedBy: moduleDependency, in: repository)
    }

    /// Returns the library on which a plugin depends if the plugin requires it.
    ///
    /// This is allowed for the plugin, its extensions and its tests, but not for its interface, which is linked by plugins that do not
    /// require the library.
    static func linkedLibrary(reachedBy moduleDependency: ModuleDependency, in repository: Repository) -> Package? {
        guard let library = plugin(reachedBy: moduleDependency, in: repository),
            moduleDependency.module == library.plugin,
            moduleDependency.target.name != (moduleDependency.package.plugin ?? "") + "Interface",
            moduleDependency.package.isLinked(with: library)
        else { return nil }
        return library
    }

    private static func plugin(reachedBy moduleDependency: ModuleDependency, in repository: Repository) -> Package? {
        guard let own = moduleDependency.package.plugin else { return nil }
        return repository.packages.first { package in
            guard let plugin = package.plugin, plugin != own else { return false }
            return package.targets.contains { $0.module == moduleDependency.module && $0.name != plugin + "Interface" }
        }
    }

    static let linkedLibraries = Rule("a library that plugins are linked with survives its releases, and has a name") {
        repository in
        repository.packages.flatMap { package -> [Finding] in
            guard package.bundle?.isLibrary == true, let name = package.plugin else { return [] }
            let options = [
                (
                    #""-enable-library-evolution""#,
                    "is not built for evolution, so its next release would break its users"
                ),
                (
                    #""-soname", "-Xlinker", "lib\#(name).so""#,
                    "gives its library no soname, so its users would not find it"
                ),
            ]
            return options.compactMap { option, why in
                guard !package.manifest.text.contains(option) else { return nil }
                return package.manifest.finding(
                    at: package.manifest.line(of: name), "\(name) \(why); allowed: a target with \(option)")
            }
        }
    }

    static let bareInterfaces = Rule("an Interface declares no type that could cross a boundary") { repository in
        let interfaces = repository.packages.flatMap { package in
            package.targets.filter { $0.name == (package.plugin ?? "") + "Interface" }
        }
        return interfaces.flatMap(\.sources).flatMap { source in
            TypeDeclaration.all(in: source.tokens).compactMap { type in
                if type.keyword == "enum" && type.firstCase == nil { return nil }
                // A value of a route's contract is passed as an address or encoded, never as an instance of the type.
                if type.isCodable, ["struct", "enum"].contains(type.keyword) { return nil }
                return source.finding(
                    at: type.firstCase ?? type.line,
                    "\(type.keyword) \(type.name)\(type.firstCase == nil ? "" : " has cases"); an Interface is "
                        + "static in every caller, so its types exist once per caller; allowed: extensions, enums "
                        + "without cases as names of constants, and Codable structs and enums for contracts")
            }
        }
    }
}

extension Package {
    /// Returns whether the bundle links the library of another bundle.
    func isLinked(with other: Package) -> Bool {
        guard let library = other.bundle, library.isLibrary else { return false }
        return bundle?.isLinked(with: library.identifier) == true
    }
}
