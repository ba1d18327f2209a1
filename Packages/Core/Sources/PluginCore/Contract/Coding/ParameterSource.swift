/// The parameters to decode from, by name.
struct ParameterSource {
    enum Found {
        /// The strings of an address, or none if the address does not contain the name.
        case texts([String])
        /// A value from user info.
        case value(Any)
        /// One element of a list.
        case element(String)
        /// All parameters.
        case all(ParameterSource)
    }

    private var found: [String: Found] = [:]
    /// The name for a value that is not a structure.
    private(set) var only: String?

    subscript(name: String) -> Found { found[name] ?? .texts([]) }

    var names: [String] { found.keys.sorted() }
}

extension ParameterSource {
    /// Collects captures, query items and user info, in this order of precedence.
    init(_ request: ResourceRequest) {
        self.init(request.userInfo)
        if !request.rest.isEmpty { found["rest"] = .texts(request.rest) }
        add(request.uri.parameters)
        for item in request.captures.items { found[item.name] = .texts([item.value]) }
    }

    /// Collects the captures and query items of the address.
    ///
    /// A query item replaces a missing capture, because a composition rule can open a page by an address without that capture.
    init(_ request: ResourceRequest, names: PatternNames) {
        only = names.only
        add(request.uri.parameters)
        for item in request.captures.items { found[item.name] = .texts([item.value]) }
        if let name = names.rest, !request.rest.isEmpty { found[name] = .texts(request.rest) }
    }

    /// Collects the parameters of an action.
    ///
    /// - Parameter only: The name for a value that is not a structure.
    init(_ parameters: ActionParameters, only: String? = nil) {
        self.only = only
        found = parameters.values.mapValues { .value($0) }
    }

    private mutating func add(_ query: URIParameters) {
        var texts: [String: [String]] = [:]
        for item in query.items { texts[item.name, default: []].append(item.value) }
        for (name, texts) in texts { found[name] = .texts(texts) }
    }
}
