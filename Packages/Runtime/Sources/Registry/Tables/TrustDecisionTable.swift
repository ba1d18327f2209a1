package import PluginCore
internal import SQLite

/// A signer that a version may have for loading it, as decided by the trust store.
package struct TrustDecision: Hashable, Sendable {
    /// The question that was decided.
    package struct Subject: Hashable, Sendable {
        /// The identifier of the bundle.
        package let identifier: BundleIdentifier
        /// The identifier of the team that sealed the version.
        package let team: String
        /// The ID of the team's key, in the format of minisign.
        package let keyID: String
        /// The app groups that the version belongs to.
        package let appGroups: [String]

        package init(_ bundle: PluginBundle) {
            identifier = bundle.identity.identifier
            team = bundle.seal.team
            keyID = bundle.seal.keyID
            appGroups = bundle.appGroups
        }
    }

    package let subject: Subject
    /// The key that must have signed the version, in the format of minisign.
    package let key: String

    package init(subject: Subject, key: String) {
        self.subject = subject
        self.key = key
    }
}

extension TrustDecision.Subject {
    fileprivate init(_ row: borrowing Row) throws {
        identifier = try row["identifier"]
        team = try row["team"]
        keyID = try row["key_id"]
        appGroups = try row["app_groups", as: String.self].split(separator: "\n").map(String.init)
    }
}

/// The table of decisions about loads, so that a load doesn't read the trust store.
///
/// Each decision is stored with the stamp of the trust files on which it is based, and is valid while that stays equal.
package struct TrustDecisionTable: Sendable {
    let connection: RegistryConnection

    /// Returns the decisions that are based on trust files with a stamp.
    package func all(for stamp: String) throws(AtriumError) -> [TrustDecision] {
        try connection.query("SELECT * FROM trust_decision WHERE stamp = ?", stamp) { row in
            TrustDecision(subject: try TrustDecision.Subject(row), key: try row["key"])
        }
    }

    /// Stores decisions in place of those that are based on other trust files.
    package func add(_ decisions: [TrustDecision], for stamp: String) throws(AtriumError) {
        try connection.write { tables in
            try tables.connection.execute("DELETE FROM trust_decision WHERE stamp <> ?", stamp)
            for decision in decisions {
                try tables.connection.execute(
                    """
                    INSERT OR REPLACE INTO trust_decision (identifier, team, key_id, app_groups, stamp, key)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, decision.subject.identifier, decision.subject.team, decision.subject.keyID,
                    decision.subject.appGroups.joined(separator: "\n"), stamp, decision.key)
            }
        }
    }
}
