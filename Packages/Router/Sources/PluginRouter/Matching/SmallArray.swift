/// An array that stores its first element itself, so that an array of one element allocates no memory.
///
/// Nearly every address matches exactly one route.
///
/// ```swift
/// var numbers = SmallArray<Int>()
/// numbers.append(1)
/// numbers.count    // 1
/// ```
@frozen
public struct SmallArray<Element> {
    @frozen
    @usableFromInline
    enum Storage {
        case none
        case one(Element)
        case many([Element])
    }

    @usableFromInline var storage = Storage.none

    /// Creates an empty array.
    @inlinable
    public init() {}

    /// Creates an array of the elements of a sequence.
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// Adds an element at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        if case .none = storage { storage = .one(element) } else { grow(element) }
    }

    // Not inlined, because it would take registers from the code that appends the first element.
    @inline(never)
    @inlinable
    mutating func grow(_ element: Element) {
        var elements = if case .many(let others) = storage { others } else { Array(self) }
        // The array must be referenced only once, or it would be copied.
        storage = .none
        elements.append(element)
        storage = .many(elements)
    }

    /// Returns an array of the results of a closure for each element.
    @inlinable
    public func mapped<R>(_ transform: (Element) -> R) -> SmallArray<R> {
        var results = SmallArray<R>()
        switch storage {
        case .none: break
        case .one(let element): results.storage = .one(transform(element))
        case .many(let elements): results.storage = .many(elements.map(transform))
        }
        return results
    }
}

extension SmallArray: Sendable where Element: Sendable {}
extension SmallArray.Storage: Sendable where Element: Sendable {}

extension SmallArray: RandomAccessCollection {
    /// The index of the first element.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable
    public var endIndex: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    /// Returns an element.
    @inlinable
    public subscript(index: Int) -> Element {
        switch storage {
        case .one(let element) where index == 0: element
        case .many(let elements): elements[index]
        // The error of an array, as for any other index that does not exist.
        default: ([] as [Element])[index]
        }
    }

    /// The first element, or nil if there is none.
    @inlinable
    public var first: Element? {
        switch storage {
        case .none: nil
        case .one(let element): element
        case .many(let elements): elements.first
        }
    }
}
