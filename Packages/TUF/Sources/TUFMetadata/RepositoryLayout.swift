internal import PluginCore

/// The paths of a repository's files, percent-encoded.
public enum RepositoryLayout {
    /// Returns the path of a metadata file.
    ///
    /// - Parameter version: The version for a repository with consistent snapshots, or nil.
    public static func metadata(_ role: String, version: Int?) -> String {
        (version.map { "\($0)." } ?? "") + PercentCoding.encode(role) + ".json"
    }

    /// Returns the path of a target.
    ///
    /// - Parameters:
    ///   - path: The name of the target in metadata.
    ///   - hash: The hash for a repository with consistent snapshots, or nil.
    ///   - isEncoded: A Boolean value that indicates whether the result is for an address, rather than for a file.
    /// - Throws: ``TUFError`` with code `targetNameUnsafe` for a path with empty parts or dots, which would lead elsewhere.
    public static func target(_ path: String, hash: String?, isEncoded: Bool = true) throws(TUFError) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.popLast(), !parts.contains(where: { ["", ".", ".."].contains($0) }),
            !["", ".", ".."].contains(name), !path.utf8.contains(0)
        else { throw TUFError(.targetNameUnsafe, path) }
        parts.append((hash.map { "\($0)." } ?? "") + name)
        return parts.map { isEncoded ? PercentCoding.encode($0) : $0 }.joined(separator: "/")
    }
}
