/// A single pass over a JSON text. Its memory is proportional to the nesting depth, except for the names of the open objects.
struct StrictJSONScanner {
    private struct Frame {
        /// The names so far if this is an object.
        ///
        /// `String` treats canonically equivalent spellings as equal, as the decoder's dictionary does.
        var names: Set<String>?
        var name = ""
        var index = 0
    }

    private var text: JSONText
    private let limit: Int
    private var count = 0
    private var frames: [Frame] = []
    /// A Boolean value that indicates whether the last token was a comma.
    private var isBehindComma = false

    init(_ bytes: [UInt8], limit: Int) {
        text = JSONText(bytes)
        self.limit = limit
    }

    mutating func run() throws(JSONFlaw) {
        while true {
            if try startsValue() { continue }
            guard try leavesValue() else { return }
        }
    }

    /// Reads a value, or the start of an array or object.
    ///
    /// - Returns: Whether another value must follow directly.
    private mutating func startsValue() throws(JSONFlaw) -> Bool {
        count += 1
        text.skipSpace()
        guard count <= limit else { throw text.flaw(.valueCount, "the file has more than \(limit) values") }
        let start = text.position
        defer { isBehindComma = false }
        switch text.nextMark() {
        case UInt8(ascii: "{"):
            try enter(Frame(names: []))
            if text.takes("}") {
                frames.removeLast()
            } else {
                try readName()
                return true
            }
        case UInt8(ascii: "["):
            try enter(Frame())
            if text.takes("]") { frames.removeLast() } else { return true }
        case UInt8(ascii: "\""): _ = try text.string(isKept: false)
        case UInt8(ascii: "t"): try text.word("rue")
        case UInt8(ascii: "f"): try text.word("alse")
        case UInt8(ascii: "n"): try text.word("ull")
        case let mark? where mark == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= mark:
            try text.number(from: start)
        case UInt8(ascii: "]") where isBehindComma: throw text.trailingComma("]", at: start)
        default: throw text.unexpected("a value", at: start)
        }
        return false
    }

    /// Continues after a value.
    ///
    /// - Returns: Whether another value must follow. If not, the text is complete.
    private mutating func leavesValue() throws(JSONFlaw) -> Bool {
        while let last = frames.indices.last {
            let isObject = frames[last].names != nil
            if text.takes(",") {
                isBehindComma = true
                frames[last].index += 1
                if isObject { try readName() }
                return true
            }
            guard text.takes(isObject ? "}" : "]") else {
                throw text.unexpected(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"", at: text.position)
            }
            frames.removeLast()
        }
        text.skipSpace()
        let end = text.position
        guard text.nextMark() == nil else { throw text.unexpected("the end of the file", at: end) }
        return false
    }

    private mutating func enter(_ frame: Frame) throws(JSONFlaw) {
        frames.append(frame)
        guard frames.count <= StrictJSON.depthLimit else {
            throw text.flaw(.depth, "values are nested more than \(StrictJSON.depthLimit) levels deep")
        }
    }

    private mutating func readName() throws(JSONFlaw) {
        text.skipSpace()
        let start = text.position
        guard text.takes("\"") else {
            if isBehindComma, text.takes("}") { throw text.trailingComma("}", at: start) }
            throw text.unexpected("a name in quotation marks", at: start)
        }
        isBehindComma = false
        let name = try text.string(isKept: true)
        let last = frames.count - 1
        frames[last].name = name
        guard frames[last].names?.insert(name).inserted == true else {
            throw JSONFlaw(rule: .repeatedName, finding: "\"\(place)\" is given twice", offset: start)
        }
        guard text.takes(":") else { throw text.unexpected("\":\"", at: text.position) }
    }

    /// The path of the current value, such as a member of an array element.
    private var place: String {
        frames.reduce("") { way, frame in
            guard frame.names != nil else { return way + "[\(frame.index)]" }
            return way.isEmpty ? frame.name : way + "." + frame.name
        }
    }
}
