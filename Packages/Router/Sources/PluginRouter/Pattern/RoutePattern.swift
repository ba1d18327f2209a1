public import PluginCore

/// A route's pattern: what addresses it serves, and what it captures from them.
///
///     pattern = [scheme "://"] segment *("/" segment) ["#" segments]      a leading "/" is allowed and ignored
///     segment = literal | ":" name | ":" name "<" converter ">" | partial | "*" | "**" [name] | "(" "/" segments ")"
///
/// - A capture takes one segment that is not empty; with a converter (``RouteConverters``) only a text that converts.
/// - A partial mixes literals and captures: `:id.html`, `:{a}-x.:{ext}`. No capture in it is empty, and the leftmost takes
///   as much as it can.
/// - `*` takes one segment, `**` all that are left, none included. `**` is last and called `rest` unless it has a name.
/// - A group `(/...)` may be absent. What a pattern is with each choice of groups is a ``Form`` of it.
/// - Behind `#` a pattern goes on over the address's fragment, which then is read as a path of its own.
/// - A pattern without scheme serves every scheme. One leading and one trailing slash are ignored. Escapes are decoded
///   after the pattern is cut up, so `%3A` is a literal colon. An empty segment of an address is taken by `**` alone.
///
/// ```swift
/// let pattern = try RoutePattern("shop/item/:id<int>(/:tab)")
/// pattern.captures(from: try ResourceURI("app://shop/item/42"))?.values    // ["id": "42"]
/// ```
public struct RoutePattern: Sendable {
    /// What `**` is called when the pattern gives it no name.
    public static let defaultRestName = "rest"
    /// How many forms the groups of one pattern can make: ten independent groups.
    public static let maximumForms = 1024

    /// The pattern as it was written.
    public let text: String
    /// The scheme in lower case, or `nil` for every scheme.
    public let scheme: String?
    /// What the pattern is with each choice of optional groups, the form that is asked first in front; one without groups.
    public let forms: [Form]

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - text: the pattern.
    ///   - converters: the types that captures can ask for.
    /// - Throws: ``AtriumError`` with code `patternMalformed`, or `routeConflict` when two forms of the pattern match the
    ///   same addresses, as in `a(/:x)(/:y)`.
    public init(_ text: String, converters: RouteConverters = .standard) throws(AtriumError) {
        let (scheme, paths, fragments): (String?, PatternReader.Alternatives, PatternReader.Alternatives?)
        do {
            (scheme, paths, fragments) = try PatternReader(text, converters: converters).read()
        } catch {
            throw AtriumError(.patternMalformed, text, detail: error.clause)
        }
        var forms: [Form] = []
        for path in paths {
            guard let fragments else {
                forms.append(Form(scheme: scheme, path: path, fragment: nil))
                continue
            }
            forms += fragments.map { Form(scheme: scheme, path: path, fragment: $0) }
        }
        var shapes: Set<String> = []
        if let twice = forms.first(where: { !shapes.insert($0.shape).inserted }) {
            let detail = "two of its own forms match the same addresses, such as \"\(twice.example)\""
            throw AtriumError(.routeConflict, text, detail: detail)
        }
        self.text = text
        self.scheme = scheme
        self.forms = forms.count == 1 ? forms : forms.sorted { $0.precedes($1) }
    }

    /// The shapes of all forms. Two patterns match the same addresses where they have a shape in common.
    public var shapes: [String] { forms.map(\.shape) }

    /// The heads of all forms (``Form/head``), each once: what a directory of many routes is indexed by.
    public var heads: [String] { Set(forms.map(\.head)).sorted() }

    /// The heads of all forms that can match an address.
    public static func heads(matching uri: ResourceURI) -> [String] {
        uri.segments.first.map { $0.isEmpty ? [""] : [$0.lowercasedASCII, ""] } ?? [""]
    }
}

extension RoutePattern: CustomStringConvertible {
    /// The pattern as it was written.
    public var description: String { text }
}
