import Glibc

/// A JSON value as signed metadata contains it: without fractions, because canonical JSON has none.
public enum JSONValue: Hashable, Sendable {
    /// The keyword `null`.
    case null
    /// The keyword `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case integer(Int)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object(JSONObject)
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a keyword.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates it from names and values. Of a repeated name, the last value is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.reduce(into: JSONObject()) { $0[$1.0] = $1.1 })
    }
}

/// The members of a JSON object, in the order of canonical JSON.
public typealias JSONObject = SortedNames<JSONValue>

/// Values by name, in the order of the UTF-8 bytes of the names.
///
/// Names are compared byte by byte. A dictionary of `String` would treat two spellings of an accented letter as the same name, which
/// other TUF implementations do not.
public struct SortedNames<Value: Hashable & Sendable>: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public var value: Value
    }

    /// The members, sorted by the UTF-8 bytes of their names.
    public private(set) var members: [Member] = []

    /// Creates it without members.
    public init() {}

    /// Creates an object. Of a repeated name, the last value is used.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Creates it from members in the right order, or returns nil if they are not.
    init?(sorted: [Member]) {
        for index in sorted.indices.dropFirst() {
            guard sorted[index - 1].name.isBefore(sorted[index].name) else { return nil }
        }
        members = sorted
    }

    /// Creates it from members in any order, or returns nil if a name is repeated.
    init?(unsorted: [Member]) {
        self.init(sorted: unsorted.sorted { $0.name.isBefore($1.name) })
    }

    /// Appends a value whose name comes after all others.
    package mutating func append(_ value: Value, named name: String) {
        members.append(Member(name: name, value: value))
    }

    /// The value of a name, or nil if there is no such member.
    public subscript(name: String) -> Value? {
        get {
            let index = index(of: name)
            return index.isFound ? members[index.offset].value : nil
        }
        set {
            let index = index(of: name)
            switch (index.isFound, newValue) {
            case (true, let value?): members[index.offset].value = value
            case (true, nil): members.remove(at: index.offset)
            case (false, let value?): members.insert(Member(name: name, value: value), at: index.offset)
            case (false, nil): break
            }
        }
    }

    /// Returns the offset of the member with a name, or the one at which it would have to be inserted.
    private func index(of name: String) -> (offset: Int, isFound: Bool) {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle].name.isBefore(name) { low = middle + 1 } else { high = middle }
        }
        return (low, low < members.count && members[low].name.hasSameBytes(as: name))
    }

    /// Removes a member and returns its value, or nil if there is no such member.
    package mutating func take(_ name: String) -> Value? {
        let index = index(of: name)
        return index.isFound ? members.remove(at: index.offset).value : nil
    }
}

extension String {
    /// Returns whether the text comes before another one in the order of their UTF-8 bytes, which is also that of Unicode scalars.
    package func isBefore(_ other: String) -> Bool {
        // A text of another form than UTF-8 in memory, such as one from Objective-C, is compared byte by byte.
        order(beside: other).map { $0 < 0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns whether the text and another one have the same UTF-8 bytes. The operator `==` also accepts other spellings of a letter.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && (order(beside: other).map { $0 == 0 } ?? utf8.elementsEqual(other.utf8))
    }

    /// Returns a number below 0, 0, or a number above 0 if the text comes before, is the same as, or comes after another one.
    ///
    /// - Returns: nil if a text is not in memory as UTF-8.
    private func order(beside other: String) -> Int? {
        let order = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                guard let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count - other.count
                }
                let order = Int(memcmp(first, second, min(one.count, other.count)))
                return order == 0 ? one.count - other.count : order
            }
        }
        return order ?? nil
    }
}

extension [String] {
    /// An element that occurs more than once, or nil. Two elements are equal if their UTF-8 bytes are.
    package var repeated: String? {
        // Most lists are in order.
        if zip(self, dropFirst()).allSatisfy({ $0.isBefore($1) }) { return nil }
        let sorted = sorted { $0.isBefore($1) }
        return zip(sorted, sorted.dropFirst()).first { $0.hasSameBytes(as: $1) }?.0
    }
}
