package import PluginCore
import HostSystem

/// A version whose files are in place, with its manifest.
package struct PlacedVersion: Sendable {
    package let bundle: PluginBundle
    package let manifest: Manifest
    /// The bytes of the manifest's file.
    package let source: [UInt8]
    /// The on-demand install that adds the bundle; `nil` when a user requested it by name.
    package var installToken: String?
    /// The reason for the installation; `nil` to keep the existing one.
    package var reason: InstallReason?
    /// `true` for a staged version that becomes active as soon as nothing uses the data of the active one.
    package var waitsForData = false

    package init(
        bundle: PluginBundle, manifest: Manifest, source: [UInt8], installToken: String? = nil,
        reason: InstallReason? = nil
    ) {
        self.bundle = bundle
        self.manifest = manifest
        self.source = source
        self.installToken = installToken
        self.reason = reason
    }
}

/// A change of one bundle in a transaction of the registry.
package enum RegistryChange: Sendable {
    /// Make the version active, and keep the previous one as rollback target.
    case activate(PlacedVersion)
    /// Add the version, so that it becomes active when a host starts next.
    case stage(PlacedVersion)
    /// Revoke that the version becomes active at the next start.
    case unstage(PluginBundle)
    /// Make the previous version active, and keep the current one as rollback target.
    ///
    /// When requested by a user, the bundle isn't updated to the current version again.
    case rollBack(to: PluginBundle, Manifest, isByUser: Bool = false)
    /// Remove all versions, and block some that crashed or hung a host, each with a reason.
    ///
    /// A bundle that a user removes isn't installed on demand again without a question.
    case remove(BundleIdentifier, blocking: [PluginBundle: ErrorReason] = [:], isByUser: Bool = false)
    /// Remove all versions as if they had never been installed, provided that they still belong to the given on-demand install.
    case undoInstall(BundleIdentifier, from: String)
    /// Quarantine the version with a reason; another version with its manifest replaces it, or none.
    case quarantine(PluginBundle, reason: ErrorReason, then: (PluginBundle, Manifest)?)

    /// The identifier of the bundle.
    package var identifier: BundleIdentifier {
        switch self {
        case .activate(let version), .stage(let version): version.bundle.identity.identifier
        case .rollBack(let bundle, _, _), .quarantine(let bundle, _, _), .unstage(let bundle):
            bundle.identity.identifier
        case .remove(let identifier, _, _), .undoInstall(let identifier, _): identifier
        }
    }
}

/// The transactions that change several tables; no other code changes which versions are active.
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
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict` when
    ///   another bundle has the same declaration.
    @discardableResult
    package func commit(_ changes: [RegistryChange], erasing erased: [BundleIdentifier] = []) throws(AtriumError)
        -> [PluginBundle]
    {
        let released = try write { tables in
            let before = try changes.map { try tables.active.bundle($0.identifier) }
            for (change, before) in zip(changes, before) where change.isSwitch(of: before) {
                try tables.removeDeclarations(of: change.identifier)
            }
            for (change, before) in zip(changes, before) { try tables.apply(change, before) }
            for (change, before) in zip(changes, before) {
                if let manifest = change.declaring(instead: before) { try tables.addDeclarations(manifest) }
            }
            for identifier in erased {
                try tables.notes.change(identifier) { $0.isErased = true }
                try tables.removeRecords(of: identifier, in: [ExtensionLayers.choices])
            }
            for change in changes { try tables.forgetUnlessPresent(change.identifier) }
            return try changes.flatMap { change in
                let released = try tables.versions.removeUnused(of: change.identifier)
                for bundle in released where change.isPruning(bundle) {
                    try tables.history.add(.pruned, bundle.identity)
                }
                return released
            }
        }
        for case .activate(let version) in changes where version.bundle.entry == nil {
            mirrorMinimumVersion(version.bundle.identity)
        }
        return released
    }

    /// Records that a version has run successfully, and raises the bundle's minimum version to it.
    package func recordSuccessfulRun(_ bundle: PluginBundle) throws(AtriumError) {
        // The file comes first and must succeed, because a version that the registry knows is never recorded again: a crash or
        // a failing disk in between loses nothing.
        do {
            try MinimumVersionFiles(sandbox).raise(bundle.identity)
        } catch {
            throw translated(error)
        }
        try write { tables in
            try tables.versions.recordSuccessfulRun(of: bundle)
            try tables.notes.change(bundle.identity.identifier) {
                $0.raise(to: bundle.identity.version)
                $0.installToken = nil
            }
        }
    }

    /// Raises a minimum version in its file, ignoring errors, because the file only matters when the registry is lost.
    package func mirrorMinimumVersion(_ identity: BundleIdentity) { try? MinimumVersionFiles(sandbox).raise(identity) }

    /// Records that a user requests bundles by name, no matter how they were installed.
    package func recordRequest(of identifiers: [BundleIdentifier]) throws(AtriumError) {
        var others: [BundleIdentifier] = []
        for identifier in identifiers {
            let notes = try notes.notes(about: identifier)
            if notes.installToken != nil || notes.reason != .requested { others.append(identifier) }
        }
        // Usually there are none, so a read-only sandbox suffices.
        if others.isEmpty { return }
        try write { tables in
            for identifier in others {
                try tables.notes.change(identifier) { notes in
                    notes.installToken = nil
                    notes.install(because: .requested)
                }
            }
        }
    }

    /// Removes kept versions that are no longer valid rollback targets.
    package func releaseUnreachable() throws(AtriumError) {
        // Usually there are none, and then nothing is written.
        if try active.withUnreachablePrevious().isEmpty { return }
        try write { tables in
            for active in try tables.active.withUnreachablePrevious() {
                try tables.active.set(active, previous: nil)
                for released in try tables.versions.removeUnused(of: active.identity.identifier) {
                    try tables.history.add(.pruned, released.identity)
                }
            }
        }
    }

    /// Adds a version as the rollback target of the active one, without its declarations.
    package func retain(_ version: PlacedVersion, behind active: PluginBundle) throws(AtriumError) {
        try write { tables in
            try tables.versions.add(version)
            try tables.active.set(active, previous: version.bundle)
        }
    }
}

extension RegistryConnection {
    fileprivate func apply(_ change: RegistryChange, _ before: InstalledBundle?) throws(AtriumError) {
        switch change {
        case .activate(let version):
            let (bundle, identity) = (version.bundle, version.bundle.identity)
            try versions.add(version)
            try active.set(bundle, previous: before?.kept(below: bundle))
            try staged.remove(identity.identifier)
            try notes.change(identity.identifier) { notes in
                notes.installToken = version.installToken
                if let reason = version.reason { notes.install(because: reason) }
                // The version that a rollback has left, or a newer one, becomes active.
                if let skipped = notes.skippedThrough, skipped <= identity.version { notes.skippedThrough = nil }
                if bundle.entry == nil { notes.raise(to: identity.version) }
            }
            try history.add(before == nil ? .installed : .updated, identity, before: before?.active)
        case .stage(let version):
            let identity = version.bundle.identity
            try versions.add(version)
            try staged.set(version.bundle, waitsForData: version.waitsForData)
            try notes.change(identity.identifier) { notes in
                // Only versions that a user has requested by name are staged.
                notes.installToken = nil
                if let reason = version.reason { notes.install(because: reason) }
                // With the limit of a rollback, the version would be dropped when a host starts next.
                if let skipped = notes.skippedThrough, skipped >= identity.version { notes.skippedThrough = nil }
            }
            try history.add(.staged, identity, before: before?.active)
        case .unstage(let bundle):
            try staged.remove(bundle.identity.identifier)
        case .rollBack(let previous, _, let isByUser):
            // The newer version may have run since the caller read the registry, which removes the rollback target.
            guard before?.previous == previous else {
                throw AtriumError(
                    .nothingToRollBack, previous.identity.identifier, reason: "newerHasRun")
            }
            try active.set(previous, previous: before?.active)
            if isByUser, let left = before?.active.identity.version {
                // The bundle isn't updated until a version newer than the one that it leaves is installed.
                try notes.change(previous.identity.identifier) {
                    $0.skippedThrough = left > previous.identity.version ? left : nil
                }
            }
            // The version is active already and need not become active at the next start.
            try staged.remove(previous)
            try history.add(.rolledBack, previous.identity, before: before?.active)
        case .remove(let identifier, let crashedVersions, let isByUser):
            // Existing blocks end with the bundle; a crash that hasn't been processed yet becomes a new one.
            try quarantine.unblock(identifier)
            for (bundle, reason) in crashedVersions { try quarantine.block(bundle, reason) }
            try remove(identifier)
            if let before { try history.add(.uninstalled, before.active.identity) }
            if isByUser { try notes.change(identifier) { $0.isUninstalled = true } }
        case .undoInstall(let identifier, let installToken):
            guard try notes.notes(about: identifier).installToken == installToken else {
                throw AtriumError(.bundleNeeded, identifier, reason: "requestedMeanwhile")
            }
            try remove(identifier)
            try history.removeLast(of: identifier)
        case .quarantine(let bundle, let reason, let successor):
            try quarantine(bundle, reason, successor?.0, before)
        }
    }

    private func quarantine(
        _ bundle: PluginBundle, _ reason: ErrorReason, _ successor: PluginBundle?, _ before: InstalledBundle?
    ) throws(AtriumError) {
        try quarantine.block(bundle, reason)
        try staged.remove(bundle)
        guard let before else { return }
        if before.previous == bundle { try active.set(before.active, previous: nil) }
        guard before.active == bundle else { return }
        if let successor {
            try active.set(successor, previous: nil)
            try history.add(.rolledBack, successor.identity, before: bundle)
        } else {
            try active.remove(bundle.identity.identifier)
            try history.add(.disabled, bundle.identity)
        }
    }

    private func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try active.remove(identifier)
        try staged.remove(identifier)
        try notes.change(identifier) { $0.installToken = nil }
    }

    /// Removes the reason and the pin of a bundle that is neither active nor staged.
    fileprivate func forgetUnlessPresent(_ identifier: BundleIdentifier) throws(AtriumError) {
        let isPresent: Bool? = try value(
            """
            SELECT EXISTS (SELECT 1 FROM active WHERE identifier = ?1)
                OR EXISTS (SELECT 1 FROM staged WHERE identifier = ?1)
            """, identifier)
        if isPresent == false { try notes.change(identifier) { $0.forget() } }
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
