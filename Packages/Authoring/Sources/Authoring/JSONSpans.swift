/// The places of members and elements in the text of a JSON document, for changes that keep all other bytes.
///
/// The document must be valid, which a decoder has checked.
///
/// ```swift
/// let spans = JSONSpans(#"{"name": "Shop"}"#)
/// let name = spans.root.flatMap(spans.members)?.first { $0.name == "name" }
/// if let name { print(spans.replacing(name.value, with: #""Store""#)) }
/// ```
public struct JSONSpans {
    /// The bytes of the document.
    public let bytes: [UInt8]

    /// Creates the places in a text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// A member of an object.
    public struct Member {
        /// The name, without resolving escapes.
        public let name: String
        /// The place of the name and the value.
        public let whole: Range<Int>
        /// The place of the value.
        public let value: Range<Int>
    }

    /// The place of the whole document, without white space around it.
    public var root: Range<Int>? {
        let start = afterSpace(0)
        return end(of: start).map { start..<$0 }
    }

    /// Returns the members of the object at a place; `nil` for another value.
    public func members(of object: Range<Int>) -> [Member]? {
        guard bytes[object].first == UInt8(ascii: "{") else { return nil }
        var (members, place): ([Member], Int) = ([], afterSpace(object.lowerBound + 1))
        while place < object.upperBound, bytes[place] != UInt8(ascii: "}") {
            guard let nameEnd = end(of: place) else { return nil }
            let colon = afterSpace(nameEnd)
            let start = afterSpace(colon + 1)
            guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), let end = end(of: start) else { return nil }
            let name = String(decoding: bytes[place..<nameEnd].dropFirst().dropLast(), as: UTF8.self)
            members.append(Member(name: name, whole: place..<end, value: start..<end))
            place = afterComma(end)
        }
        return members
    }

    /// Returns the places of the elements of the array at a place; `nil` for another value.
    public func elements(of array: Range<Int>) -> [Range<Int>]? {
        guard bytes[array].first == UInt8(ascii: "[") else { return nil }
        var (elements, place): ([Range<Int>], Int) = ([], afterSpace(array.lowerBound + 1))
        while place < array.upperBound, bytes[place] != UInt8(ascii: "]") {
            guard let end = end(of: place) else { return nil }
            elements.append(place..<end)
            place = afterComma(end)
        }
        return elements
    }

    /// Returns the text with other bytes at a place.
    public func replacing(_ range: Range<Int>, with text: String) -> String {
        String(decoding: bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...], as: UTF8.self)
    }

    /// Returns the place of an element with the comma and the space that go with it.
    public func removal(of index: Int, in ranges: [Range<Int>]) -> Range<Int> {
        if index + 1 < ranges.count { return ranges[index].lowerBound..<ranges[index + 1].lowerBound }
        return index == 0 ? ranges[0] : ranges[index - 1].upperBound..<ranges[index].upperBound
    }

    private func afterSpace(_ place: Int) -> Int {
        var place = place
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        return place
    }

    private func afterComma(_ place: Int) -> Int {
        let place = afterSpace(place)
        return place < bytes.count && bytes[place] == UInt8(ascii: ",") ? afterSpace(place + 1) : place
    }

    /// Returns the end of the value that begins at a place.
    private func end(of start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        var (place, depth, isText) = (start, 0, false)
        while place < bytes.count {
            let byte = bytes[place]
            if isText {
                if byte == UInt8(ascii: "\\") { place += 1 }
                if byte == UInt8(ascii: "\"") {
                    isText = false
                    if depth == 0 { return place + 1 }
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return place }
                    depth -= 1
                    if depth == 0 { return place + 1 }
                case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return place }
                default: break
                }
            }
            place += 1
        }
        return depth == 0 && !isText ? place : nil
    }
}
