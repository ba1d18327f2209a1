extension Resource {
    /// Returns the resource for the output of an object or handler route.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be encoded.
    public static func output<Input, Output>(
        of contract: RouteContract<Input, Output>, _ value: Output
    ) throws(AtriumError) -> Resource {
        .object(try contract.crossing(value))
    }
}

extension RouteContract {
    /// Returns an output in the form in which it passes to another plugin.
    func crossing(_ value: Output) throws(AtriumError) -> any Sendable {
        // A handler without a result returns an empty tuple.
        if value is NoValue { return () }
        return value is any BoundaryValue ? value : try CodedValue(value)
    }

    /// Converts a value from another plugin to the contract's output.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the pattern as subject.
    func output(_ object: any Sendable) throws(AtriumError) -> Output {
        // A caller that expects no result accepts any.
        if let nothing = NoValue() as? Output { return nothing }
        if Output.self is any BoundaryValue.Type {
            if let value = object as? Output { return value }
        } else if let coded = object as? CodedValue {
            do {
                return try coded.value(as: Output.self)
            } catch {
                throw AtriumError(.resultType, pattern, detail: error.detail)
            }
        }
        throw AtriumError(.resultType, pattern, detail: "expected \(Output.self), found \(type(of: object))")
    }
}
