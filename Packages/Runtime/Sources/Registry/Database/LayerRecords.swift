import HostSystem
package import PluginCore
package import SQLite

/// The JSON in columns of the registry, in the form of ``CodedValue``.
package enum RecordJSON {
    /// Returns the text of a value, the same for equal values; `nil` for a value with numbers that JSON doesn't have.
    package static func text(of value: some Encodable) -> String? {
        (try? CodedValue(value))?.description
    }
}

/// A record that a layer above the registry keeps about a bundle: JSON that only the layer understands, under a key unique in the layer.
package struct LayerRecord<Content: Codable & Sendable>: Sendable {
    package let key: String
    package let owner: BundleIdentifier
    package let content: Content
}

/// The records of one layer, which change in the same transactions as the versions that they belong to.
package struct LayerRecordTable<Content: Codable & Sendable> {
    let connection: RegistryConnection
    let layer: String

    package init(connection: RegistryConnection, layer: String) {
        self.connection = connection
        self.layer = layer
    }

    /// Returns the records that meet a condition, by default all, sorted by key.
    ///
    /// - Parameter condition: SQL that follows `WHERE layer = ?1`, with parameters from `?2` on.
    package func records(
        _ condition: String = "", _ arguments: (any SQLValueConvertible)?...
    ) throws(AtriumError) -> [LayerRecord<Content>] {
        let sql = "SELECT * FROM layer_record WHERE layer = ?1 \(condition) ORDER BY key"
        return try connection.withDatabase {
            try $0.query(sql, arguments: [layer] + arguments) { row in
                let key: String = try row["key"]
                return LayerRecord(key: key, owner: try row["owner"], content: try row.record(of: key))
            }
        } ?? []
    }

    /// Returns the record with a key, if there is one.
    package func record(_ key: String) throws(AtriumError) -> LayerRecord<Content>? {
        try records("AND key = ?2", key).first
    }

    /// Stores a record in place of the earlier one with its key.
    package func set(_ key: String, of owner: BundleIdentifier, _ content: Content) throws(AtriumError) {
        try connection.set(key, in: layer, of: owner, RecordJSON.text(of: content))
    }

    /// Removes the record with a key, if there is one.
    package func remove(_ key: String) throws(AtriumError) {
        try connection.execute("DELETE FROM layer_record WHERE layer = ? AND key = ?", layer, key)
    }
}

extension RegistryConnection {
    /// Returns the bundle of a record, without reading the record.
    func owner(of key: String, in layer: String) throws(AtriumError) -> BundleIdentifier? {
        try value("SELECT owner FROM layer_record WHERE layer = ? AND key = ?", layer, key)
    }

    /// Returns the keys of all records of a layer, sorted.
    func keys(in layer: String) throws(AtriumError) -> [String] {
        try query("SELECT key FROM layer_record WHERE layer = ? ORDER BY key", layer) { try $0["key"] }
    }

    /// Stores the JSON of a record in place of the earlier one with its key.
    package func set(
        _ key: String, in layer: String, of owner: BundleIdentifier, _ json: String?
    ) throws(AtriumError) {
        try execute("INSERT OR REPLACE INTO layer_record VALUES (?, ?, ?, ?)", layer, key, owner, json ?? "null")
    }

    /// The end of the name of a layer with the user's choices, which outlive versions, and are deleted with the bundle's data.
    package static let choiceEnding = "-choice"

    /// Removes all records about a bundle: those of its declarations, or the user's choices.
    func removeRecords(of owner: BundleIdentifier, areChoices: Bool) throws(AtriumError) {
        let sql = "DELETE FROM layer_record WHERE owner = ? AND (layer LIKE '%\(Self.choiceEnding)') = ?"
        try execute(sql, owner, areChoices)
    }
}
