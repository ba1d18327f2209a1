/// The place of a value in the text of a JSON document, for changes that keep everything else.
///
/// The document must be valid, which a decoder has checked.
///
/// ```swift
/// let text = #"{"name": "Shop"}"#
/// if let name = JSONPlace(text)?["name"] { print(text.replacing(name.range, with: #""Store""#)) }
/// ```
public struct JSONPlace {
    /// A member of an object, or an element of an array, which has no name.
    public struct Child {
        /// The name, without resolving escapes.
        public let name: Substring
        /// The place, with that of the name.
        public let range: Range<String.Index>
        /// The place of the value.
        public let value: JSONPlace
    }

    /// The place in the text.
    public private(set) var range: Range<String.Index>
    /// The value's first token, which is the whole value of a text.
    public let text: Substring
    /// The members of an object, or the elements of an array.
    public private(set) var children: [Child] = []

    /// A Boolean value that indicates whether the value is an array.
    public var isArray: Bool { text == "[" }

    /// Finds the places in a document; `nil` for one that has no end.
    public init?(_ document: String) {
        let token = /"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+/.matchingSemantics(.unicodeScalar)
        var tokens = document.matches(of: token)[...]
        self.init(&tokens)
    }

    private init?(_ tokens: inout ArraySlice<Regex<Substring>.Match>) {
        guard let first = tokens.popFirst() else { return nil }
        (range, text) = (first.range, first.output)
        guard text == "{" || text == "[" else { return }
        while let next = tokens.first, next.output != "}", next.output != "]" {
            let name = isArray ? "" : next.output.dropFirst().dropLast()
            if !isArray { tokens = tokens.dropFirst(2) }
            guard let value = JSONPlace(&tokens) else { return nil }
            children.append(
                Child(name: name, range: next.range.lowerBound..<value.range.upperBound, value: value))
            if tokens.first?.output == "," { tokens.removeFirst() }
        }
        guard let last = tokens.popFirst() else { return nil }
        range = first.range.lowerBound..<last.range.upperBound
    }

    /// The value of a member.
    public subscript(name: String) -> JSONPlace? { children.first { $0.name == name }?.value }

    /// Returns the place of a child with the comma and the space that go with it.
    public func removal(of index: Int) -> Range<String.Index> {
        let place = children[index].range
        if index + 1 < children.count { return place.lowerBound..<children[index + 1].range.lowerBound }
        return index == 0 ? place : children[index - 1].range.upperBound..<place.upperBound
    }
}

extension String {
    /// Returns the text with another one at a place.
    public func replacing(_ range: Range<String.Index>, with new: String) -> String {
        "\(self[..<range.lowerBound])\(new)\(self[range.upperBound...])"
    }
}
