import TUFMetadata

/// All targets of all roles, as a search for each of them would find it.
struct TargetList {
    let trusted: TrustedMetadata
    let loader: TargetsLoader
    let limits: ClientLimits

    /// A role, with the keys by which its metadata must be signed. Two delegators may have different ones.
    private struct Reference: Hashable {
        /// Encoded, because names are compared byte by byte.
        let name: String
        let roleKeys: RoleKeys
        let keys: [String: PublicKey]

        init(_ step: TargetSearch.Step) {
            name = PercentEncoding.encoded(step.delegation.name)
            roleKeys = step.delegation.keys
            keys = step.keys.filter { step.delegation.keys.ids.contains($0.key) }
        }
    }

    /// The number of roles that are fetched at once.
    private static let width = 4

    func targets() async throws(TUFError) -> [FoundTarget] {
        let roles = try await roles()
        var paths = trusted.targets.content.paths
        for case .success(let role) in roles.values { paths += role.content.paths }
        paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var targets: [FoundTarget] = []
        var last: String?
        for path in paths where last.map({ !$0.utf8.elementsEqual(path.utf8) }) ?? true {
            last = path
            if let target = try await find(path, in: roles) { targets.append(target) }
            guard !Task.isCancelled else { throw TUFError(.transferFailed, detail: "canceled") }
        }
        return targets
    }

    /// Searches a target in roles that are loaded, by the same rules as in all searches.
    private func find(
        _ path: String, in roles: [Reference: Result<SignedMetadata<Targets>, TUFError>]
    ) async throws(TUFError) -> FoundTarget? {
        do throws(TUFError) {
            return try await TargetSearch(trusted: trusted, limit: limits.visitedRoles) { (step) throws(TUFError) in
                guard let role = roles[Reference(step)] else { throw TUFError(.roleUnknown, step.delegation.name) }
                return try role.get()
            }.find(path)
        } catch {
            if error.code == .expired { return nil }
            throw error
        }
    }

    /// Loads all roles, level by level.
    private func roles() async throws(TUFError) -> [Reference: Result<SignedMetadata<Targets>, TUFError>] {
        var roles: [Reference: Result<SignedMetadata<Targets>, TUFError>] = [:]
        var level = Self.steps(from: trusted.targets.content)
        while !level.isEmpty {
            var new: [Reference: TargetSearch.Step] = [:]
            for step in level where roles[Reference(step)] == nil { new[Reference(step)] = step }
            guard roles.count + new.count <= limits.listedRoles else {
                throw TUFError(.tooManyRoles, detail: "more than \(limits.listedRoles)")
            }
            level = []
            for (reference, role) in await load(new) {
                switch role {
                case .success(let metadata): level += Self.steps(from: metadata.content)
                case .failure(let error) where error.code != .expired: throw error
                case .failure: break
                }
                roles[reference] = role
            }
        }
        return roles
    }

    private func load(
        _ steps: [Reference: TargetSearch.Step]
    ) async -> [(Reference, Result<SignedMetadata<Targets>, TUFError>)] {
        typealias Loaded = (Reference, Result<SignedMetadata<Targets>, TUFError>)
        return await withTaskGroup(of: Loaded.self) { group in
            var loaded: [Loaded] = []
            var rest = steps.makeIterator()
            for (reference, step) in (0..<Self.width).compactMap({ _ in rest.next() }) {
                group.addTask { (reference, await load(step)) }
            }
            while let next = await group.next() {
                loaded.append(next)
                guard let (reference, step) = rest.next() else { continue }
                group.addTask { (reference, await load(step)) }
            }
            return loaded
        }
    }

    private func load(_ step: TargetSearch.Step) async -> Result<SignedMetadata<Targets>, TUFError> {
        await result { () async throws(TUFError) in try await loader.load(step, in: trusted) }
    }

    private static func steps(from role: Targets) -> [TargetSearch.Step] {
        (role.delegations?.roles ?? []).map { TargetSearch.Step(delegation: $0, keys: role.delegations?.keys ?? [:]) }
    }
}
