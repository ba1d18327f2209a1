/// Returns a text with `***` in place of each password in an address, as in `https://user:***@example.org`.
///
/// Errors and notes quote what a user has typed and what other programs say, and logs keep them.
public func redacted(_ text: String) -> String {
    guard text.contains("://"), text.contains("@") else { return text }
    return text.replacing(/(:\/\/[^\/?#\s"@:]*):[^\/?#\s"]*@/) { "\($0.1):***@" }
}
