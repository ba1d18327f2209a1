import FoundationEssentials

/// The parameters to decode from, by name.
struct ParameterSource {
    enum Found {
        /// The strings of an address, or none if the address does not contain the name.
        case texts([String])
        /// A value from user info, or one element of a list.
        case value(Any)
    }

    let found: [String: Found]
    /// The name for a value that is not a structure.
    let only: String?
    /// The names that were asked for, if the parameters are the texts of a form. An empty text is then `nil` for an optional property.
    var form: FormNames?

    subscript(name: String) -> Found { found[name] ?? .texts([]) }

    var names: [String] { found.keys.sorted() }
}

extension ParameterSource {
    /// Collects the captures and query items of the address.
    ///
    /// A query item replaces a missing capture, because a composition rule can open a page by an address without that capture.
    ///
    /// - Parameter names: The names in a contract's pattern; `nil` for all parameters of a request, of which user info comes last.
    init(_ request: ResourceRequest, names: PatternNames?) {
        only = names?.only
        var texts: [String: [String]] = [:]
        for item in request.uri.parameters.items { texts[item.name, default: []].append(item.value) }
        if let name = names.map(\.rest) ?? "rest", !request.rest.isEmpty { texts[name] = request.rest }
        for item in request.captures.items { texts[item.name] = [item.value] }
        let others = names == nil ? request.userInfo.values : [:]
        found = others.mapValues { .value($0) }.merging(texts.mapValues { .texts($0) }) { $1 }
    }

    /// Collects the parameters of an action.
    ///
    /// - Parameter only: The name for a value that is not a structure.
    init(_ parameters: ActionParameters, only: String? = nil) {
        self.only = only
        found = parameters.values.mapValues { .value($0) }
    }

    /// Collects the texts of a form.
    init(form texts: [String: String]) {
        (only, form) = (nil, FormNames())
        found = texts.mapValues { .texts([$0]) }
    }
}

/// The names of the properties of a form, as far as they were decoded.
final class FormNames {
    var asked: Set<String> = []
}

/// The parameters that have been encoded so far, in the order of encoding: each a text, or a list of texts.
final class ParameterSink {
    private(set) var values: [(name: String, value: any Sendable)] = []
    /// The names of those that are `Bool`s.
    var toggles: Set<String> = []
    /// The first error. It is stored because some encoding calls cannot throw.
    private(set) var problem: AtriumError?
    /// The name for a value that is not a structure.
    let only: String?

    init(only: String?) {
        self.only = only
    }

    /// Records an error for a parameter, unless there is one already.
    func refuse(_ name: String, _ reason: ErrorReason) {
        problem = problem ?? AtriumError(.parameterType, name, reason: reason)
    }

    func set(_ value: any Sendable, as name: String) {
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].value = value
        } else {
            values.append((name, value))
        }
    }

    /// Returns the elements of a parameter that is a list, or nil for another one.
    func list(_ name: String) -> [String]? { values.first { $0.name == name }?.value as? [String] }

    /// Returns the values by name: a text as a string, a list as a list of strings.
    var parameters: ActionParameters { ActionParameters(Dictionary(values.map { ($0, $1) }) { $1 }) }

    /// Returns the values as captures, segments of the double-star wildcard, and query.
    func parts(names: PatternNames) throws(AtriumError) -> AddressParts {
        var parts = AddressParts()
        var items: [URIParameters.Item] = []
        for (name, value) in values {
            let text = value as? String
            let texts = text.map { [$0] } ?? list(name) ?? []
            if name == names.rest {
                guard text == nil else { throw AtriumError(.parameterType, name, reason: "segmentsExpected") }
                parts.rest = texts
            } else if names.captures.contains(name) {
                guard let text else { throw AtriumError(.parameterType, name, reason: "singleTextExpected") }
                parts.captures[name] = text
            } else {
                items += texts.map { URIParameters.Item(name: name, value: $0) }
            }
        }
        parts.query = URIParameters(items)
        return parts
    }
}

/// A value with a textual form from which the same value can be created.
protocol ParameterText: LosslessStringConvertible, BoundaryValue {}

extension ParameterText {
    /// A Boolean value that indicates whether the value has a textual form. Numbers that are not finite have none.
    var hasText: Bool { (self as? Double ?? (self as? Float).map(Double.init))?.isFinite ?? true }
}

extension Bool: ParameterText {}
extension String: ParameterText {}
extension Int: ParameterText {}
extension Int8: ParameterText {}
extension Int16: ParameterText {}
extension Int32: ParameterText {}
extension Int64: ParameterText {}
extension UInt: ParameterText {}
extension UInt8: ParameterText {}
extension UInt16: ParameterText {}
extension UInt32: ParameterText {}
extension UInt64: ParameterText {}
extension Double: ParameterText {}
extension Float: ParameterText {}
