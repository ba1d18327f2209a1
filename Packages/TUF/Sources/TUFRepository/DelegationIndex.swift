public import TUFMetadata

/// An index of delegations, which finds the role for each of many paths fast.
///
/// ```swift
/// let index = DelegationIndex(try editor.targets(of: "targets").delegations?.roles ?? [])
/// for path in paths { try editor.addTarget(path, file: path, role: index.role(for: path)) }
/// ```
public struct DelegationIndex: Sendable {
    /// The delegations by patterns with their positions.
    private var patterns: [(position: Int, delegation: Delegation)] = []
    /// The first delegation of each hash prefix.
    private var prefixes: [String: (position: Int, name: String)] = [:]
    private var prefixLengths: Set<Int> = []

    /// Creates an index of delegations in the order of their priority.
    public init(_ delegations: [Delegation]) {
        for (position, delegation) in delegations.enumerated() {
            switch delegation.scope {
            case .paths: patterns.append((position, delegation))
            case .hashPrefixes(let texts):
                for text in texts where prefixes[text] == nil {
                    prefixes[text] = (position, delegation.name)
                    prefixLengths.insert(text.utf8.count)
                }
            }
        }
    }

    /// Returns the first role to which a path is delegated, or nil for a path without a delegation.
    public func role(for path: String) throws(TUFError) -> String? {
        var found: (position: Int, name: String)?
        if !prefixes.isEmpty {
            let digest = try HashAlgorithm.sha256.digest(of: Array(path.utf8))
            for length in prefixLengths {
                guard let match = prefixes[String(digest.prefix(length))] else { continue }
                if found.map({ match.position < $0.position }) ?? true { found = match }
            }
        }
        for (position, delegation) in patterns where found.map({ position < $0.position }) ?? true {
            if try delegation.covers(path) { return delegation.name }
        }
        return found?.name
    }
}

/// Returns bins of all paths, with the first digits of the SHA-256 digests of their paths.
func hashedBins(_ count: Int) throws(TUFError) -> [(name: String, prefixes: [String])] {
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
