import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// The names of all roles whose keys can be replaced; the bins have one set of keys.
    public func rotatableRoles() throws -> [String] {
        TopLevelRole.allCases.map(\.rawValue) + [Self.singleBin] + (try delegations().filter { !$0.isBin }.map(\.name))
    }

    /// Returns the keys of a role, and how many must sign.
    public func keys(of role: String) throws -> RoleKeys {
        if let top = TopLevelRole(rawValue: role) { return repository.root.keys(of: top) }
        let found = try delegations().first { role == Self.singleBin ? $0.isBin : $0.name == role && !$0.isBin }
        guard let found else { throw PublisherError.roleUnknown(role, known: try rotatableRoles()) }
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
            throw PublisherError.rotationInvalid(
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
            throw PublisherError.rotationInvalid(
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
    /// - Throws: ``PublisherError`` if it is not the next one, or not signed by enough old and new keys.
    public mutating func use(_ root: SignedMetadata<Root>) throws {
        try change { (repository) throws(TUFError) in try repository.importRoot(root) }
    }
}
