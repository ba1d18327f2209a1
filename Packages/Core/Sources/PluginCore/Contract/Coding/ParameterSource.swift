/// Parameters by name, as they were found.
struct ParameterSource {
    enum Found {
        /// The texts of an address; none when the name is not there.
        case texts([String])
        /// A value that was sent along.
        case value(Any)
        /// One element of a list, which is no list.
        case element(String)
        /// All parameters.
        case all(ParameterSource)
    }

    private var found: [String: Found] = [:]
    /// The name of a value that is no structure.
    private(set) var only: String?

    subscript(name: String) -> Found { found[name] ?? .texts([]) }

    var names: [String] { found.keys.sorted() }
}

extension ParameterSource {
    /// Everything that is there, captures before query items before values sent along.
    init(_ request: ResourceRequest) {
        self.init(request.userInfo)
        if !request.rest.isEmpty { found["rest"] = .texts(request.rest) }
        add(request.uri.parameters)
        for (name, text) in request.captures { found[name] = .texts([text]) }
    }

    /// What the address says. A composition may serve a page under an address of its own, which gives what this one has no
    /// capture for as query items.
    init(_ request: ResourceRequest, names: PatternNames) {
        only = names.only
        add(request.uri.parameters)
        for (name, text) in request.captures { found[name] = .texts([text]) }
        if let name = names.rest, !request.rest.isEmpty { found[name] = .texts(request.rest) }
    }

    init(_ parameters: ActionParameters) {
        found = parameters.values.mapValues { .value($0) }
    }

    private mutating func add(_ query: URIParameters) {
        var texts: [String: [String]] = [:]
        for item in query.items { texts[item.name, default: []].append(item.value) }
        for (name, texts) in texts { found[name] = .texts(texts) }
    }
}
