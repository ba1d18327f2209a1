/// The coding of outputs on the way from plugin to plugin, each of which has its own copy of the types of an Interface.
enum OutputCoding {
    /// Returns a value in the form in which it passes to another plugin.
    static func encode<Output: Codable & Sendable>(_ value: Output) throws(AtriumError) -> any Sendable {
        // An empty tuple stands for no result.
        if value is NoValue { return () }
        return Output.self is any BoundaryValue.Type ? value : try CodedValue(value)
    }

    /// Converts a value from another plugin.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the given subject.
    static func decode<Output: Codable>(
        _ value: any Sendable, as type: Output.Type, _ subject: String
    ) throws(AtriumError) -> Output {
        // A caller that expects no result accepts any.
        if let nothing = NoValue() as? Output { return nothing }
        if Output.self is any BoundaryValue.Type {
            if let value = value as? Output { return value }
        } else if let coded = value as? CodedValue {
            do {
                return try coded.value(as: Output.self)
            } catch {
                throw AtriumError(.resultType, subject, reason: error.reason)
            }
        }
        throw AtriumError(
            .resultType, subject,
            reason: .type(Output.self, found: Swift.type(of: value)))
    }
}
