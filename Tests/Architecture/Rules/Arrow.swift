/// Something that a target knows: by an import line, or because its manifest says so.
struct Arrow: Sendable {
    enum Kind: String, Sendable {
        case imports
        case dependsOn = "depends on"
    }

    let package: Package
    let target: Target
    let kind: Kind
    /// The module that is known.
    let module: String
    /// The module's name, and how it came in when that is not plain.
    let described: String
    let file: String
    let line: Int

    var sentence: String { "\(target.name) \(kind.rawValue) \(described)" }
}

extension House {
    /// Every arrow between modules, also those to modules that are not of this house.
    var arrows: [Arrow] {
        packages.flatMap { package in
            package.targets.flatMap { target in imports(of: target, in: package) + dependencies(of: target, in: package)
            }
        }
    }

    private func imports(of target: Target, in package: Package) -> [Arrow] {
        target.sources.flatMap { source in
            source.imports.filter { $0.module != target.module }.map {
                Arrow(
                    package: package, target: target, kind: .imports, module: $0.module, described: $0.module,
                    file: source.path, line: $0.line)
            }
        }
    }

    private func dependencies(of target: Target, in package: Package) -> [Arrow] {
        target.dependencies.flatMap { dependency in
            modules(behind: dependency, of: package).map { module in
                Arrow(
                    package: package, target: target, kind: .dependsOn, module: module,
                    described: module == dependency.name ? module : "\(module) (in product \(dependency.name))",
                    file: package.manifest.path,
                    line: package.manifest.line(ofDependency: dependency.name, inTarget: target.name))
            }
        }
    }

    /// The modules of a product, whichever package of the house has it; a name that leads nowhere is its own module.
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
            return product.targets.map { moduleName($0, in: other) }
        }
        return [dependency.name]
    }
}
