/// The named texts of an address in order: the decoded items of a query, including repeated names, or the captures of a pattern.
///
/// ```swift
/// let parameters = try ResourceURI("app://shop?tag=a&tag=b").parameters
/// parameters["tag"]        // "a"
/// parameters.all("tag")    // ["a", "b"]
/// ```
public struct URIParameters: Hashable, Sendable {
    /// A query item or a capture.
    public struct Item: Hashable, Sendable {
        /// The decoded name, which may be empty.
        public let name: String
        /// The decoded value, which is empty if there was none.
        public let value: String

        /// Creates an item from a decoded name and a decoded value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All items, in the order of the address or the pattern.
    public let items: [Item]

    /// Creates parameters from items in their order.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Returns the first value of a name, or nil if there is none.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Returns all values of a name, in order.
    public func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// Returns these items, followed by those of other parameters whose names do not occur here.
    public func merging(_ other: URIParameters) -> URIParameters {
        let names = Set(items.map(\.name))
        return URIParameters(items + other.items.filter { !names.contains($0.name) })
    }

    /// A Boolean value that indicates whether there are no items.
    public var isEmpty: Bool { items.isEmpty }

    /// The percent-encoded text, without the question mark.
    public var encoded: String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension URIParameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// Creates parameters from a dictionary literal, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Item(name: $0.0, value: $0.1) })
    }

    /// Creates parameters from an array literal of items.
    public init(arrayLiteral elements: Item...) {
        self.init(elements)
    }
}

extension URIParameters: CustomStringConvertible {
    /// The items as a dictionary literal, in order.
    public var description: String {
        let items = items.map { "\($0.name.debugDescription): \($0.value.debugDescription)" }
        return items.isEmpty ? "[:]" : "[\(items.joined(separator: ", "))]"
    }
}
