/// What a query is written in.
@frozen
public enum QueryCoding: Hashable, Sendable {
    /// RFC 3986: a `+` is a plus. What addresses are read as unless told otherwise.
    case plain
    /// `application/x-www-form-urlencoded`, as web forms send it: a `+` is a space, and `%2B` a plus.
    case form
}
