package import PluginCore
package import Registry
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
}

extension TrustDecision.Subject {
    /// The key of its record: its parts on lines.
    fileprivate var key: String { ([identifier.text, team, keyID] + appGroups).joined(separator: "\n") }

    fileprivate init(_ row: borrowing Row) throws {
        let lines = try row["key", as: String.self].split(separator: "\n", omittingEmptySubsequences: false)
        identifier = try row["owner"]
        (team, keyID) = lines.count > 2 ? (String(lines[1]), String(lines[2])) : ("", "")
        appGroups = lines.dropFirst(3).map(String.init)
    }
}

/// The records of decisions about loads, so that a load doesn't read the trust store.
///
/// Each decision is stored with the stamp of the trust files on which it is based, and is valid while that stays equal. SQLite reads and writes
/// the JSON, because a load needs no other.
package struct TrustDecisionTable: Sendable {
    let connection: RegistryConnection

    /// Returns the decisions that are based on trust files with a stamp.
    package func all(for stamp: String) throws(AtriumError) -> [TrustDecision] {
        try connection.query(
            """
            SELECT key, owner, json ->> 'key' AS signer FROM layer_record
            WHERE layer = 'trust-decision' AND json ->> 'stamp' = ?
            """, stamp
        ) { TrustDecision(subject: try TrustDecision.Subject($0), key: try $0["signer"]) }
    }

    /// Stores decisions in place of those that are based on other trust files.
    package func add(_ decisions: [TrustDecision], for stamp: String) throws(AtriumError) {
        try connection.write { tables in
            try tables.connection.execute(
                "DELETE FROM layer_record WHERE layer = 'trust-decision' AND json ->> 'stamp' <> ?", stamp)
            for decision in decisions {
                try tables.connection.execute(
                    """
                    INSERT OR REPLACE INTO layer_record (layer, key, owner, json)
                    VALUES ('trust-decision', ?, ?, json_object('stamp', ?, 'key', ?))
                    """, decision.subject.key, decision.subject.identifier, stamp, decision.key)
            }
        }
    }
}

extension RegistryTables {
    /// The decisions of the trust store about loads.
    package var trustDecisions: TrustDecisionTable { TrustDecisionTable(connection: connection) }
}
