/// An error of a test fixture. It indicates a mistake in the test and not in the tested code.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
    /// A sentence that describes the problem.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
