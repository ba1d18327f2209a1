import HostSystem
public import PluginCore
public import Registry

/// The transaction that returns bundles to their previous versions.
public struct RollbackTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// Rolls bundles back to their previous versions atomically.
    ///
    /// The replaced versions are kept, so that another rollback returns to them. A version below one that has run successfully
    /// is a target only if it has run successfully too. The members of an app go back with the bundle that contains its bundle.json. No catalog
    /// is asked. Updates don't return to the replaced version, or an earlier one, until
    /// ``PinTransaction/unpin(_:)``.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `pinned`, `bundleUnavailable`,
    ///   `sealBroken`, `keyRevoked`, `requirementUnmet`, `dependencyConflict`, `routeConflict`, `targetConflict`,
    ///   `serviceConflict`, `sandboxBusy`, or `libraryIncompatible` or `libraryUnloadable` for a version that this host can't
    ///   load.
    @discardableResult
    public func run(_ identifiers: [BundleIdentifier]) async throws -> [InstallReport] {
        let identifiers = identifiers.reduce(into: [BundleIdentifier]()) { if !$0.contains($1) { $0.append($1) } }
        let reports = try await writer.change {
            try withMembers(identifiers).map { try previous(of: $0) }
        } applying: { targets in
            let versions = try targets.map { try registry.placed($0) }
            try policy.requireReturn(to: versions)
            // A way back may lead forward again, to a higher data version.
            return try await installer.activate(versions) { .rollBack(to: $0.bundle, isByUser: true) }
        }
        for report in reports { await running.ended(report.bundle.identifier) }
        return reports
    }

    /// Returns the bundles, and those that go back with an app because its bundle.json requires their previous versions.
    private func withMembers(_ identifiers: [BundleIdentifier]) throws(AtriumError) -> [BundleIdentifier] {
        var requests: [ChangeRequest] = []
        for identifier in identifiers {
            let previous = try previous(of: identifier)
            guard try FileSystem.isFile(sandbox.folder(of: previous).appending("Resources/bundle.json")) else {
                continue
            }
            requests.append(.rollBack(identifier, to: previous.version))
        }
        if requests.isEmpty { return identifiers }
        let change = try planner.plan(requests, in: KeptOffers(registry: registry), .back)
        let members = change.steps.filter { $0.arrival != nil }.map(\.identifier)
        return identifiers + members.filter { !identifiers.contains($0) }
    }

    private func previous(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle {
        let installed = try registry.requireInstalled(identifier)
        guard let previous = installed.previous else {
            // A version that is kept but isn't a valid target.
            let named = [installed.active, try registry.staged.version(of: identifier)]
            for kept in try registry.versions.all(of: identifier) where !named.contains(kept) {
                try policy.requireRollbackTarget(kept)
            }
            throw AtriumError(
                .nothingToRollBack, identifier, reason: "onlyVersion",
                ["version": "\(installed.active.version)"])
        }
        try policy.requireRollbackTarget(previous)
        if let range = try registry.notes.notes(about: identifier).pin?.versions,
            !range.contains(previous.version)
        {
            throw AtriumError(.pinned, previous.identity, reason: "pinnedTo", ["range": "\(range)"])
        }
        return previous
    }
}

/// The transaction that limits the versions to which a bundle is updated, or lifts that limit.
public struct PinTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// Pins an installed bundle to a range of versions.
    ///
    /// Only a rollback after a crash can move it out of the range. A staged version outside the range is unstaged.
    ///
    /// - Parameter versions: the range; `nil` for the active version only.
    /// - Returns: the pin, and the version that was unstaged.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func pin(
        _ identifier: BundleIdentifier, to versions: VersionRange? = nil
    ) async throws -> (pin: VersionPin, unstaged: PluginBundle?) {
        try await writer.change {
            let active = try registry.requireInstalled(identifier).active.version
            return versions ?? VersionRange(exactly: active)
        } applying: { range in
            try registry.notes.change(identifier) { $0.pinned = range }
            guard let pin = try registry.notes.notes(about: identifier).pin else {
                throw AtriumError(.registryDamaged, identifier, reason: "pinLost")
            }
            guard let version = try registry.staged.version(of: identifier), pin.excludes(version.identity.version)
            else {
                return (pin, nil)
            }
            try transactions.staged.unstage([version])
            return (pin, version)
        }
    }

    /// Removes the pin of an installed bundle, whether a user or a rollback has set it.
    ///
    /// - Returns: the removed pin; `nil` when there was none.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unpin(_ identifier: BundleIdentifier) async throws -> VersionPin? {
        _ = try registry.requireInstalled(identifier)
        // Without a pin, nothing is created or locked.
        if try registry.notes.notes(about: identifier).pin == nil { return nil }
        return try await writer.exclusively {
            let pin = try registry.notes.notes(about: identifier).pin
            try registry.notes.change(identifier) { ($0.pinned, $0.skippedThrough) = (nil, nil) }
            return pin
        }
    }
}
