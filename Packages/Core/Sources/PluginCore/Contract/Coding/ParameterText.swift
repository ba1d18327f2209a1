internal import FoundationEssentials

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

/// The parameters that have been encoded so far, in the order of encoding.
final class ParameterSink {
    enum Value {
        case text(String)
        case list([String])
    }

    private(set) var values: [(name: String, value: Value)] = []
    /// The first error. It is stored because some encoding calls cannot throw.
    private(set) var problem: AtriumError?
    /// The name for a value that is not a structure.
    let only: String?

    init(only: String?) {
        self.only = only
    }

    /// Records an error for a parameter, and returns the first error that was recorded.
    @discardableResult
    func refuse(_ name: String, _ reason: ErrorReason) -> AtriumError {
        let refusal = problem ?? AtriumError(.parameterType, name, reason: reason)
        problem = refusal
        return refusal
    }

    func put(_ text: String, as name: String) {
        set(.text(text), as: name)
    }

    func startList(as name: String) {
        set(.list([]), as: name)
    }

    func append(_ text: String, to name: String) {
        guard let index = index(of: name), case .list(let texts) = values[index].value else { return }
        values[index].value = .list(texts + [text])
    }

    func isEmptyList(_ name: String) -> Bool {
        if let index = index(of: name), case .list(let texts) = values[index].value { texts.isEmpty } else { false }
    }

    private func set(_ value: Value, as name: String) {
        if let index = index(of: name) {
            values[index].value = value
        } else {
            values.append((name, value))
        }
    }

    private func index(of name: String) -> Int? { values.firstIndex { $0.name == name } }
}

extension ParameterSink {
    /// Returns the values by name: a text as a string, a list as a list of strings.
    func parameters() throws(AtriumError) -> ActionParameters {
        if let problem { throw problem }
        var parameters: [String: any Sendable] = [:]
        for (name, value) in values {
            switch value {
            case .text(let text): parameters[name] = text
            case .list(let texts): parameters[name] = texts
            }
        }
        return ActionParameters(parameters)
    }

    /// Returns the values as captures, segments of the double-star wildcard, and query.
    func parts(names: PatternNames) throws(AtriumError) -> AddressParts {
        if let problem { throw problem }
        var parts = AddressParts()
        var items: [URIParameters.Item] = []
        for (name, value) in values {
            switch value {
            case .list(let texts) where name == names.rest: parts.rest = texts
            case .text where name == names.rest:
                throw AtriumError(
                    .parameterType, name, reason: "segmentsExpected")
            case .text(let text) where names.captures.contains(name): parts.captures[name] = text
            case .list where names.captures.contains(name):
                throw AtriumError(.parameterType, name, reason: "singleTextExpected")
            case .text(let text): items.append(URIParameters.Item(name: name, value: text))
            case .list(let texts): items += texts.map { URIParameters.Item(name: name, value: $0) }
            }
        }
        parts.query = URIParameters(items)
        return parts
    }
}

/// A value with a textual form from which the same value can be created.
protocol ParameterText: LosslessStringConvertible {
    /// A Boolean value that indicates whether the value has a textual form. Numbers that are not finite have none.
    var hasText: Bool { get }
}

extension ParameterText {
    var hasText: Bool { true }
}

extension ParameterText where Self: BinaryFloatingPoint {
    var hasText: Bool { isFinite }
}

extension Bool: ParameterText {}
extension String: ParameterText {}
extension Int: ParameterText {}
extension Int8: ParameterText {}
extension Int16: ParameterText {}
extension Int32: ParameterText {}
extension Int64: ParameterText {}
extension Int128: ParameterText {}
extension UInt: ParameterText {}
extension UInt8: ParameterText {}
extension UInt16: ParameterText {}
extension UInt32: ParameterText {}
extension UInt64: ParameterText {}
extension UInt128: ParameterText {}
extension Double: ParameterText {}
extension Float: ParameterText {}

/// A coding key for a parameter, used in coding paths.
struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension Optional where Wrapped == String {
    /// The coding path of a parameter, which is empty at the top level.
    var path: [any CodingKey] { map { [ParameterKey($0)] } ?? [] }
}
