/// I9: A downloaded package that has its name is one of the published ones, byte for byte. Only hidden files may be incomplete.
public struct DownloadsAreWhole: SandboxInvariant {
    /// The name for reports.
    public let name = "I9"
    private let digests: Set<String>

    /// Creates the invariant.
    ///
    /// - Parameter digests: The SHA-256 digests of all published packages.
    public init(digests: Set<String>) {
        self.digests = digests
    }

    /// Returns the files that are not published packages.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        state.nodes(below: "Containers/Catalogs").sorted { $0.key < $1.key }.compactMap { path, node in
            let parts = path.split(separator: "/")
            guard parts.count == 3, parts[1] == "packages", !parts[2].hasPrefix(".") else { return nil }
            if case .file(_, _, let digest) = node, digests.contains(digest) { return nil }
            return "\(path) is no published package: \(node)"
        }
    }
}
