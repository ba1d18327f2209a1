import Console
public import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// The numbers of hashed bins that a catalog can have.
    public static let binCounts = 1...4_096

    /// The name of the role of all targets without a team, if there is only one bin.
    private static let singleBin = "packages"

    /// Prepares a new catalog: creates a key for each role, and delegates all targets to hashed bins.
    ///
    /// - Returns: The identifiers of the new keys by the names of their roles.
    public mutating func create(bins count: Int, keys: inout CatalogKeys) throws -> [(role: String, key: String)] {
        var created = try [TopLevelRole.root, .targets, .snapshot, .timestamp].map { role in
            let key = try keys.generate().publicKey
            try change { try $0.setKeys([key], threshold: 1, of: role) }
            return (role: role.rawValue, key: key.id)
        }
        let key = try keys.generate().publicKey
        created.append((Self.singleBin, key.id))
        try changeRoles {
            guard count == 1 else { return try $0.delegateToBins(count: count, keys: [key]) }
            let digits = (0..<16).map { String($0, radix: 16) }
            try $0.delegate(to: Self.singleBin, keys: [key], scope: .hashPrefixes(digits))
        }
        return created
    }

    /// Divides the targets without a team into more bins.
    ///
    /// - Throws: ``CommandError`` with `binsInvalid` for fewer bins than there are.
    public mutating func divide(into count: Int) throws {
        let content = try targets(of: "targets")
        let bins = content.delegations?.roles.filter(\.isBin) ?? []
        guard count != bins.count else { return }
        guard count > bins.count, let needed = bins.first?.keys else {
            throw CommandError(.usage, count, reason: "binsInvalid", ["current": .integer(bins.count)])
        }
        let keys = needed.ids.compactMap { content.delegations?.keys[$0] }
        try changeRoles { try $0.divideBins(into: count, keys: keys, threshold: needed.threshold) }
    }
}

extension CatalogEditor {
    /// Returns the keys of a role, and how many must sign.
    ///
    /// - Parameter role: A top-level role, `packages` for all bins, which have one set of keys, or a team's prefix.
    public func keys(of role: String) throws -> RoleKeys {
        if let top = TopLevelRole(rawValue: role) { return repository.root.keys(of: top) }
        let delegations = try delegations()
        if let found = delegations.first(where: { role == ($0.isBin ? Self.singleBin : $0.name) }) { return found.keys }
        let known =
            TopLevelRole.allCases.map(\.rawValue) + [Self.singleBin] + delegations.filter { !$0.isBin }.map(\.name)
        throw CommandError(.notFound, role, reason: "roleUnknown", ["known": .list(known)])
    }

    /// Replaces the keys of a role.
    ///
    /// - Parameters:
    ///   - role: A role as for ``keys(of:)``.
    ///   - new: All new keys.
    ///   - threshold: The number of keys that must sign.
    public mutating func setKeys(_ new: [PublicKey], threshold: Int, of role: String) throws {
        _ = try keys(of: role)
        guard 1...max(1, new.count) ~= threshold, !new.isEmpty else {
            throw Self.rotationInvalid(
                role, "a threshold of \(threshold) needs at least as many keys, but there are \(new.count)")
        }
        if let top = TopLevelRole(rawValue: role) {
            try change { try $0.setKeys(new, threshold: threshold, of: top) }
        } else if role == Self.singleBin {
            let bins = try delegations().filter(\.isBin)
            try changeRoles {
                for bin in bins {
                    try $0.delegate(
                        to: bin.name, keys: new, threshold: threshold, scope: bin.scope,
                        isTerminating: bin.isTerminating)
                }
            }
        } else {
            try delegate(role, to: new, threshold: threshold)
        }
    }

    /// Replaces one key of a role by a new one in the folder of keys.
    ///
    /// - Parameter old: The beginning of the identifier of the old key; nil for the only one.
    public mutating func rotateKey(of role: String, replacing old: String?, keys: inout CatalogKeys) throws {
        let current = try self.keys(of: role)
        let matches = current.ids.filter { $0.hasPrefix(old ?? "") }
        guard let replaced = matches.first, matches.count == 1 else {
            throw Self.rotationInvalid(
                role,
                matches.isEmpty
                    ? "it has no key \"\(old ?? "")\"" : "it has \(matches.count) keys, of which one must be named")
        }
        let known =
            TopLevelRole(rawValue: role) == nil
            ? try targets(of: "targets").delegations?.keys ?? [:] : repository.root.keys
        let rest = current.ids.filter { $0 != replaced }.compactMap { known[$0] }
        try setKeys(rest + [keys.generate().publicKey], threshold: current.threshold, of: role)
    }

    private static func rotationInvalid(_ role: String, _ problem: String) -> CommandError {
        CommandError(.usage, role, reason: "rotationInvalid", ["problem": "\(problem)"])
    }

    /// Returns the next root without signatures, for its owners to sign.
    public func rootDraft() throws -> SignedMetadata<Root> { try reporting(folder) { try repository.unsignedRoot() } }

    /// Uses a root that was signed elsewhere.
    ///
    /// - Throws: ``CommandError`` if it is not the next one, or not signed by enough old and new keys.
    public mutating func use(_ root: SignedMetadata<Root>) throws { try change { try $0.importRoot(root) } }
}

extension CatalogEditor {
    /// Delegates the identifiers below a prefix to a team, or replaces the team's keys.
    ///
    /// Only the team's keys can sign targets of the prefix afterwards. Targets that are published already become the team's, so its keys
    /// must sign them once: they are in the folder of keys, or the draft is signed elsewhere.
    ///
    /// - Throws: ``CommandError`` with `prefixInvalid`.
    public mutating func delegate(_ prefix: String, to keys: [PublicKey], threshold: Int = 1) throws {
        guard BundleIdentifier.isValid(prefix) else { throw CommandError(.usage, prefix, reason: "prefixInvalid") }
        let delegations = try delegations()
        let scope = Delegation.Scope.paths([PathPattern("\(prefix)/*"), PathPattern("\(prefix).*/*")])
        func isWider(_ other: Delegation) -> Bool { other.isBin || prefix.hasPrefix(other.name + ".") }
        // Longer prefixes come first, or the role of a shorter one would have their targets.
        let position = delegations.firstIndex(where: isWider)
        try changeRoles {
            try $0.delegate(
                to: prefix, keys: keys, threshold: threshold, scope: scope, isTerminating: true, at: position)
        }
        guard !delegations.contains(where: { $0.name == prefix }) else { return }
        for delegation in delegations where isWider(delegation) { try moveTargets(of: delegation, to: prefix) }
    }

    /// Moves the targets that another role now has precedence for.
    private mutating func moveTargets(of old: Delegation, to new: String) throws {
        let content = try targets(of: old.name)
        for path in content.paths where try role(for: path) == new {
            guard let file = content[path] else { continue }
            try change {
                try $0.addTarget(path, published: file, role: new)
                // Another team's role would have to be signed by that team. Its targets are not found anymore anyway.
                if old.isBin { try $0.removeTarget(path, role: old.name) }
            }
        }
    }

    /// Returns the next metadata of a role without signatures, for its owners to sign.
    public func draft(of role: String) throws -> SignedMetadata<Targets> {
        try reporting(folder) { try repository.unsignedTargets(of: role) }
    }

    /// Uses a draft that was signed elsewhere.
    ///
    /// - Throws: ``CommandError`` with `importInvalid` if it is not the draft of the same changes.
    public mutating func use(_ signed: SignedMetadata<Targets>, of role: String, from file: FilePath) throws {
        var draft = try draft(of: role).content
        draft.expires = signed.content.expires
        guard draft.json == signed.content.json else {
            throw CommandError.importInvalid(file, "it has other content than this change")
        }
        try change { try $0.importTargets(signed, of: role) }
    }
}
