import Console
import CatalogFormat
public import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// The numbers of hashed bins that a catalog can have.
    public static let binCounts = 1...4_096

    /// The name of the role of all targets without a team, if there is only one bin.
    static let singleBin = "packages"

    /// Prepares a new catalog: creates a key for each role, and delegates all targets to hashed bins.
    ///
    /// - Returns: The identifiers of the new keys by the names of their roles.
    public mutating func create(bins count: Int, keys: inout CatalogKeys) throws -> [(role: String, key: String)] {
        var created: [(role: String, key: String)] = []
        for role in [TopLevelRole.root, .targets, .snapshot, .timestamp] {
            let key = try keys.generate().publicKey
            try change { (repository) throws(TUFError) in try repository.setKeys([key], threshold: 1, of: role) }
            created.append((role.rawValue, key.id))
        }
        let key = try keys.generate().publicKey
        try change { (repository) throws(TUFError) in
            if count == 1 {
                let digits = (0..<16).map { String($0, radix: 16) }
                try repository.delegate(to: Self.singleBin, keys: [key], scope: .hashPrefixes(digits))
            } else {
                try repository.delegateToBins(count: count, keys: [key])
            }
        }
        created.append((Self.singleBin, key.id))
        try updateIndex()
        return created
    }

    /// Divides the targets without a team into more bins.
    ///
    /// - Throws: ``CommandError`` with `binsInvalid` for fewer bins than there are.
    public mutating func divide(into count: Int) throws {
        let bins = bins
        guard count != bins.count else { return }
        guard count > bins.count, Self.binCounts.contains(count), count.nonzeroBitCount == 1, let first = bins.first
        else {
            throw CommandError.binsInvalid(count, current: bins.count)
        }
        let content = try inRepository { () throws(TUFError) in try repository.targets(of: "targets") }
        let keys = first.keys.ids.compactMap { content.delegations?.keys[$0] }
        try change { (repository) throws(TUFError) in
            try repository.divideBins(into: count, keys: keys, threshold: first.keys.threshold)
        }
        try updateIndex()
    }
}

extension CatalogEditor {
    /// The names of all roles whose keys can be replaced; the bins have one set of keys.
    public func rotatableRoles() throws -> [String] {
        TopLevelRole.allCases.map(\.rawValue) + [Self.singleBin] + (try delegations().filter { !$0.isBin }.map(\.name))
    }

    /// Returns the keys of a role, and how many must sign.
    public func keys(of role: String) throws -> RoleKeys {
        if let top = TopLevelRole(rawValue: role) { return repository.root.keys(of: top) }
        let found = try delegations().first { role == Self.singleBin ? $0.isBin : $0.name == role && !$0.isBin }
        guard let found else { throw CommandError.roleUnknown(role, known: try rotatableRoles()) }
        return found.keys
    }

    /// Replaces the keys of a role.
    ///
    /// - Parameters:
    ///   - role: A top-level role, `packages` for all bins, or a team's prefix.
    ///   - new: All new keys.
    ///   - threshold: The number of keys that must sign.
    public mutating func setKeys(_ new: [PublicKey], threshold: Int, of role: String) throws {
        _ = try keys(of: role)
        guard 1...max(1, new.count) ~= threshold, !new.isEmpty else {
            throw CommandError.rotationInvalid(
                role: role, "a threshold of \(threshold) needs at least as many keys, but there are \(new.count)")
        }
        if let top = TopLevelRole(rawValue: role) {
            try change { (repository) throws(TUFError) in try repository.setKeys(new, threshold: threshold, of: top) }
        } else if role == Self.singleBin {
            let bins = bins
            try change { (repository) throws(TUFError) in
                for bin in bins {
                    try repository.delegate(
                        to: bin.name, keys: new, threshold: threshold, scope: bin.scope,
                        isTerminating: bin.isTerminating)
                }
            }
        } else {
            try delegate(role, to: new, threshold: threshold)
        }
        try updateIndex()
    }

    /// Replaces one key of a role by a new one in the folder of keys.
    ///
    /// - Parameter old: The identifier of the old key; nil for the only one.
    /// - Returns: The identifiers of the old and the new key.
    public mutating func rotateKey(
        of role: String, replacing old: String?, keys: inout CatalogKeys
    ) throws -> (old: String, new: String) {
        let current = try self.keys(of: role)
        let matches = current.ids.filter { id in old.map { id.hasPrefix($0) } ?? true }
        guard let replaced = matches.first, matches.count == 1 else {
            throw CommandError.rotationInvalid(
                role: role,
                matches.isEmpty
                    ? "it has no key \"\(old ?? "")\"" : "it has \(matches.count) keys, of which one must be named")
        }
        var rest: [PublicKey] = []
        let known: [String: PublicKey] =
            TopLevelRole(rawValue: role) == nil
            ? try inRepository { () throws(TUFError) in try repository.targets(of: "targets") }.delegations?.keys ?? [:]
            : repository.root.keys
        for id in current.ids where id != replaced { if let key = known[id] { rest.append(key) } }
        let new = try keys.generate().publicKey
        try setKeys(rest + [new], threshold: current.threshold, of: role)
        return (replaced, new.id)
    }

    /// Returns the next root without signatures, for its owners to sign.
    public func rootDraft() throws -> SignedMetadata<Root> {
        try inRepository { () throws(TUFError) in try repository.unsignedRoot() }
    }

    /// Uses a root that was signed elsewhere.
    ///
    /// - Throws: ``CommandError`` if it is not the next one, or not signed by enough old and new keys.
    public mutating func use(_ root: SignedMetadata<Root>) throws {
        try change { (repository) throws(TUFError) in try repository.importRoot(root) }
    }
}

extension CatalogEditor {
    /// Delegates the identifiers below a prefix to a team, or replaces the team's keys.
    ///
    /// Only the team's keys can sign targets of the prefix afterwards. Targets that are published already become the team's, so its keys
    /// must sign them once: they are in the folder of keys, or the draft is signed elsewhere.
    ///
    /// - Throws: ``CommandError`` with `prefixInvalid`.
    public mutating func delegate(_ prefix: String, to keys: [PublicKey], threshold: Int = 1) throws {
        guard BundleIdentifier.isValid(prefix) else { throw CommandError.prefixInvalid(prefix) }
        let delegations = try delegations()
        let scope = Delegation.Scope.paths([PathPattern("\(prefix)/*"), PathPattern("\(prefix).*/*")])
        // Longer prefixes come first, or the role of a shorter one would have their targets.
        let position = delegations.firstIndex { $0.isBin || prefix.hasPrefix($0.name + ".") }
        let isNew = !delegations.contains { $0.name == prefix }
        try change { (repository) throws(TUFError) in
            try repository.delegate(
                to: prefix, keys: keys, threshold: threshold, scope: scope, isTerminating: true, at: position)
        }
        try updateIndex()
        guard isNew else { return }
        for delegation in delegations where delegation.isBin || prefix.hasPrefix(delegation.name + ".") {
            try moveTargets(of: delegation, to: prefix)
        }
    }

    /// Moves the targets that another role now has precedence for.
    private mutating func moveTargets(of old: Delegation, to new: String) throws {
        let content = try inRepository { () throws(TUFError) in try repository.targets(of: old.name) }
        for path in content.paths where try role(for: path) == new {
            guard let file = content[path] else { continue }
            try change { (repository) throws(TUFError) in
                try repository.addTarget(path, published: file, role: new)
                // Another team's role would have to be signed by that team. Its targets are not found anymore anyway.
                if old.isBin { try repository.removeTarget(path, role: old.name) }
            }
        }
    }

    /// Returns the next metadata of a role without signatures, for its owners to sign.
    public func draft(of role: String) throws -> SignedMetadata<Targets> {
        try inRepository { () throws(TUFError) in try repository.unsignedTargets(of: role) }
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
        try change { (repository) throws(TUFError) in try repository.importTargets(signed, of: role) }
    }
}
