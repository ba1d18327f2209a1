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
    @usableFromInline var head: Element?
    @usableFromInline var tail: [Element] = []

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
        if head == nil { head = element } else { tail.append(element) }
    }
}

extension SmallArray: Sendable where Element: Sendable {}

extension SmallArray: RandomAccessCollection {
    /// The index of the first element.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable public var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    /// Returns an element.
    @inlinable
    public subscript(index: Int) -> Element {
        if index == 0, let head { return head }
        return tail[index - 1]
    }

    /// The first element, or nil if there is none.
    @inlinable public var first: Element? { head }
}
