package import PluginCore
import HostSystem

/// A version whose files are in place, with its manifest.
package struct PlacedVersion: Sendable {
    package var bundle: PluginBundle
    package let manifest: Manifest
    /// The bytes of the manifest's file.
    package let source: [UInt8]
    /// The on-demand install that adds the bundle; `nil` when a user requested it by name.
    package var installToken: String?
    /// The reason for the installation; `nil` to keep the existing one.
    package var reason: InstallReason?
    /// `true` for a staged version that becomes active as soon as nothing uses the data of the active one.
    package var waitsForData = false

    package init(_ bundle: PluginBundle, _ manifest: Manifest, source: [UInt8]) {
        (self.bundle, self.manifest, self.source) = (bundle, manifest, source)
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
    case rollBack(to: PluginBundle, isByUser: Bool = false)
    /// Remove all versions, and block some that crashed or hung a host, each with a reason.
    ///
    /// A bundle that a user removes isn't installed on demand again without a question.
    case remove(BundleIdentifier, blocking: [PluginBundle: ErrorReason] = [:], isByUser: Bool = false)
    /// Remove all versions as if they had never been installed, provided that they still belong to the given on-demand install.
    case undoInstall(BundleIdentifier, from: String)
    /// Quarantine the version with a reason; another version replaces it, or none.
    case quarantine(PluginBundle, reason: ErrorReason, then: PluginBundle?)

    /// The identifier of the bundle.
    package var identifier: BundleIdentifier {
        switch self {
        case .activate(let version), .stage(let version): version.bundle.identifier
        case .rollBack(let bundle, _), .quarantine(let bundle, _, _), .unstage(let bundle): bundle.identifier
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
    /// - Throws: as ``requireFree(_:)``.
    @discardableResult
    package func commit(_ changes: [RegistryChange], erasing erased: [BundleIdentifier] = []) throws(AtriumError)
        -> [PluginBundle]
    {
        let released = try write { tables in
            let before = try changes.map { try tables.state(of: $0.identifier) }
            let after = try zip(changes, before).map { try tables.apply($0, to: $1) }
            let switches = zip(before, after).filter { $0.installed?.active != $1.installed?.active }
            for (_, after) in switches { try tables.removeDeclarations(of: after.notes.identifier) }
            for (before, after) in zip(before, after) { try tables.replace(before, by: after) }
            for installed in switches.compactMap({ $1.installed }) {
                try tables.addDeclarations(try tables.versions.manifest(of: installed.active))
            }
            for identifier in erased {
                try tables.notes.change(identifier) { $0.isErased = true }
                try tables.removeRecords(of: identifier, areChoices: true)
            }
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
        try translating { try MinimumVersionFiles(sandbox).raise(bundle.identity) }
        try write { tables in
            try tables.versions.recordSuccessfulRun(of: bundle)
            try tables.notes.change(bundle.identifier) {
                $0.raise(to: bundle.version)
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
}

/// The part of a bundle's state that changes replace as a whole.
private struct InstallState {
    var installed: InstalledBundle?
    var notes: BundleNotes
}

extension RegistryConnection {
    fileprivate func state(of identifier: BundleIdentifier) throws(AtriumError) -> InstallState {
        InstallState(installed: try active.bundle(identifier), notes: try notes.notes(about: identifier))
    }

    /// Stores what differs between two states of a bundle.
    fileprivate func replace(_ before: InstallState, by after: InstallState) throws(AtriumError) {
        if let installed = after.installed {
            if installed != before.installed { try active.set(installed.active, previous: installed.previous) }
        } else if before.installed != nil {
            try active.remove(after.notes.identifier)
        }
        if after.notes != before.notes { try notes.set(after.notes) }
    }

    /// Adds the version of a change, its history, and the block of a crashed version, and returns the state after the change.
    fileprivate func apply(_ change: RegistryChange, to before: InstallState) throws(AtriumError) -> InstallState {
        var state = before
        let (identifier, active) = (change.identifier, before.installed?.active)
        switch change {
        case .activate(let version):
            let (bundle, identity) = (version.bundle, version.bundle.identity)
            try versions.add(version)
            try staged.remove(identifier)
            state.installed = InstalledBundle(active: bundle, previous: before.installed?.kept(below: bundle))
            state.notes.installToken = version.installToken
            if let reason = version.reason { state.notes.install(because: reason) }
            // The version that a rollback has left, or a newer one, becomes active.
            if let skipped = state.notes.skippedThrough, skipped <= identity.version {
                state.notes.skippedThrough = nil
            }
            if bundle.entry == nil { state.notes.raise(to: identity.version) }
            try history.add(active == nil ? .installed : .updated, identity, before: active)
        case .stage(let version):
            let identity = version.bundle.identity
            try versions.add(version)
            try staged.set(version.bundle, waitsForData: version.waitsForData)
            // Only versions that a user has requested by name are staged.
            state.notes.installToken = nil
            if let reason = version.reason { state.notes.install(because: reason) }
            // With the limit of a rollback, the version would be dropped when a host starts next.
            if let skipped = state.notes.skippedThrough, skipped >= identity.version {
                state.notes.skippedThrough = nil
            }
            try history.add(.staged, identity, before: active)
        case .unstage:
            try staged.remove(identifier)
        case .rollBack(let previous, let isByUser):
            // The newer version may have run since the caller read the registry, which removes the rollback target.
            guard let left = active, before.installed?.previous == previous else {
                throw AtriumError(.nothingToRollBack, identifier, reason: "newerHasRun")
            }
            state.installed = InstalledBundle(active: previous, previous: left)
            if isByUser {
                // The bundle isn't updated until a version newer than the one that it leaves is installed.
                state.notes.skippedThrough = left.version > previous.version ? left.version : nil
            }
            // The version is active already and need not become active at the next start.
            try staged.remove(previous)
            try history.add(.rolledBack, previous.identity, before: left)
        case .remove(_, let crashedVersions, let isByUser):
            // Existing blocks end with the bundle; a crash that hasn't been processed yet becomes a new one.
            try quarantine.unblock(identifier)
            for (bundle, reason) in crashedVersions { try quarantine.block(bundle, reason) }
            try remove(&state)
            if let active { try history.add(.uninstalled, active.identity) }
            if isByUser { state.notes.isUninstalled = true }
        case .undoInstall(_, let installToken):
            guard before.notes.installToken == installToken else {
                throw AtriumError(.bundleNeeded, identifier, reason: "requestedMeanwhile")
            }
            try remove(&state)
            try history.removeLast(of: identifier)
        case .quarantine(let bundle, let reason, let successor):
            try quarantine.block(bundle, reason)
            try staged.remove(bundle)
            if bundle != active {
                state.installed = before.installed.map {
                    InstalledBundle(active: $0.active, previous: $0.previous == bundle ? nil : $0.previous)
                }
            } else if let successor {
                state.installed = InstalledBundle(active: successor, previous: nil)
                try history.add(.rolledBack, successor.identity, before: bundle)
            } else {
                state.installed = nil
                try history.add(.disabled, bundle.identity)
            }
        }
        // The reason and the pin only matter while the bundle is active or staged.
        if state.installed == nil, try staged.version(of: identifier) == nil { state.notes.forget() }
        return state
    }

    private func remove(_ state: inout InstallState) throws(AtriumError) {
        state.installed = nil
        state.notes.installToken = nil
        try staged.remove(state.notes.identifier)
    }
}

extension RegistryChange {
    /// Returns whether the history records the removal of a version; uninstalling and quarantining are recorded themselves.
    fileprivate func isPruning(_ released: PluginBundle) -> Bool {
        switch self {
        case .activate, .stage, .unstage, .rollBack: true
        case .quarantine(let bundle, _, _): released != bundle
        case .remove, .undoInstall: false
        }
    }
}
