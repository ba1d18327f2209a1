/// The values for a statement's parameters: in order, or by name.
///
/// Literals create both kinds: `["shop", 3]` and `["name": "shop", "version": 3]`. A name does not include the `:`, `@` or `$` that it has
/// in SQL. There must be exactly one argument for each parameter.
public struct SQLArguments: Sendable {
    enum Storage {
        case positional([SQLValue])
        case named([(name: String, value: SQLValue)])
    }

    let storage: Storage

    /// Creates arguments for the parameters 1, 2, 3 and so on.
    public init(_ values: [SQLValue]) {
        storage = .positional(values)
    }

    /// Creates arguments of any convertible types for the parameters 1, 2, 3 and so on.
    public init(_ values: [(any SQLValueConvertible)?]) {
        storage = .positional(values.map { $0?.sqlValue ?? .null })
    }

    /// Creates arguments by name.
    public init(named values: [String: SQLValue]) {
        storage = .named(values.map { ($0.key, $0.value) })
    }
}

extension SQLArguments: ExpressibleByArrayLiteral {
    /// Creates arguments for the parameters 1, 2, 3 and so on. A nil value is NULL.
    public init(arrayLiteral elements: (any SQLValueConvertible)?...) {
        self.init(elements)
    }
}

extension SQLArguments: ExpressibleByDictionaryLiteral {
    /// Creates arguments by name. A nil value is NULL. A repeated name is an error when bound and does not trap.
    public init(dictionaryLiteral elements: (String, (any SQLValueConvertible)?)...) {
        storage = .named(elements.map { ($0, $1?.sqlValue ?? .null) })
    }
}
