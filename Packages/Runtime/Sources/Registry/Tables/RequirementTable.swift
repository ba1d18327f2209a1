import HostSystem
public import PluginCore
internal import SQLite

/// The table of requirements of active versions.
///
/// For versions installed by hosts that didn't distinguish them, all requirements are on demand, whatever their manifests
/// would mean today.
public struct RequirementTable: Sendable {
    let connection: RegistryConnection

    /// Returns the requirements of all active versions, by the requiring bundle.
    public func all() throws(AtriumError) -> [BundleIdentifier: [BundleRequirement]] {
        let rows = try connection.query("SELECT * FROM requirement ORDER BY owner, bundle") { row in
            (owner: try row["owner", as: BundleIdentifier.self], requirement: try BundleRequirement(row))
        }
        return Dictionary(grouping: rows, by: \.owner).mapValues { $0.map(\.requirement) }
    }

    /// Returns the requirements of a bundle's active version, sorted by identifier.
    package func all(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleRequirement] {
        try connection.query(
            "SELECT * FROM requirement WHERE owner = ? ORDER BY bundle", identifier, row: BundleRequirement.init)
    }

    /// Returns the requirements that must be active before a bundle's active version is loaded.
    ///
    /// A record that was read as an active version has them already.
    package func hard(of bundle: PluginBundle) throws(AtriumError) -> [BundleRequirement] {
        if let requirements = bundle.hardRequirements { return requirements }
        return try all(of: bundle.identity.identifier).filter { !$0.isOnDemand }
    }

    /// Returns the bundles whose active versions require a bundle, on demand or not, sorted.
    package func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT owner FROM requirement WHERE bundle = ? ORDER BY owner", identifier) {
            try $0["owner"]
        }
    }

    func add(_ requirement: BundleRequirement, of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO requirement (owner, bundle, versions, on_demand) VALUES (?, ?, ?, ?)", identifier,
            requirement.identifier, requirement.versions.description, requirement.isOnDemand)
    }

    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM requirement WHERE owner = ?", identifier)
    }
}

extension RequirementTable {
    /// A column with the hard requirements of an active version, one on each line, so that a load needs no second query.
    static let hardColumn = """
        (SELECT group_concat(bundle || ' ' || versions, char(10)) FROM requirement
            WHERE owner = active.identifier AND on_demand = 0) AS hard_requirements
        """

    /// Decodes the column of hard requirements.
    static func hard(_ row: borrowing Row, of identifier: BundleIdentifier) throws -> [BundleRequirement] {
        let lines = try row["hard_requirements", as: String?.self]?.split(separator: "\n") ?? []
        return try lines.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let required = BundleIdentifier(String(words[0])),
                let versions = VersionRange(String(words[1]))
            else {
                throw AtriumError(.registryDamaged, identifier, reason: "requirementUnreadable", ["line": "\(line)"])
            }
            return BundleRequirement(identifier: required, versions: versions)
        }
    }
}

extension BundleRequirement {
    fileprivate init(_ row: borrowing Row) throws {
        let owner: BundleIdentifier = try row["owner"]
        self.init(
            identifier: try row["bundle"], versions: try row.parse("versions", of: owner) { VersionRange($0) },
            isOnDemand: try row["on_demand"])
    }
}
