extension Resource {
    /// What an object or handler route of a contract answers with.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be coded.
    public static func output<Input, Output>(
        of contract: RouteContract<Input, Output>, _ value: Output
    ) throws(AtriumError) -> Resource {
        .object(try contract.crossing(value))
    }
}

extension RouteContract {
    /// An output as it crosses.
    func crossing(_ value: Output) throws(AtriumError) -> any Sendable {
        // What a handler without a result has always given.
        if value is NoValue { return () }
        return value is any BoundaryValue ? value : try CodedValue(value)
    }

    /// An output that has crossed.
    ///
    /// - Throws: ``AtriumError`` with code `resultType`, the pattern as subject.
    func output(_ object: any Sendable) throws(AtriumError) -> Output {
        // Who expects nothing is content with anything.
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
        throw AtriumError(.resultType, pattern, detail: "\(Output.self) is needed, not \(type(of: object))")
    }
}
