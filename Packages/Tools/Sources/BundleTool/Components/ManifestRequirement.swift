import Console
import PluginCore

/// A requirement of another plugin in the text of a manifest, which is changed without touching anything else.
enum ManifestRequirement {
    private static let member = "requires"

    /// Returns a manifest that requires a plugin in a range of versions.
    ///
    /// A new requirement is one that the first call installs, because a call is how an Interface is used.
    ///
    /// - Returns: `nil` if the text is not an object, or if its requirements are not objects.
    static func set(_ identifier: BundleIdentifier, _ range: String, in text: String) -> String? {
        guard isDocument(text) else { return nil }
        let spans = JSONSpans(text)
        guard let root = spans.root, let members = spans.members(of: root) else { return nil }
        let range = JSONText.string(range).text(pretty: false)
        let requirement = "{ \"bundle\": \"\(identifier)\", \"versions\": \(range), \"onDemand\": true }"
        guard let requires = members.first(where: { $0.name == member }) else {
            guard let last = members.last else { return nil }
            let place = last.whole.upperBound
            return spans.replacing(place..<place, with: ",\n  \"\(member)\": [\n    \(requirement)\n  ]")
        }
        guard let elements = spans.elements(of: requires.value) else { return nil }
        guard let last = elements.last else {
            return spans.replacing(requires.value, with: "[\n    \(requirement)\n  ]")
        }
        guard let found = elements.first(where: { names(identifier, at: $0, in: spans) }) else {
            return spans.replacing(last.upperBound..<last.upperBound, with: ",\n    \(requirement)")
        }
        guard let fields = spans.members(of: found), let bundle = fields.first(where: { $0.name == "bundle" }) else {
            return nil
        }
        if let versions = fields.first(where: { $0.name == "versions" }) {
            return spans.replacing(versions.value, with: range)
        }
        let place = bundle.whole.upperBound
        return spans.replacing(place..<place, with: ", \"versions\": \(range)")
    }

    /// Returns a manifest that does not require a plugin.
    ///
    /// - Returns: `nil` as for ``set(_:_:in:)``.
    static func remove(_ identifier: BundleIdentifier, from text: String) -> String? {
        guard isDocument(text) else { return nil }
        let spans = JSONSpans(text)
        guard let root = spans.root, let members = spans.members(of: root) else { return nil }
        guard let index = members.firstIndex(where: { $0.name == member }) else { return text }
        guard let elements = spans.elements(of: members[index].value) else { return nil }
        guard let element = elements.firstIndex(where: { names(identifier, at: $0, in: spans) }) else { return text }
        let place =
            elements.count == 1
            ? spans.removal(of: index, in: members.map(\.whole)) : spans.removal(of: element, in: elements)
        return spans.replacing(place, with: "")
    }

    private static func names(_ identifier: BundleIdentifier, at place: Range<Int>, in spans: JSONSpans) -> Bool {
        let bundle = spans.members(of: place)?.first { $0.name == "bundle" }
        return bundle.map { String(decoding: spans.bytes[$0.value], as: UTF8.self) } == "\"\(identifier)\""
    }

    private struct Outline: Decodable {
        let identifier: String
    }

    private static func isDocument(_ text: String) -> Bool {
        (try? StrictJSON.decode(Outline.self, from: Array(text.utf8))) != nil
    }
}

/// The places of members and elements in the text of a JSON document, for changes that keep all other bytes.
///
/// The document must be valid, which a decoder has checked.
struct JSONSpans {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// A member of an object.
    struct Member {
        /// The name, without resolving escapes.
        let name: String
        /// The place of the name and the value.
        let whole: Range<Int>
        /// The place of the value.
        let value: Range<Int>
    }

    /// The place of the whole document, without white space around it.
    var root: Range<Int>? {
        let start = afterSpace(0)
        return end(of: start).map { start..<$0 }
    }

    /// Returns the members of the object at a place; `nil` for another value.
    func members(of object: Range<Int>) -> [Member]? {
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
    func elements(of array: Range<Int>) -> [Range<Int>]? {
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
    func replacing(_ range: Range<Int>, with text: String) -> String {
        String(decoding: bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...], as: UTF8.self)
    }

    /// Returns the place of an element with the comma and the space that go with it.
    func removal(of index: Int, in ranges: [Range<Int>]) -> Range<Int> {
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
