/// A dependency of a target, by an import or by its manifest.
struct ModuleDependency: Sendable {
    enum Kind: String, Sendable {
        case imports
        case dependsOn = "depends on"
    }

    let package: Package
    let target: Target
    let kind: Kind
    /// The module on which the target depends.
    let module: String
    /// The module's name, with the product through which it is reached if that has another name.
    let described: String
    let file: String
    let line: Int

    var sentence: String { "\(target.name) \(kind.rawValue) \(described)" }
}

extension Repository {
    /// All dependencies between modules, including those on modules of other repositories.
    var moduleDependencies: [ModuleDependency] {
        packages.flatMap { package in
            package.targets.flatMap { target in imports(of: target, in: package) + dependencies(of: target, in: package)
            }
        }
    }

    private func imports(of target: Target, in package: Package) -> [ModuleDependency] {
        target.sources.flatMap { source in
            source.imports.filter { $0.module != target.module }.map {
                ModuleDependency(
                    package: package, target: target, kind: .imports, module: $0.module, described: $0.module,
                    file: source.path, line: $0.line)
            }
        }
    }

    private func dependencies(of target: Target, in package: Package) -> [ModuleDependency] {
        let manifest = target.manifest ?? package.manifest
        return target.dependencies.flatMap { dependency in
            modules(behind: dependency, of: package).map { module in
                ModuleDependency(
                    package: package, target: target, kind: .dependsOn, module: module,
                    described: module == dependency.name ? module : "\(module) (in product \(dependency.name))",
                    file: manifest.path, line: manifest.line(of: dependency.name))
            }
        }
    }

    /// Returns the modules of a product of any package in the repository; an unknown name is returned as a module.
    private func modules(behind dependency: TargetDependency, of package: Package) -> [String] {
        func moduleName(_ name: String, in package: Package) -> String {
            package.targets.first { $0.name == name }?.module ?? name
        }
        if case .product = dependency {
        } else if package.targets.contains(where: { $0.name == dependency.name }) {
            return [moduleName(dependency.name, in: package)]
        }
        for other in packages {
            guard let product = other.products.first(where: { $0.name == dependency.name }) else { continue }
            // The imports show which of its modules are used.
            if sharedLibraries.contains(product.name) { return [product.name] }
            return product.targets.map { moduleName($0, in: other) }
        }
        return [dependency.name]
    }
}
