import BundleFormat
import CatalogFormat
import Console
import PluginCore
import PluginRuntime
import TUFMetadata

/// The check of a team's metadata before the owner of the catalog publishes it.
struct TeamReview {
    let file: FilePath
    let role: String
    /// The folder with the files of new targets.
    let targets: FilePath
    let converters: [String]
    /// The targets whose content is new.
    private(set) var newPaths: [String] = []

    private func refusal(_ problem: String) -> CommandError { .importInvalid(file, problem) }

    /// Checks all targets, and notes the changes of providers in the editor.
    mutating func check(_ new: Targets, _ editor: inout CatalogEditor) throws {
        guard let delegation = try editor.delegations().first(where: { $0.name == role && !$0.isBin }) else {
            throw refusal("the catalog has no team \"\(role)\"")
        }
        guard new.delegations == nil else { throw refusal("it delegates to other roles") }
        let old = try editor.targets(of: role)
        var (oldEntries, newEntries) = (Entries(), Entries())
        for path in new.paths {
            guard try reporting(editor.folder, { try delegation.covers(path) }) else {
                throw refusal("\"\(path)\" is not the team's")
            }
            try check(path, new, old, &newEntries)
        }
        try checkDescribedFiles(new, newEntries)
        try checkParts(newEntries)
        try checkInterfaces(new, old, newEntries)
        for path in old.paths { try oldEntries.add(path, old[path]?.custom) }
        try checkLists(new, old, newEntries)
        for identifier in Set(oldEntries.needs.keys).union(newEntries.needs.keys) {
            let (before, after) = (oldEntries.needs[identifier] ?? [], newEntries.needs[identifier] ?? [])
            for need in before.symmetricDifference(after) {
                try editor.set(identifier, isProviderOf: need, after.contains(need))
            }
        }
    }

    private mutating func check(_ path: String, _ new: Targets, _ old: Targets, _ entries: inout Entries) throws {
        guard let file = new[path] else { return }
        let isNew = old[path]?.hashes != file.hashes || old[path]?.length != file.length
        if isNew { newPaths.append(path) }
        if let identity = CatalogPath.identity(ofPackage: path) {
            let entry = try entries.add(path, file.custom)
            if let entry, let before = old[path]?.custom.flatMap({ try? CatalogEntry(custom: $0, path: path) }),
                before.sealDigest != entry.sealDigest
            {
                throw CommandError.versionReused(identity)
            }
            // A package that only gets another channel is not sent again.
            guard isNew, let entry else { return }
            let package = try CheckedPackage(
                targets.appending(path), channel: entry.channel, rollout: entry.rollout, converters: converters)
            // The deltas and parts are compared with their targets; hosts verify what comes out of them.
            var described = entry
            (described.deltas, described.parts) = ([], [])
            guard package.entry == described else { throw refusal("\"\(path)\" is described as another package") }
        } else if path.hasSuffix(".png") {
            let package = String(path.dropLast(4)) + ".zip"
            guard CatalogPath.identity(ofPackage: package) != nil, new[package] != nil else {
                throw refusal("\"\(path)\" is the icon of no package")
            }
        } else if !path.hasSuffix(".delta"), !path.hasSuffix(".zip") {
            guard let identifier = path.split(separator: "/").first.flatMap({ BundleIdentifier(String($0)) }),
                CatalogPath.versions(of: identifier) == path
            else { throw refusal("\"\(path)\" is neither a package, nor an icon, nor a delta, nor a list of versions") }
        }
    }

    /// Checks that the deltas and the parts of packages are those that the entries of packages describe.
    private func checkDescribedFiles(_ new: Targets, _ entries: Entries) throws {
        for path in new.paths where entries.files[path] == nil {
            if path.hasSuffix(".delta") { throw refusal("\"\(path)\" is the delta to no package") }
            let isPackage =
                CatalogPath.identity(ofPackage: path) != nil || CatalogPath.identity(ofInterface: path) != nil
            if path.hasSuffix(".zip"), !isPackage {
                throw refusal("\"\(path)\" is neither a package nor the part of one")
            }
        }
        for (path, file) in entries.files {
            guard new[path]?.length == file.length, new[path]?.hashes.known[.sha256] == file.sha256 else {
                throw refusal("\"\(path)\" is not the \(file.what) that its package describes")
            }
        }
    }

    /// Checks that the parts of packages have the content of the package.
    private func checkParts(_ entries: Entries) throws {
        for (path, (platform, seal)) in entries.parts where newPaths.contains(path) {
            let package = try SealedPackage(
                opening: targets.appending(path), converters: .standard(registering: converters))
            try package.verifyContents()
            guard package.digest == seal, package.platforms == [platform] else {
                throw refusal("\"\(path)\" is not the part of its package for \(platform)")
            }
        }
    }

    /// Checks that each Interface belongs to a package of the same team, and is described as its archive says.
    private func checkInterfaces(_ new: Targets, _ old: Targets, _ entries: Entries) throws {
        for path in new.paths {
            guard let identity = CatalogPath.identity(ofInterface: path) else { continue }
            let described = try CatalogInterface(custom: new[path]?.custom ?? JSONObject(), path: path)
            guard entries.teams[identity] == described.team else {
                throw refusal("\"\(path)\" is the Interface of no package of its team")
            }
            if let before = old[path] {
                let published = try CatalogInterface(custom: before.custom ?? JSONObject(), path: path)
                guard published.sealDigest == described.sealDigest else { throw CommandError.versionReused(identity) }
                guard published.module == described.module else { throw refusal("\"\(path)\" has another module") }
            }
            guard newPaths.contains(path) else { continue }
            let archive = try InterfaceArchive(opening: targets.appending(path))
            guard described == CatalogInterface(of: archive) else {
                throw refusal("\"\(path)\" is described as another Interface")
            }
        }
    }

    /// Checks that each list names the versions that there are, and that no revocation is taken back.
    private func checkLists(_ new: Targets, _ old: Targets, _ entries: Entries) throws {
        for (identifier, versions) in entries.versions {
            guard new[CatalogPath.versions(of: identifier)] != nil else {
                throw refusal("\"\(identifier)\" has no list of versions: \(versions.count)")
            }
        }
        for path in Set(new.paths).union(old.paths) where path.hasSuffix("/versions.json") {
            guard let identifier = BundleIdentifier(String(path.dropLast("/versions.json".count))) else { continue }
            let after = try new[path]?.custom.map { try CatalogVersions(custom: $0, identifier: identifier) }
            let before = try old[path]?.custom.map { try CatalogVersions(custom: $0, identifier: identifier) }
            guard Set(after?.offered ?? []) == entries.versions[identifier] ?? [] else {
                throw refusal("\"\(path)\" lists other versions than there are packages")
            }
            guard Set(before?.revoked ?? []).isSubset(of: after?.revoked ?? []) else {
                throw refusal("\"\(path)\" lacks a revoked version")
            }
        }
    }

    /// The entries of a role's packages.
    private struct Entries {
        var versions: [BundleIdentifier: Set<SemanticVersion>] = [:]
        var needs: [BundleIdentifier: Set<CatalogNeed>] = [:]
        var teams: [BundleIdentity: String] = [:]
        /// The deltas and parts that the entries describe, by their paths.
        var files: [String: (what: String, length: Int, sha256: String)] = [:]
        var parts: [String: (platform: String, seal: String)] = [:]

        @discardableResult
        mutating func add(_ path: String, _ custom: JSONObject?) throws -> CatalogEntry? {
            guard let identity = CatalogPath.identity(ofPackage: path) else { return nil }
            let entry = try CatalogEntry(custom: custom ?? JSONObject(), path: path)
            versions[identity.identifier, default: []].insert(identity.version)
            teams[identity] = entry.team
            for (path, delta) in entry.allDeltas { files[path] = ("delta", delta.length, delta.sha256) }
            for part in entry.parts {
                let path = CatalogPath.part(of: identity, for: part.platform)
                files[path] = ("part", part.length, part.sha256)
                parts[path] = (part.platform, entry.sealDigest)
            }
            needs[identity.identifier, default: []].formUnion(CatalogNeed.needs(of: entry.manifest))
            return entry
        }
    }
}
