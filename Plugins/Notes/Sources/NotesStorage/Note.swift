/// A note with its number.
package struct Note: Hashable, Sendable {
    /// The number, which identifies the note.
    package let number: Int
    /// The text, which is not empty.
    package let text: String

    /// The first line of the text.
    package var title: String { text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "" }
}
