/// A style sheet or a script that a page contains, with the hash that lets a browser use it.
///
/// A page permits its own code by hash, so a browser runs nothing that a name from a plugin brings along.
package struct InlineCode: Sendable {
    /// The text, which contains no end tag.
    package let text: String
    /// The SHA-256 digest of the text in Base64; a test computes it again.
    package let hash: String

    package init(_ text: String, hash: String) {
        self.text = text
        self.hash = hash
    }
}
