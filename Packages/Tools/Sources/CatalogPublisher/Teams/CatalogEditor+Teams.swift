import CatalogFormat
public import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// Delegates the identifiers below a prefix to a team, or replaces the team's keys.
    ///
    /// Only the team's keys can sign targets of the prefix afterwards. Targets that are published already become the team's, so its keys
    /// must sign them once: they are in the folder of keys, or the draft is signed elsewhere.
    ///
    /// - Throws: ``PublisherError`` with `prefixInvalid`.
    public mutating func delegate(_ prefix: String, to keys: [PublicKey], threshold: Int = 1) throws {
        guard BundleIdentifier.isValid(prefix) else { throw PublisherError.prefixInvalid(prefix) }
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
    /// - Throws: ``PublisherError`` with `importInvalid` if it is not the draft of the same changes.
    public mutating func use(_ signed: SignedMetadata<Targets>, of role: String, from file: FilePath) throws {
        var draft = try draft(of: role).content
        draft.expires = signed.content.expires
        guard draft.json == signed.content.json else {
            throw PublisherError.importInvalid(file, "it has other content than this change")
        }
        try change { (repository) throws(TUFError) in try repository.importTargets(signed, of: role) }
    }
}
