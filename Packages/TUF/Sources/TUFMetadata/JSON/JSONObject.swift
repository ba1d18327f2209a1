#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The members of a JSON object, in the order of canonical JSON.
///
/// Names are compared byte by byte. A dictionary of `String` would treat two spellings of an accented letter as the same name, which
/// other TUF implementations do not.
public struct JSONObject: Hashable, Sendable {
    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public var value: JSONValue
    }

    /// The members, sorted by the UTF-8 bytes of their names.
    public private(set) var members: [Member] = []

    /// Creates an object without members.
    public init() {}

    /// Creates an object from members in any order, or returns nil if a name is repeated.
    init?(unsorted: [Member]) {
        // Files are mostly written in canonical order.
        let isSorted = zip(unsorted, unsorted.dropFirst()).allSatisfy { $0.name.isBefore($1.name) }
        members = isSorted ? unsorted : unsorted.sorted { $0.name.isBefore($1.name) }
        guard !isSorted else { return }
        for (one, next) in zip(members, members.dropFirst()) where !one.name.isBefore(next.name) { return nil }
    }

    /// The value of a name, or nil if there is no such member.
    public subscript(name: String) -> JSONValue? {
        get {
            let index = members.sortedIndex(of: name, \.name)
            return index.isFound ? members[index.offset].value : nil
        }
        set {
            let index = members.sortedIndex(of: name, \.name)
            switch (index.isFound, newValue) {
            case (true, let value?): members[index.offset].value = value
            case (true, nil): members.remove(at: index.offset)
            case (false, let value?): members.insert(Member(name: name, value: value), at: index.offset)
            case (false, nil): break
            }
        }
    }

    /// Returns the object without the members of some names.
    func without(_ names: Set<String>) -> JSONObject {
        var rest = JSONObject()
        rest.members = members.filter { !names.contains($0.name) }
        return rest
    }
}

extension String {
    /// Returns whether the text comes before another one in the order of their UTF-8 bytes, which is also that of Unicode scalars.
    func isBefore(_ other: String) -> Bool {
        let order = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                guard let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count < other.count
                }
                let order = memcmp(first, second, min(one.count, other.count))
                return order == 0 ? one.count < other.count : order < 0
            }
        }
        // A text of another form than UTF-8 in memory, such as one from Objective-C.
        return (order ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Array {
    /// Searches an array that is sorted by the UTF-8 bytes of a text in its elements.
    ///
    /// - Returns: The offset of the element, or the one at which it would have to be inserted.
    func sortedIndex(of name: String, _ text: (Element) -> String) -> (offset: Int, isFound: Bool) {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if text(self[middle]).isBefore(name) { low = middle + 1 } else { high = middle }
        }
        return (low, low < count && text(self[low]).utf8.elementsEqual(name.utf8))
    }
}
