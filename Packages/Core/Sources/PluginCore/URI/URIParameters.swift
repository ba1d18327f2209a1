/// The query of an address: names and values, decoded, in order, with repeated names kept.
///
/// ```swift
/// let parameters = try ResourceURI("app://shop?tag=a&tag=b").parameters
/// parameters["tag"]        // "a"
/// parameters.all("tag")    // ["a", "b"]
/// ```
public struct URIParameters: Hashable, Sendable {
    /// One `name=value`.
    public struct Item: Hashable, Sendable {
        /// The decoded name; may be empty.
        public let name: String
        /// The decoded value; empty when there was none.
        public let value: String

        /// Pairs a name with a value, both decoded.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All items, in the order of the address.
    public let items: [Item]

    /// Keeps `items` in their order.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// The first value of `name`, or `nil`.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Every value of `name`, in order.
    public func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// These items followed by those of `other` whose names do not occur here.
    public func merging(_ other: URIParameters) -> URIParameters {
        let names = Set(items.map(\.name))
        return URIParameters(items + other.items.filter { !names.contains($0.name) })
    }

    /// A Boolean value that indicates whether there are no items.
    public var isEmpty: Bool { items.isEmpty }

    /// The query's text, without the `?`.
    public var encoded: String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension URIParameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// `["from": "demo"]`, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Item(name: $0.0, value: $0.1) })
    }

    /// `[item, item]`.
    public init(arrayLiteral elements: Item...) {
        self.init(elements)
    }
}
