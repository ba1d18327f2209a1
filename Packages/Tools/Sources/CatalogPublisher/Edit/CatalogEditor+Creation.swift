import PluginCore
import TUFMetadata
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
    /// - Throws: ``PublisherError`` with `binsInvalid` for fewer bins than there are.
    public mutating func divide(into count: Int) throws {
        let bins = bins
        guard count != bins.count else { return }
        guard count > bins.count, Self.binCounts.contains(count), count.nonzeroBitCount == 1, let first = bins.first
        else {
            throw PublisherError.binsInvalid(count, current: bins.count)
        }
        let content = try inRepository { () throws(TUFError) in try repository.targets(of: "targets") }
        let keys = first.keys.ids.compactMap { content.delegations?.keys[$0] }
        try change { (repository) throws(TUFError) in
            try repository.divideBins(into: count, keys: keys, threshold: first.keys.threshold)
        }
        try updateIndex()
    }
}
