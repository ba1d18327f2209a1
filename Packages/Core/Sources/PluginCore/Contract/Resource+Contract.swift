extension Resource {
    /// Returns the resource for the output of an object or handler route.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be encoded.
    public static func output<Input: Codable & Sendable, Output: Codable & Sendable>(
        of contract: RouteContract<Input, Output>, _ value: Output
    ) throws(AtriumError) -> Resource {
        .object(try contract.encoded(value))
    }
}

extension RouteContract where Output: Codable {
    /// Returns an output in the form in which it passes to another plugin.
    func encoded(_ value: Output) throws(AtriumError) -> any Sendable { try OutputCoding.encode(value) }

    /// Converts a value from another plugin to the contract's output.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the pattern as subject.
    func output(_ object: any Sendable) throws(AtriumError) -> Output {
        try OutputCoding.decode(object, as: Output.self, pattern)
    }
}
