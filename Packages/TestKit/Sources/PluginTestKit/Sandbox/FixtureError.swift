/// A fixture that could not be made as the test wants it: the test is wrong, not what it tests.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String

    /// Says what is wrong.
    public init(_ description: String) {
        self.description = description
    }
}
