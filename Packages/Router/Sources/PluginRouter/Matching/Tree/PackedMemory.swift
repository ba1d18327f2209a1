/// Elements that are written once and read ever after, side by side and without a reference count.
///
/// What an array would cost a match is not its check of bounds but being retained and released by all readers at once:
/// they would hand one cache line to each other. So this is plain memory. Two things make it safe. Every index that is
/// ever asked for was made by ``RouteTrieBuilder`` along with the elements, and no text that is matched takes part in
/// computing one but by a mask that the builder made. And ``RouteIndex``, which everybody who reads holds on to, frees
/// it when nobody is left.
// because the memory is written before `init` returns, and only read from then on
struct PackedMemory<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>

    /// - Parameter alignment: in bytes, a power of two; an element that fills a cache line wants to start with one.
    init(_ elements: [Element], alignment: Int = MemoryLayout<Element>.alignment) {
        let size = max(1, elements.count) * MemoryLayout<Element>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: max(alignment, MemoryLayout<Element>.alignment))
        base = memory.bindMemory(to: Element.self, capacity: max(1, elements.count))
        elements.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { base.initialize(from: start, count: source.count) }
        }
    }

    @inline(__always)
    subscript(index: Int32) -> Element { base[Int(index)] }

    /// A pointer to the element and those behind it.
    @inline(__always)
    func pointer(to index: Int32) -> UnsafePointer<Element> { UnsafePointer(base + Int(index)) }

    /// Gives the memory back; nobody may read it any more.
    func free() { base.deallocate() }
}
