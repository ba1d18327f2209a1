import Console
import PluginCore

/// A value that a document for scripts can contain.
protocol JSONConvertible {
    var json: JSONText { get }
}

/// A value that is an object in a document for scripts.
protocol JSONObjectConvertible: JSONConvertible {
    var jsonMembers: JSONMembers { get }
}

extension JSONObjectConvertible {
    var json: JSONText { .object(jsonMembers.list) }
}

/// The members of a JSON object, in the order of output.
///
/// ```swift
/// let members: JSONMembers = ["name": name, "version": version, "pin": pin]
/// ```
struct JSONMembers: JSONObjectConvertible, ExpressibleByDictionaryLiteral, Sendable {
    fileprivate var list: [(String, JSONText)] = []

    init(dictionaryLiteral elements: (String, any JSONConvertible)...) { list = elements.map { ($0, $1.json) } }

    /// Creates members whose names are not known in the source.
    init(_ list: [(String, JSONText)]) { self.list = list }

    var jsonMembers: JSONMembers { self }

    static func + (one: JSONMembers, other: JSONMembers) -> JSONMembers { JSONMembers(one.list + other.list) }
    static func += (one: inout JSONMembers, other: JSONMembers) { one = one + other }
}

extension Answer {
    /// Creates an answer whose document is an object.
    init(text: String, json: JSONMembers, status: Console.ExitStatus = .done) {
        self.init(text: text, json: json.json, status: status)
    }
}

extension JSONText: JSONConvertible {
    var json: JSONText { self }
}

extension Bool: JSONConvertible {
    var json: JSONText { .bool(self) }
}

extension Int: JSONConvertible {
    var json: JSONText { .integer(self) }
}

extension Double: JSONConvertible {
    var json: JSONText { .number(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    var json: JSONText { self?.json ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONText { .array(map(\.json)) }
}

extension JSONConvertible where Self: CustomStringConvertible {
    var json: JSONText { .string(description) }
}

extension String: JSONConvertible {}
extension SemanticVersion: JSONConvertible {}
extension BundleIdentifier: JSONConvertible {}
extension BundleIdentity: JSONConvertible {}
extension FilePath: JSONConvertible {}
extension RouteDeclaration: JSONConvertible {}
extension TargetDeclaration: JSONConvertible {}
extension BundleRequirement: JSONConvertible {}
extension ExtensionDeclaration: JSONConvertible {}
extension ExtensionPointDeclaration: JSONConvertible {}

extension ErrorReason: JSONConvertible {
    var json: JSONText { .string(sentence) }
}
