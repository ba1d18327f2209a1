public import TUFMetadata

// Delegations, and metadata of roles that is signed elsewhere.
extension RepositoryEditor {
    /// Delegates targets to a role, or replaces its keys and scope. A new role has no targets.
    ///
    /// - Parameters:
    ///   - name: The name of the role.
    ///   - keys: The keys of the role.
    ///   - threshold: The number of keys that must sign.
    ///   - scope: The targets that the role may describe.
    ///   - isTerminating: A Boolean value that indicates whether later delegations are not searched for targets in scope.
    ///   - position: The position of a new role among the delegations, or nil for the end. The first role with a target wins.
    ///   - delegator: The role that delegates.
    public mutating func delegate(
        to name: String, keys: [PublicKey], threshold: Int = 1, scope: Delegation.Scope, isTerminating: Bool = false,
        at position: Int? = nil, from delegator: String = "targets"
    ) throws(TUFError) {
        guard PercentEncoding.encoded(name) == name, !name.hasPrefix(".") else {
            throw TUFError(.editInvalid, name, detail: "a name with other characters than letters, digits and -._~")
        }
        let roleKeys = try Self.roleKeys(keys, threshold: threshold)
        let delegation = try Delegation(to: name, keys: roleKeys, scope: scope, isTerminating: isTerminating)
        try edit(delegator) { content in
            var delegations = content.delegations ?? Delegations()
            if let index = delegations.roles.firstIndex(where: { $0.name == name }) {
                delegations.roles[index] = delegation
            } else {
                let end = delegations.roles.count
                delegations.roles.insert(delegation, at: min(max(position ?? end, 0), end))
            }
            for key in keys { delegations.keys[key.id] = key }
            let used = Set(delegations.roles.flatMap(\.keys.ids))
            delegations.keys = delegations.keys.filter { used.contains($0.key) }
            content.delegations = delegations
        }
        // The role is signed again, because its keys may have changed.
        if (try? targets(of: name)) == nil { edited[name] = Targets(expires: .now) } else { try edit(name) { _ in } }
    }

    /// Delegates all targets to bins by the hashes of their paths, so that a client reads one short file to find a target.
    ///
    /// - Parameters:
    ///   - count: The number of bins, a power of two of at most 65,536.
    ///   - keys: The keys of all bins.
    public mutating func delegateToBins(count: Int, keys: [PublicKey], threshold: Int = 1) throws(TUFError) {
        for bin in try hashedBins(count) {
            try delegate(to: bin.name, keys: keys, threshold: threshold, scope: .hashPrefixes(bin.prefixes))
        }
    }

    /// Divides the targets of all hashed bins into another number of bins, which keep their targets.
    ///
    /// - Parameters:
    ///   - count: The number of bins, a power of two of at most 65,536.
    ///   - keys: The keys of all bins.
    public mutating func divideBins(into count: Int, keys: [PublicKey], threshold: Int = 1) throws(TUFError) {
        let bins = try hashedBins(count)
        var moved: [(path: String, file: TargetFile)] = []
        var old: Set<String> = []
        for delegation in try targets(of: "targets").delegations?.roles ?? [] {
            guard case .hashPrefixes = delegation.scope else { continue }
            let content = try targets(of: delegation.name)
            for path in content.paths { if let file = content[path] { moved.append((path, file)) } }
            old.insert(delegation.name)
        }
        try edit("targets") { $0.delegations?.roles.removeAll { old.contains($0.name) } }
        for role in old { (edited[role], imported[role]) = (nil, nil) }
        try delegateToBins(count: count, keys: keys, threshold: threshold)
        // A role that another number of bins has, too, begins without its old targets.
        for bin in bins { edited[bin.name] = Targets(expires: .now) }
        let delegations = try targets(of: "targets").delegations
        for (path, file) in moved {
            guard let bin = try delegations?.roles(covering: path).first(where: \.isBin) else { continue }
            try edit(bin.name) { $0[path] = file }
        }
    }

    /// Returns the next metadata of a targets role without signatures, to be signed in other places.
    public func unsignedTargets(of role: String, at time: UTCTime = .now) throws(TUFError) -> SignedMetadata<Targets> {
        let old = published?.snapshot.content[role]?.version
        return try SignedMetadata(targets(of: role).next(after: old, at: time, days: lifetimes.targets))
    }

    /// Uses metadata of a targets role that was signed elsewhere.
    ///
    /// - Throws: ``TUFError`` with code `editInvalid` for another version than the next one, or `notSigned`.
    public mutating func importTargets(_ signed: SignedMetadata<Targets>, of role: String) throws(TUFError) {
        guard signed.content.version == (published?.snapshot.content[role]?.version ?? 0) + 1 else {
            throw TUFError(.editInvalid, role, detail: "version \(signed.content.version) is not the next one")
        }
        try verify(signed, of: role)
        imported[role] = signed
        edited[role] = nil
    }

    /// Throws an error unless metadata is signed by the keys that the next state names for its role.
    func verify(_ signed: SignedMetadata<Targets>, of role: String) throws(TUFError) {
        let (keys, roleKeys) = try delegatedKeys(of: role)
        try about("\(role).json", do: signed.verify(by: keys, role: roleKeys))
    }

    /// Returns the keys that the next state names for a targets role, and how many of them must sign.
    ///
    /// - Throws: ``TUFError`` with code `roleUnknown`.
    public func keys(ofTargetsRole role: String) throws(TUFError) -> RoleKeys { try delegatedKeys(of: role).role }

    /// Returns the keys that the next state names for a role.
    func delegatedKeys(of role: String) throws(TUFError) -> (keys: [String: PublicKey], role: RoleKeys) {
        if role == "targets" { return (root.keys, root.keys(of: .targets)) }
        var visited: Set<String> = []
        var delegators = ["targets"]
        while let delegator = delegators.popLast() {
            guard visited.insert(delegator).inserted, let delegations = try targets(of: delegator).delegations else {
                continue
            }
            if let found = delegations.roles.first(where: { $0.name == role }) { return (delegations.keys, found.keys) }
            delegators += delegations.roles.map(\.name).reversed()
        }
        throw TUFError(.roleUnknown, role)
    }
}

/// Returns bins of all paths, with the first digits of the SHA-256 digests of their paths.
private func hashedBins(_ count: Int) throws(TUFError) -> [(name: String, prefixes: [String])] {
    guard 1...65_536 ~= count, count.nonzeroBitCount == 1 else {
        throw TUFError(.editInvalid, detail: "\(count) bins are not a power of two of at most 65,536")
    }
    // The fewest digits with which each bin has at least one prefix.
    let digits = max(1, (count.trailingZeroBitCount + 3) / 4)
    func text(_ number: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
    let width = 1 << (4 * digits) / count
    return (0..<count).map { bin in
        let numbers = (bin * width)..<((bin + 1) * width)
        return ("bin-\(text(numbers.lowerBound))", numbers.map(text))
    }
}

extension Delegation {
    /// A Boolean value that indicates whether the role is one of hashed bins.
    fileprivate var isBin: Bool {
        if case .hashPrefixes = scope { true } else { false }
    }
}
