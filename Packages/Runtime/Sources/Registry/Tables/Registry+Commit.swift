import HostSystem
package import PluginCore
import SQLite

/// The transactions that change which versions are active; no other code does.
extension Registry {
    /// Makes several changes in one transaction.
    ///
    /// All declarations of the changed bundles are removed before new ones are added, so that one bundle can take over what
    /// another gives up.
    ///
    /// - Parameters:
    ///   - changes: at most one change for each bundle; the files of all versions in them are in place.
    ///   - erased: the bundles whose data is to be deleted too.
    /// - Returns: the versions that were removed from the registry.
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict` when another bundle has the
    ///   same declaration.
    @discardableResult
    package func commit(_ changes: [RegistryChange], erasing erased: [String] = []) throws(AtriumError)
        -> [PluginBundle]
    {
        let released = try write { database in
            let before = try changes.map { try Self.installed($0.identifier, in: database) }
            for (change, before) in zip(changes, before) where change.isSwitch(of: before) {
                try Self.unlist(change.identifier, in: database)
            }
            for (change, before) in zip(changes, before) { try apply(change, before, in: database) }
            for (change, before) in zip(changes, before) {
                if let manifest = change.declaring(instead: before) { try list(manifest, in: database) }
            }
            if !erased.isEmpty { try Self.record(erasing: erased, in: database) }
            for change in changes { try Self.forgetUnlessPresent(change.identifier, in: database) }
            return try changes.flatMap { change in
                let released = try Self.release(change.identifier, in: database)
                for bundle in released where change.isPruning(bundle) {
                    try Self.record(.pruned, bundle.identity, nil, in: database)
                }
                return released
            }
        }
        mirror(
            minimumVersionsOf: changes.compactMap { change in
                guard case .activate(let version) = change, version.bundle.entry == nil else { return nil }
                return version.bundle.identity
            })
        return released
    }

    /// Returns whether the registry contains nothing that a new one wouldn't.
    func isEmpty() throws(AtriumError) -> Bool {
        guard try versions().isEmpty, try history().isEmpty else { return false }
        guard try minimumVersions().isEmpty else { return false }
        return try quarantine().isEmpty
    }

    /// Records that a version has run successfully, and raises the bundle's minimum version to it.
    package func recordSuccessfulRun(_ bundle: PluginBundle) throws(AtriumError) {
        // The file comes first and must succeed, because a version that the registry knows is never recorded again: a crash or
        // a failing disk in between loses nothing.
        try record(minimumVersionOf: bundle.identity)
        try write { database in
            try database.execute(
                "UPDATE bundle SET proven_at = ? WHERE identifier = ? AND version = ? AND digest = ? AND proven_at IS NULL",
                Clock.now(), bundle.identity.identifier, bundle.identity.version.description, bundle.digest
            )
            try Self.raiseMinimumVersion(bundle.identity, in: database)
            try Self.set(installToken: nil, of: bundle.identity.identifier, in: database)
        }
    }

    /// Removes kept versions that are no longer valid rollback targets.
    package func releaseUnreachable() throws(AtriumError) {
        // Usually there are none, and then nothing is written.
        if try read({ try Self.unreachable(in: $0) })?.isEmpty ?? true { return }
        try write { database in
            for active in try Self.unreachable(in: database) {
                try Self.set(active, previous: nil, in: database)
                for released in try Self.release(active.identity.identifier, in: database) {
                    try Self.record(.pruned, released.identity, nil, in: database)
                }
            }
        }
    }

    /// Returns the active versions whose kept version is no longer a valid rollback target.
    private static func unreachable(in database: Database) throws -> [PluginBundle] {
        let identifiers = try database.query("SELECT identifier FROM active WHERE previous_version IS NOT NULL") {
            try $0[0, as: String.self]
        }
        return try identifiers.compactMap { try installed($0, in: database) }
            .filter { $0.previous == nil }.map(\.active)
    }

    /// Adds a version as the rollback target of the active one, without its declarations.
    package func retain(_ version: PlacedVersion, behind active: PluginBundle) throws(AtriumError) {
        try write { database in
            try Self.add(version, in: database)
            try Self.set(active, previous: version.bundle, in: database)
        }
    }

    /// Restores the minimum versions and blocks of an earlier registry.
    package func restore(minimumVersions: [String: SemanticVersion], quarantine: [QuarantinedVersion])
        throws(AtriumError)
    {
        if minimumVersions.isEmpty, quarantine.isEmpty { return }
        try write { database in
            for (identifier, version) in minimumVersions {
                try Self.raiseMinimumVersion(BundleIdentity(identifier: identifier, version: version), in: database)
            }
            for entry in quarantine {
                try database.execute(
                    "INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?, ?)", entry.identity.identifier,
                    entry.identity.version.description, entry.digest, entry.reason, entry.at
                )
            }
        }
    }

    private func apply(_ change: RegistryChange, _ before: InstalledBundle?, in database: Database) throws {
        switch change {
        case .activate(let version):
            let bundle = version.bundle
            try Self.add(version, in: database)
            try Self.set(bundle, previous: before?.kept(below: bundle), in: database)
            try database.execute("DELETE FROM staged WHERE identifier = ?", bundle.identity.identifier)
            try Self.set(installToken: version.installToken, of: bundle.identity.identifier, in: database)
            if let reason = version.reason { try Self.set(reason, of: bundle.identity.identifier, in: database) }
            try Self.removeTemporaryPin(by: bundle.identity, in: database)
            if bundle.entry == nil { try Self.raiseMinimumVersion(bundle.identity, in: database) }
            try Self.record(before == nil ? .installed : .updated, bundle.identity, before?.active, in: database)
        case .stage(let version):
            try Self.add(version, in: database)
            let identity = version.bundle.identity
            try database.execute(
                "INSERT OR REPLACE INTO staged VALUES (?, ?, ?)", identity.identifier, identity.version.description,
                version.bundle.digest
            )
            // Only versions that a user has requested by name are staged.
            try Self.set(installToken: nil, of: identity.identifier, in: database)
            if let reason = version.reason { try Self.set(reason, of: identity.identifier, in: database) }
            try Self.removeTemporaryPin(staging: identity, in: database)
            try Self.record(.staged, identity, before?.active, in: database)
        case .unstage(let bundle):
            try database.execute("DELETE FROM staged WHERE identifier = ?", bundle.identity.identifier)
        case .rollBack(let previous, _, let isByUser):
            // The newer version may have run since the caller read the registry, which removes the rollback target.
            guard before?.previous == previous else {
                throw AtriumError(
                    .nothingToRollBack, previous.identity.identifier, detail: "a newer version has just run")
            }
            try Self.set(previous, previous: before?.active, in: database)
            if isByUser, let before {
                try Self.addTemporaryPin(previous.identity, leaving: before.active.identity.version, in: database)
            }
            // The version is active already and need not become active at the next start.
            try Self.unstage(previous, in: database)
            try Self.record(.rolledBack, previous.identity, before?.active, in: database)
        case .remove(let identifier, let crashedVersions, let isByUser):
            // Existing blocks end with the bundle; a crash that hasn't been processed yet becomes a new one.
            try Self.unblock(identifier, in: database)
            for (bundle, reason) in crashedVersions { try Self.block(bundle, reason, in: database) }
            try Self.remove(identifier, in: database)
            if let before { try Self.record(.uninstalled, before.active.identity, nil, in: database) }
            if isByUser { try Self.record(uninstalled: identifier, in: database) }
        case .undoInstall(let identifier, let installToken):
            try Self.require(installToken: installToken, of: identifier, in: database)
            try Self.remove(identifier, in: database)
            try database.execute(
                "DELETE FROM history WHERE sequence = (SELECT max(sequence) FROM history WHERE identifier = ?)",
                identifier
            )
        case .quarantine(let bundle, let reason, let successor):
            try quarantine(bundle, reason, successor?.0, before, in: database)
        }
    }

    private func quarantine(
        _ bundle: PluginBundle, _ reason: String, _ successor: PluginBundle?, _ before: InstalledBundle?,
        in database: Database
    ) throws {
        let identity = bundle.identity
        try Self.block(bundle, reason, in: database)
        try Self.unstage(bundle, in: database)
        guard let before else { return }
        if before.previous == bundle { try Self.set(before.active, previous: nil, in: database) }
        guard before.active == bundle else { return }
        if let successor {
            try Self.set(successor, previous: nil, in: database)
            try Self.record(.rolledBack, successor.identity, bundle, in: database)
        } else {
            try database.execute("DELETE FROM active WHERE identifier = ?", identity.identifier)
            try Self.record(.disabled, identity, nil, in: database)
        }
    }
}

extension RegistryChange {
    /// Returns whether the change may make another version active.
    fileprivate func isSwitch(of before: InstalledBundle?) -> Bool {
        switch self {
        case .stage, .unstage: false
        case .quarantine(let bundle, _, _): before?.active == bundle
        default: true
        }
    }

    /// Returns whether the history records the removal of a version; uninstalling and quarantining are recorded themselves.
    fileprivate func isPruning(_ released: PluginBundle) -> Bool {
        switch self {
        case .activate, .stage, .unstage, .rollBack: true
        case .quarantine(let bundle, _, _): released != bundle
        case .remove, .undoInstall: false
        }
    }

    /// Returns the manifest whose declarations replace the previous ones.
    fileprivate func declaring(instead before: InstalledBundle?) -> Manifest? {
        switch self {
        case .activate(let version): version.manifest
        case .rollBack(_, let manifest, _): manifest
        case .quarantine(let bundle, _, let successor): before?.active == bundle ? successor?.1 : nil
        case .stage, .unstage, .remove, .undoInstall: nil
        }
    }
}

extension Registry {
    /// Blocks the content of a version.
    private static func block(_ bundle: PluginBundle, _ reason: String, in database: Database) throws {
        try database.execute(
            "INSERT OR REPLACE INTO quarantine VALUES (?, ?, ?, ?, ?)", bundle.identity.identifier,
            bundle.identity.version.description, bundle.digest, reason, Clock.now()
        )
        try record(.quarantined, bundle.identity, nil, in: database)
    }

    /// Unstages exactly this version of its bundle.
    private static func unstage(_ bundle: PluginBundle, in database: Database) throws {
        try database.execute(
            "DELETE FROM staged WHERE identifier = ? AND version = ? AND digest = ?", bundle.identity.identifier,
            bundle.identity.version.description, bundle.digest
        )
    }

    private static func add(_ version: PlacedVersion, in database: Database) throws {
        let bundle = version.bundle
        try database.execute(
            "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            bundle.identity.identifier, bundle.identity.version.description, bundle.digest, bundle.name,
            bundle.summary, bundle.kind.rawValue, bundle.entry, bundle.appGroups.joined(separator: "\n"),
            bundle.size, bundle.installedAt, version.source, bundle.seal.team, bundle.seal.keyID,
            bundle.seal.libraryDigest, bundle.seal.libraryStamp, bundle.hasRunSince, bundle.seal.sealStamp
        )
    }

    private static func set(_ bundle: PluginBundle, previous: PluginBundle?, in database: Database) throws {
        try database.execute(
            "INSERT OR REPLACE INTO active VALUES (?, ?, ?, ?, ?)", bundle.identity.identifier,
            bundle.identity.version.description, bundle.digest, previous?.identity.version.description,
            previous?.digest
        )
    }

    private static func remove(_ identifier: String, in database: Database) throws {
        try database.execute("DELETE FROM active WHERE identifier = ?", identifier)
        try database.execute("DELETE FROM staged WHERE identifier = ?", identifier)
        try set(installToken: nil, of: identifier, in: database)
    }

    /// Removes the versions of a bundle that nothing refers to.
    private static func release(_ identifier: String, in database: Database) throws -> [PluginBundle] {
        let released = try database.query(
            """
            SELECT version, digest, name, summary, kind, entry, app_groups, size, installed_at, team, key_id,
                library_digest, library_stamp, proven_at, seal_stamp
            FROM bundle AS b WHERE identifier = ?1
                AND NOT EXISTS (SELECT 1 FROM active WHERE identifier = ?1 AND version = b.version AND digest = b.digest)
                AND NOT EXISTS (SELECT 1 FROM active WHERE identifier = ?1 AND previous_version = b.version
                    AND previous_digest = b.digest)
                AND NOT EXISTS (SELECT 1 FROM staged WHERE identifier = ?1 AND version = b.version AND digest = b.digest)
            """, identifier
        ) { try bundle($0, identifier, from: 0) }
        for bundle in released {
            try database.execute(
                "DELETE FROM bundle WHERE identifier = ? AND version = ? AND digest = ?", identifier,
                bundle.identity.version.description, bundle.digest
            )
        }
        return released
    }

    static func record(
        _ event: HistoryEntry.Event, _ identity: BundleIdentity, _ before: PluginBundle?, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO history (at, identifier, event, version, before) VALUES (?, ?, ?, ?, ?)", Clock.now(),
            identity.identifier, event.rawValue, identity.version.description, before?.identity.version.description
        )
    }

    /// Raises a bundle's minimum version, which never decreases.
    static func raiseMinimumVersion(_ identity: BundleIdentity, in database: Database) throws {
        let text = try database.value(
            "SELECT version FROM floor WHERE identifier = ?", identity.identifier, as: String.self)
        if let minimumVersion = text.flatMap({ SemanticVersion($0) }), minimumVersion >= identity.version { return }
        try database.execute(
            "INSERT OR REPLACE INTO floor VALUES (?, ?)", identity.identifier, identity.version.description)
    }
}
