extension ActionParameters {
    /// Decodes the values into a structure whose properties have the names of the parameters.
    ///
    /// A string that spells a value of the property's type is converted, because every value of a URL is a string.
    ///
    /// ```swift
    /// struct Search: Decodable { var text: String; var page: Int?; var tags: [String] }
    /// let search = try request.decode(Search.self)    // shop/search?text=lamp&tags=red&tags=new
    /// ```
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`. Its subject is the parameter; its detail says which value
    ///   was found and which is needed.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }
}

extension ResourceRequest {
    /// Decodes captures, query and user info into one structure, with the precedence of the request's parameters.
    ///
    /// A list receives all values of a repeated query name. The property `rest` receives the segments that `**` matched, whatever name the
    /// pattern gives them.
    ///
    /// - Throws: The errors of ``ActionParameters/decode(_:)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }

    /// Decodes the input of a contract from the address. User info is ignored.
    ///
    /// - Throws: The errors of ``RouteContract/input(of:)``.
    public func input<Input: Codable & Sendable, Output: Codable & Sendable>(of contract: RouteContract<Input, Output>)
        throws(AtriumError) -> Input
    {
        try contract.input(of: self)
    }
}
