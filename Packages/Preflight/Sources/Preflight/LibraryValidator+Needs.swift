import PluginCore

/// The checks of the libraries that the library needs.
extension LibraryValidator {
    func validateSearchPath(_ library: ELFLibrary, _ report: inout LibraryReport) {
        report.facts.searchPath = library.dynamic.searchPath
        for folder in library.dynamic.searchPath where !SearchPath.isOwn(folder.utf8) {
            report.add(
                .searchPath, folder,
                folder.isEmpty
                    ? ErrorReason("searchesWorkingFolder")
                    : ErrorReason("searchesFolder", ["folder": .text(folder)]),
                remedy: ErrorReason("packToRemovePath"))
        }
    }

    func validateNeeds(_ library: ELFLibrary, _ report: inout LibraryReport) throws(ELFFlaw) {
        let host = HostLibraries.current
        report.facts.needed = library.dynamic.needed
        var unread: [FilePath] = []
        defer { report.unread += unread }
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
                if let library = found[name], !library.isLoaded { report.missingRuntime.append(library.path) }
            }
            guard found[name] == nil else { continue }
            let remedy = ErrorReason("removeLibrary")
            if dependencies.unseen.isEmpty {
                report.add(
                    .neededLibrary, name,
                    ErrorReason("libraryNotProvided", ["library": .text(name)]),
                    remedy: remedy)
            } else {
                report.add(
                    .neededLibrary, name,
                    ErrorReason("libraryNotSeen", ["library": .text(name), "bundles": .list(dependencies.unseen)]),
                    remedy: ErrorReason("specifyDependency", ["remedy": .reason(remedy)]))
            }
        }
        validateVersions(library, found, &report)
        // This process may have loaded further libraries, but that of an extension has only these.
        let scope = HostLibraries.closure(of: (library.dynamic.needed + [HostLibraries.promised]).unique) {
            found[$0] ?? dependencies[$0] ?? offered($0)
        }
        let names = try LibraryNames(of: library, scope: scope, beside: host.scope + dependencies.libraries, work)
        validateSymbols(names, &report)
        validateCopies(names, &report)
        try validateModules(names, &report)
    }

    /// Compares the libraries that it needs with those of a host that only a description is known of.
    func validateNeeds(_ library: ELFLibrary, of host: HostDescription, _ report: inout LibraryReport) {
        for name in library.dynamic.needed.unique
        where dependencies[name] == nil && !host.libraries.contains(name) {
            report.add(
                .neededLibrary, name, ErrorReason("libraryNotProvided", ["library": .text(name)]),
                remedy: ErrorReason("removeLibrary"))
        }
    }

    private func validateVersions(
        _ library: ELFLibrary, _ found: [String: HostLibrary], _ report: inout LibraryReport
    ) {
        // Compared as bytes, as the loader does.
        let linked = Set(library.dynamic.linked.map { Array($0.utf8) })
        for need in library.versions.needed {
            guard linked.contains(Array(need.library.utf8)) else {
                // The loader ends the process in this case.
                report.add(
                    .malformed, need.library,
                    ErrorReason(
                        "libraryMalformed",
                        ["problem": .reason(ErrorReason("elfVersionsOfUnlinked", ["library": .text(need.library)]))]),
                    remedy: Remedy.reload)
                continue
            }
            // A missing library has been reported already.
            guard let offer = found[need.library]?.library.versions.defined else { continue }
            for version in need.versions where !offer.contains(version) {
                report.add(
                    .undefinedVersion, version,
                    ErrorReason("versionUndefined", ["version": .text(version), "library": .text(need.library)]),
                    remedy: ErrorReason("buildOnOlderSystem"))
            }
        }
    }
}
