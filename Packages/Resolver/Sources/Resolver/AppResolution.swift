import HostSystem
public import PluginCore
public import PluginRuntime

/// The choice of the versions that an app consists of, without regard to what is installed.
struct AppResolution {
    let planner: ChangePlanner
    let catalog: any Offers
    let members: [AppMember]
    /// The versions to keep of an earlier lock, as far as they still fit.
    let kept: [AppLock.Bundle]

    /// Returns the members and all bundles that they require.
    ///
    /// Each member gets the newest version that the app allows and that goes together with the others; versions that this sandbox blocks, such
    /// as one that has crashed a host, are left out.
    ///
    /// - Throws: ``AtriumError`` with code `appIncomplete` and each bundle that no source has, and as ``VersionChooser``.
    func bundles() throws(AtriumError) -> [AppLock.Bundle] {
        try requireOffered(members)
        let steps: [ResolvedChange.Step]
        do {
            if let kept = try keeping() { steps = kept } else { steps = try plan([:]) }
        } catch  where error.code == .requirementUnmet {
            // The error has one requirement, but all that cannot be had are to be named.
            try requireOffered(requirements())
            throw error
        }
        return try steps.compactMap(\.arrival).map { identity throws(AtriumError) in
            let package = try catalog.package(identity)
            return AppLock.Bundle(
                digest: try package.sealDigest(), identifier: identity.identifier, length: package.size,
                version: identity.version)
        }
    }

    /// Returns the plan with the versions of the earlier lock that still fit; `nil` if there is none.
    private func keeping() throws(AtriumError) -> [ResolvedChange.Step]? {
        var fitting: [BundleIdentifier: SemanticVersion] = [:]
        for bundle in kept {
            let (identifier, version) = (bundle.identifier, bundle.version)
            guard members.allSatisfy({ $0.identifier != identifier || $0.allows(version) }),
                try catalog.versions(of: identifier).contains(version),
                try catalog.package(bundle.identity).sealDigest() == bundle.digest
            else { continue }
            fitting[identifier] = version
        }
        let fittingMembers = fitting.filter { entry in members.contains { $0.identifier == entry.key } }
        // If a bundle that a member requires has to move, all such bundles are chosen anew; if a member has to, everything is.
        for fixed in [fitting, fittingMembers] where !fixed.isEmpty {
            do {
                return try plan(fixed)
            } catch {
                if error.isEnvironmental { throw error }
            }
        }
        return nil
    }

    private func plan(
        _ fixed: [BundleIdentifier: SemanticVersion]
    ) throws(AtriumError) -> [ResolvedChange.Step] {
        let requests = try members.map { member throws(AtriumError) in
            // The range of the app is no requirement of a bundle, so that a pre-release has to be requested by its version.
            let allowed = try catalog.versions(of: member.identifier).filter(member.allows)
            let isEarly = member.versions != nil && allowed.allSatisfy { !$0.prerelease.isEmpty }
            let version = fixed[member.identifier] ?? (isEarly ? allowed.max() : nil)
            return ChangeRequest.install(member.identifier, version)
        }
        let blockRule = try planner.blockRule(in: catalog)
        let question = VersionQuestion(
            requests, sandbox: EmptySandbox(), offers: planner.sealed(catalog)
        ) { identity throws(AtriumError) in
            guard let version = fixed[identity.identifier], version != identity.version else {
                return try blockRule(identity)
            }
            return AtriumError(.lockMismatch, identity, reason: "lockHas", ["version": "\(version)"])
        }
        return try planner.chooser.change(question).steps
    }

    /// Returns the requirements of the newest allowed version of each member.
    private func requirements() throws(AtriumError) -> [AppMember] {
        var required: [AppMember] = []
        for member in members {
            guard let newest = try catalog.versions(of: member.identifier).filter(member.allows).max() else { continue }
            let manifest = try catalog.package(BundleIdentity(identifier: member.identifier, version: newest)).manifest
            required += manifest.requirements.filter { !$0.isOnDemand }.map {
                AppMember($0.identifier, versions: $0.versions)
            }
        }
        return required
    }

    /// Checks that each of some bundles is offered in a version that is allowed.
    ///
    /// - Throws: ``AtriumError`` with code `appIncomplete`, which names all that are not.
    private func requireOffered(_ members: [AppMember]) throws(AtriumError) {
        var missing: [BundleIdentifier] = []
        var problems: [ErrorReason] = []
        var failure: AtriumError?
        // All are asked before the first error, so that everything that is missing is fetched together.
        for member in members where !missing.contains(member.identifier) {
            do {
                let offered = try catalog.versions(of: member.identifier)
                if offered.isEmpty { try catalog.requireReachable() }
                guard !offered.contains(where: member.allows) else { continue }
                missing.append(member.identifier)
                guard let newest = offered.max(), let range = member.versions else {
                    problems.append(ErrorReason("catalogHasNoBundle", ["bundle": .text(member.identifier)]))
                    continue
                }
                problems.append(
                    ErrorReason(
                        "catalogHasNoneInRange",
                        ["bundle": .text(member.identifier), "range": "\(range)", "newest": "\(newest)"]))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        guard !missing.isEmpty else { return }
        throw AtriumError(.appIncomplete, missing.map(\.text).joined(separator: ", "), problems: problems)
    }
}

/// A sandbox in which nothing is installed.
private struct EmptySandbox: ResolverSandbox {
    func installed(_ identifier: BundleIdentifier) -> VersionQuestion.Installed? { nil }
    func dependents(of identifier: BundleIdentifier) -> [BundleIdentifier] { [] }
}

extension OfferedVersions {
    /// Chooses the versions that an app consists of, without regard to what is installed.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - members: Its bundles with the versions that it allows.
    ///   - kept: An earlier lock, whose versions are kept as far as they still fit; `nil` to choose the newest versions.
    /// - Throws: ``AtriumError`` with code `appIncomplete` and each bundle that no source has, `requirementUnmet`, `dependencyConflict`,
    ///   `excludedByApp`, `quarantined`, `pinned`, `catalogUnreachable`, and the errors of packages.
    public func lock(
        _ app: AppLock.App, _ members: [AppMember], keeping kept: AppLock? = nil
    ) throws(AtriumError) -> AppLock {
        let resolution = AppResolution(planner: planner, catalog: catalog, members: members, kept: kept?.bundles ?? [])
        return AppLock(app: app, bundles: try resolution.bundles())
    }
}
