extension ActionParameters {
    /// The values as one structure, each property under its name. A text that spells a property's type, as every value
    /// out of a URL does, is read as one.
    ///
    /// ```swift
    /// struct Search: Decodable { var text: String; var page: Int?; var tags: [String] }
    /// let search = try request.decode(Search.self)    // shop/search?text=lamp&tags=red&tags=new
    /// ```
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, the parameter as subject, what was found
    ///   and what is needed as detail.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }
}

extension ResourceRequest {
    /// Captures, query and user info as one structure, with the precedence of ``parameters``; a list is all the values of a
    /// repeated query name, and `rest` the segments that `**` took, whatever the pattern calls it.
    ///
    /// - Throws: as ``ActionParameters/decode(_:)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }

    /// What the address says, by the contract of the route that it was asked for by. User info is not looked at.
    ///
    /// - Throws: as ``RouteContract/input(of:)``.
    public func input<Input, Output>(of contract: RouteContract<Input, Output>) throws(AtriumError) -> Input {
        try contract.input(of: self)
    }
}
