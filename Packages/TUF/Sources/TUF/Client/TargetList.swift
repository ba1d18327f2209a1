import HostSystem
import TUFMetadata

/// All targets of all roles, as a search for each of them would find it.
struct TargetList {
    let trusted: TrustedMetadata
    let loader: RoleLoader
    let limits: ClientLimits

    private typealias Role = Result<SignedMetadata<Targets>, TUFError>

    func targets() async throws(TUFError) -> [FoundTarget] {
        let roles = try await roles()
        var paths = trusted.targets.content.paths
        for case .success(let role) in roles.values { paths += role.content.paths }
        paths.sort { $0.isBefore($1) }
        var targets: [FoundTarget] = []
        var last: String?
        for path in paths where last.map({ !$0.hasSameBytes(as: path) }) ?? true {
            last = path
            if let target = try await find(path, in: roles) { targets.append(target) }
            guard !Task.isCancelled else { throw TUFError(.transferFailed, detail: "canceled") }
        }
        return targets
    }

    /// Searches a target in roles that are loaded, by the same rules as in all searches.
    private func find(_ path: String, in roles: [RoleReference: Role]) async throws(TUFError) -> FoundTarget? {
        do throws(TUFError) {
            return try await TargetSearch(trusted: trusted, limit: limits.visitedRoles) { role throws(TUFError) in
                guard let loaded = roles[role] else { throw TUFError(.roleUnknown, role.name) }
                return try loaded.get()
            }.find(path)
        } catch {
            if error.code == .expired { return nil }
            throw error
        }
    }

    /// Loads all roles, level by level.
    private func roles() async throws(TUFError) -> [RoleReference: Role] {
        var roles: [RoleReference: Role] = [:]
        var level = Self.references(in: trusted.targets.content)
        while !level.isEmpty {
            let new = Set(level).subtracting(roles.keys)
            guard roles.count + new.count <= limits.listedRoles else {
                throw TUFError(.tooManyRoles, detail: "more than \(limits.listedRoles)")
            }
            level = []
            for (reference, role) in await load(new) {
                switch role {
                case .success(let metadata): level += Self.references(in: metadata.content)
                case .failure(let error) where error.code != .expired: throw error
                case .failure: break
                }
                roles[reference] = role
            }
        }
        return roles
    }

    /// Loads roles at once, as far as the source allows.
    private func load(_ references: Set<RoleReference>) async -> [(RoleReference, Role)] {
        await withTaskGroup(of: (RoleReference, Role).self) { group in
            for reference in references {
                group.addTask {
                    let snapshot = trusted.snapshot.content
                    return await (
                        reference,
                        result { () async throws(TUFError) in try await loader.targets(reference, in: snapshot) }
                    )
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func references(in role: Targets) -> [RoleReference] {
        guard let delegations = role.delegations else { return [] }
        return delegations.roles.map { RoleReference(name: $0.name, role: $0.keys, keys: delegations.keys) }
    }
}
