import PluginCore

/// The checks of the libraries that the library needs.
extension LibraryValidator {
    func validateSearchPath(_ library: ELFLibrary) {
        report.facts.searchPath = library.dynamic.searchPath
        for folder in library.dynamic.searchPath where !SearchPath.isOwn(folder.utf8) {
            let what =
                folder.isEmpty
                ? ErrorReason("searchesWorkingFolder") : ErrorReason("searchesFolder", ["folder": "\(folder)"])
            report.add(.searchPath, folder, reason: what)
        }
    }

    func validateNeeds(_ library: ELFLibrary) throws(ELFFlaw) {
        report.facts.needed = library.dynamic.needed
        var found: [String: HostLibrary] = [:]
        for name in library.dynamic.needed.unique {
            if let library = dependencies[name] {
                found[name] = library
            } else {
                found[name] = offered(name)
                if let library = found[name], !library.isLoaded { report.missingRuntime.append(library.path) }
            }
            guard found[name] == nil else { continue }
            if dependencies.unseen.isEmpty {
                report.add(.neededLibrary, name, reason: "libraryNotProvided", ["library": "\(name)"])
            } else {
                let remedy = LibraryFinding.Rule.neededLibrary.remedy
                report.add(
                    .neededLibrary, name, reason: "libraryNotSeen",
                    ["library": "\(name)", "bundles": .list(dependencies.unseen)],
                    remedy: ErrorReason("specifyDependency", ["remedy": .reason(remedy)]))
            }
        }
        validateVersions(library, found)
        // This process may have loaded further libraries, but that of an extension has only these.
        let scope = HostLibraries.closure(of: (library.dynamic.needed + [HostLibraries.promised]).unique) {
            found[$0] ?? dependencies[$0] ?? offered($0)
        }
        let others = HostLibraries.current.scope + dependencies.libraries
        let names = try LibraryNames(of: library, scope: scope, beside: others, work)
        validateSymbols(names)
        validateCopies(names)
        try validateModules(names)
    }

    /// Returns the host's library with a name; `nil` for one that it doesn't offer, or that couldn't be read.
    private func offered(_ name: String) -> HostLibrary? {
        do {
            return try HostLibraries.current.library(named: name)
        } catch {
            report.unread.append(FilePath(error.subject))
            return nil
        }
    }

    /// Compares the libraries that it needs with those of a host that only a description is known of.
    func validateNeeds(_ library: ELFLibrary, of host: HostDescription) {
        for name in library.dynamic.needed.unique
        where dependencies[name] == nil && !host.libraries.contains(name) {
            report.add(.neededLibrary, name, reason: "libraryNotProvided", ["library": "\(name)"])
        }
    }

    private func validateVersions(_ library: ELFLibrary, _ found: [String: HostLibrary]) {
        // Compared as bytes, as the loader does.
        let linked = Set(library.dynamic.linked.map { Array($0.utf8) })
        for need in library.versions.needed {
            guard linked.contains(Array(need.library.utf8)) else {
                // The loader ends the process in this case.
                let problem = ErrorReason("elfVersionsOfUnlinked", ["library": "\(need.library)"])
                report.add(.malformed, need.library, reason: "libraryMalformed", ["problem": .reason(problem)])
                continue
            }
            // A missing library has been reported already.
            guard let offer = found[need.library]?.library.versions.defined else { continue }
            for version in need.versions where !offer.contains(version) {
                report.add(
                    .undefinedVersion, version, reason: "versionUndefined",
                    ["version": "\(version)", "library": "\(need.library)"])
            }
        }
    }
}
