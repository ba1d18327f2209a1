extension Rule {
    static let moduleDependencies = Rule("arrows only point down, as the table says") { repository in
        repository.packages.flatMap { package -> [Finding] in
            guard let layer = Layer(of: package) else {
                return [
                    package.manifest.finding(
                        "package \(package.folder) has no place in the repository; there are "
                            + layers.map(\.folder).joined(separator: ", "))
                ]
            }
            return packageDependencyFindings(of: package, layer, in: repository) + unknownTargets(of: package, layer)
        } + moduleDependencyFindings(in: repository)
    }

    private static func packageDependencyFindings(of package: Package, _ layer: Layer, in repository: Repository)
        -> [Finding]
    {
        package.dependencies.compactMap { dependency in
            guard case .folder(let folder) = dependency else {
                return package.manifest.finding(
                    at: package.manifest.line(of: dependency.name),
                    "package \(package.folder) depends on \(dependency.name), which is fetched; allowed: packages of the "
                        + "repository, by path")
            }
            let isAllowed =
                if let other = repository.package(at: folder) {
                    layer.pullsEverythingIn || layer.packages.contains(folder)
                        || (other.plugin != nil && layer.packages.contains("Plugins/<Any>"))
                        || package.isLinked(with: other)
                } else {
                    false
                }
            guard !isAllowed else { return nil }
            let allowed =
                layer.pullsEverythingIn
                ? "every package of the repository"
                : layer.packages.isEmpty ? "none" : layer.packages.joined(separator: ", ")
            return package.manifest.finding(
                at: package.manifest.line(of: dependency.name),
                "package \(package.folder) depends on package \(folder); allowed: \(allowed)")
        }
    }

    private static func unknownTargets(of package: Package, _ layer: Layer) -> [Finding] {
        package.targets.filter { layer.knowledge(of: $0) == nil }.map { target in
            let manifest = target.manifest ?? package.manifest
            return manifest.finding(
                at: manifest.line(of: target.name),
                "package \(package.folder) has a target \(target.name) that is not in the table; allowed: "
                    + layer.modules.map(\.name).joined(separator: ", ") + ", tests"
                    + (layer.mayHaveC ? ", C targets" : ""))
        }
    }

    /// Returns the modules that a target may import, or the products that it may list: those of its package, because imports
    /// show which of them it uses.
    private static func knowledge(of dependency: ModuleDependency, _ layer: Layer) -> [String]? {
        let own = layer.knowledge(of: dependency.target)
        if dependency.kind == .imports || dependency.package.plugin != nil || own?.isEmpty != false { return own }
        return dependency.target.kind == .test
            ? [everything] + (own ?? []) : layer.modules.flatMap { [$0.name] + $0.knows }
    }

    private static func moduleDependencyFindings(in repository: Repository) -> [Finding] {
        let plugins = repository.plugins
        let modules = Set(repository.packages.flatMap(\.targets).map(\.module))
        return repository.moduleDependencies.compactMap { moduleDependency in
            guard let layer = Layer(of: moduleDependency.package),
                let knows = knowledge(of: moduleDependency, layer)
            else { return nil }
            let isTest = moduleDependency.target.kind == .test
            let isKnown =
                knows.contains(moduleDependency.module) || (isTest && moduleDependency.module == testTags)
                || (knows.contains("<Any>Interface")
                    && plugins.contains { moduleDependency.module == $0 + "Interface" })
                || (knows.contains(everything) && modules.contains(moduleDependency.module))
                || linkedLibrary(reachedBy: moduleDependency, in: repository) != nil
                || (layer.mayHaveC
                    && moduleDependency.package.targets.contains { $0.isC && $0.module == moduleDependency.module }
                    && layer.mayKnowSystem(moduleDependency.module, moduleDependency.target))
            var available = isTest ? toolchain.union(toolchainForTests) : toolchain
            available = available.filter {
                !cLibraries.contains($0) || layer.mayKnowSystem($0, moduleDependency.target)
            }
            let isAvailable = moduleDependency.kind == .imports && available.contains(moduleDependency.module)
            if isKnown || isAvailable { return nil }
            // Another rule has a better message.
            if implementationReached(by: moduleDependency, in: repository) != nil { return nil }
            let allowed = knows + ["the toolchain's " + available.sorted().joined(separator: ", ")]
            return Finding(
                file: moduleDependency.file, line: moduleDependency.line,
                message: "\(moduleDependency.sentence); allowed: \(allowed.joined(separator: ", "))")
        }
    }
}
