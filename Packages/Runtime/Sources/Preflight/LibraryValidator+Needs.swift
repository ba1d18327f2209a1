import PluginCore

/// The checks of the libraries that the library needs.
extension LibraryValidator {
    func validateSearchPath(_ library: ELFLibrary, _ verdict: inout LibraryVerdict) {
        verdict.facts.searchPath = library.dynamic.searchPath
        for folder in library.dynamic.searchPath where !SearchPath.isOwn(folder.utf8) {
            verdict.add(
                .searchPath, folder,
                folder.isEmpty
                    ? "it searches for libraries in the folder in which the host is started"
                    : "it searches for libraries in \(folder), outside of its bundle",
                remedy: "the plugin's author must pack it with \"bundletool pack\", which removes the path")
        }
    }

    func validateNeeds(_ library: ELFLibrary, _ verdict: inout LibraryVerdict) throws(ELFFlaw) {
        let host = HostLibraries.current
        verdict.facts.needed = library.dynamic.needed
        var unread: [FilePath] = []
        defer { verdict.unread += unread }
        let offered = { (name: String) -> HostLibrary? in
            do throws(AtriumError) {
                return try host.library(named: name)
            } catch {
                unread.append(FilePath(error.subject))
                return nil
            }
        }
        var found: [String: HostLibrary] = [:]
        for name in library.dynamic.needed.unique {
            if let library = dependencies[name] {
                found[name] = library
            } else {
                found[name] = offered(name)
                if let library = found[name], !library.isLoaded { verdict.missingRuntime.append(library.path) }
            }
            guard found[name] == nil else { continue }
            let remedy =
                "the plugin's author must remove it, link it statically, or require the bundle that contains it"
            if dependencies.unseen.isEmpty {
                verdict.add(
                    .neededLibrary, name,
                    "it needs \(name), which neither this host nor a required bundle provides",
                    remedy: remedy)
            } else {
                let unseen = dependencies.unseen.joined(separator: ", ")
                verdict.add(
                    .neededLibrary, name,
                    "it needs \(name), which this host does not provide, and these required bundles are unknown: "
                        + "\(unseen)",
                    remedy: "specify the package that contains it with --dependency; if none does, \(remedy)")
            }
        }
        validateVersions(library, found, &verdict)
        let others = HostLibraries.closure(of: library.dynamic.needed) {
            found[$0] ?? dependencies[$0] ?? offered($0)
        }
        let names = try LibraryNames(
            of: library, scope: host.scope + others.filter { !$0.isLoaded }, beside: dependencies.libraries, work)
        validateSymbols(names, isWhole: found.count == Set(library.dynamic.needed).count, &verdict)
        validateCopies(names, &verdict)
        try validateModules(names, &verdict)
    }

    private func validateVersions(
        _ library: ELFLibrary, _ found: [String: HostLibrary], _ verdict: inout LibraryVerdict
    ) {
        // Compared as bytes, as the loader does.
        let linked = Set(library.dynamic.linked.map { Array($0.utf8) })
        for need in library.versions.needed {
            guard linked.contains(Array(need.library.utf8)) else {
                // The loader ends the process in this case.
                verdict.add(
                    .malformed, need.library,
                    "it is malformed: it requires versions of \(need.library), but does not link the library",
                    remedy: Remedy.reload)
                continue
            }
            // A missing library has been reported already.
            guard let offer = found[need.library]?.library.versions.defined else { continue }
            for version in need.versions where !offer.contains(version) {
                verdict.add(
                    .undefinedVersion, version, "it needs \(version) of \(need.library), which this host does not have",
                    remedy: "the plugin's author must build it on an older system, or the host's system must be updated"
                )
            }
        }
    }
}
