/// The values for a statement's parameters: in order, or by name.
///
/// Literals make both: `["shop", 3]` and `["name": "shop", "version": 3]`. A name is written without the `:`, `@` or
/// `$` that it has in SQL. Arguments must fit exactly: none missing, none left over.
public struct SQLArguments: Sendable {
    enum Storage {
        case positional([SQLValue])
        case named([(name: String, value: SQLValue)])
    }

    let storage: Storage

    /// Values for the parameters 1, 2, 3 and so on.
    public init(_ values: [SQLValue]) {
        storage = .positional(values)
    }

    /// Values of any convertible types for the parameters 1, 2, 3 and so on.
    public init(_ values: [(any SQLValueConvertible)?]) {
        storage = .positional(values.map { $0?.sqlValue ?? .null })
    }

    /// Values by name.
    public init(named values: [String: SQLValue]) {
        storage = .named(values.map { ($0.key, $0.value) })
    }
}

extension SQLArguments: ExpressibleByArrayLiteral {
    /// Values for the parameters 1, 2, 3 and so on; nil is NULL.
    public init(arrayLiteral elements: (any SQLValueConvertible)?...) {
        self.init(elements)
    }
}

extension SQLArguments: ExpressibleByDictionaryLiteral {
    /// Values by name; nil is NULL. A name given twice is refused when bound, it does not trap.
    public init(dictionaryLiteral elements: (String, (any SQLValueConvertible)?)...) {
        storage = .named(elements.map { ($0, $1?.sqlValue ?? .null) })
    }
}
