/// The encoding of a query.
@frozen
public enum QueryCoding: Hashable, Sendable {
    /// The encoding of RFC 3986, where a plus sign stands for itself. This is the default.
    case plain
    /// The encoding of web forms, where a plus sign is a space.
    ///
    /// This is `application/x-www-form-urlencoded`; `%2B` is a plus sign.
    case form
}
