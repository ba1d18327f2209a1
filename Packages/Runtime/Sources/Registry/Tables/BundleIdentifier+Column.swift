public import PluginCore
public import SQLite

extension BundleIdentifier: @retroactive SQLValueConvertible {
    /// The identifier as text.
    public var sqlValue: SQLValue { .text(text) }

    /// Creates an identifier from stored text. Returns nil if it is not valid.
    public init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(text)
    }
}
