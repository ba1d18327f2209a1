extension Rule {
    static let settings = Rule(
        "every manifest has the same tools version, and every target the common settings"
    ) { repository in
        guard let model = repository.package(at: ".")?.manifest else { return [] }
        return repository.packages.flatMap { package -> [Finding] in
            let manifest = package.manifest
            var findings = package.versionedManifests.map {
                Finding(file: $0, line: 1, message: "is taken before \(manifest.path); allowed: one manifest")
            }
            if manifest.toolsLine != model.toolsLine {
                findings.append(
                    manifest.finding("starts with \"\(manifest.toolsLine)\"; allowed: \"\(model.toolsLine)\""))
            }
            for target in package.targets where !target.isC {
                // The root declares the tests of plugins.
                let file = package.plugin == nil || target.kind == .test ? "Packages/settings" : "Plugins/settings"
                guard target.settings != [file] else { continue }
                findings.append(manifest.finding("target \(target.name) does not have the settings \(file)"))
            }
            return findings
        }
    }

    static let linkage = Rule("libraries of which there must be one copy are dynamic, all others static") {
        repository in
        repository.packages.flatMap { package -> [Finding] in
            let libraries = package.products.filter { $0.linkage != nil && !$0.targets.contains(hostLibrary) }
            let shared = libraries.first { sharedLibraries.contains($0.name) }?.name
            let dynamic = sharedLibraries.union(package.plugin.map { [$0] } ?? []).union(package.extensions)
                .union(measuredPlugins)
            // A library that must be dynamic but isn't a product would be linked statically into every user of its target.
            let missing = package.targets.filter { target in
                dynamic.contains(target.name) && !libraries.contains { $0.name == target.name }
            }
            let findings = libraries.compactMap { library -> Finding? in
                let copied = library.targets.filter(dynamic.contains)
                let name = library.name
                let message: String? =
                    if let copy = shared.map({ _ in library.targets.first }) ?? copied.first, !dynamic.contains(name) {
                        "library \(name) holds a second copy of \(copy); allowed: the dynamic library \(shared ?? copy)"
                    } else if !copied.isEmpty, library.linkage != .dynamic {
                        "library \(name) is \(library.linkage?.rawValue ?? ""); allowed: dynamic"
                    } else if copied.isEmpty, library.linkage == .dynamic {
                        "library \(name) is dynamic; allowed: static, automatic"
                    } else {
                        nil
                    }
                return message.map {
                    package.manifest.finding(at: package.manifest.line(of: name), $0)
                }
            }
            return findings
                + missing.map { target in
                    package.manifest.finding(
                        at: package.manifest.line(of: target.name),
                        "target \(target.name) is in no library of its name; allowed: a dynamic one")
                }
        }
    }
}
