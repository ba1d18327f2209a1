import PluginCore
import Synchronization

/// An object of this process that the other process can call. As a value of a message, it is a reference.
package protocol ExportedObject: WireEncodable {
    /// Runs a function, and returns its result.
    ///
    /// - Parameters:
    ///   - function: The number of the function.
    ///   - arguments: The arguments in the form of the function.
    /// - Throws: Any error, which the caller gets; ``WireReader/Malformed`` for arguments in another form.
    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable
}

extension ExportedObject {
    package func write(to writer: inout WireWriter) { writer.writeReference { $0.export(self) } }
}

/// The objects that two processes share, by number: those of this process, and what is known about those of the other.
struct ObjectTable {
    /// The maximum number of objects of the other process that this one uses at a time.
    private static let importLimit = 10_000
    /// The maximum size of the contents of all pages of the other process, in bytes.
    static let contentLimit = 16 << 20
    /// The maximum size of these contents when they are decoded.
    private static let decodedLimit = 64 << 20

    /// An object of this process.
    struct Export {
        let object: any ExportedObject
        /// The number of references to it that were sent and not released.
        fileprivate var count: UInt32

        /// The page, if the object is one.
        var page: ExportedPage? { object as? ExportedPage }
    }

    private struct WeakPage {
        weak var page: RemotePage?
    }

    private var exports: [UInt32: Export] = [:]
    private var lastExport: UInt32 = 0
    /// The numbers of the exported pages.
    private var pageNumbers: [ObjectIdentifier: UInt32] = [:]
    /// The pages of the other process that this one uses.
    private var remotePages: [UInt32: WeakPage] = [:]
    /// The contents of all pages of the other process that it has passed and not removed.
    private var contents: [UInt32: (bytes: [UInt8], decodedSize: Int)] = [:]
    private var (contentSize, decodedSize) = (0, 0)
    private var importCount = 0

    // MARK: Objects of this process

    /// The number of objects that the other process uses.
    var exportCount: Int { exports.count }

    /// The exported pages, by number.
    var exportedPages: [(number: UInt32, page: ExportedPage)] {
        pageNumbers.values.compactMap { number in exports[number]?.page.map { (number, $0) } }
    }

    /// Returns an object of this process.
    func export(_ number: UInt32) -> Export? { exports[number] }

    /// Returns the number for a new reference to an object.
    mutating func add(_ object: any ExportedObject) -> UInt32 {
        // The other process decides how many numbers are used.
        repeat { lastExport &+= 1 } while lastExport == 0 || exports[lastExport] != nil
        exports[lastExport] = Export(object: object, count: 1)
        return lastExport
    }

    /// Returns the number for a new reference to a page, which is the same while the other process uses the page.
    ///
    /// - Parameter send: Sends the changes that the page makes by itself.
    mutating func add(_ page: any Page, send: @escaping @Sendable () async -> Void) -> UInt32 {
        if let number = pageNumbers[ObjectIdentifier(page)] {
            exports[number]?.count += 1
            return number
        }
        let number = add(ExportedPage(page, send: send))
        pageNumbers[ObjectIdentifier(page)] = number
        return number
    }

    /// Removes references of the other process, and returns the object if they were the last ones.
    mutating func remove(_ number: UInt32, _ count: UInt32) -> Export? {
        guard let export = exports[number] else { return nil }
        guard count >= export.count else {
            exports[number]?.count -= count
            return nil
        }
        if let page = export.page?.page { pageNumbers[ObjectIdentifier(page)] = nil }
        return exports.removeValue(forKey: number)
    }

    /// Removes all objects of this process, and returns them.
    mutating func removeAll() -> [Export] {
        defer {
            exports = [:]
            pageNumbers = [:]
        }
        return Array(exports.values)
    }

    // MARK: Objects of the other process

    /// Counts a reference to an object of the other process.
    ///
    /// - Throws: ``WireReader/Malformed`` if there are too many.
    mutating func addReference() throws {
        guard importCount < Self.importLimit else { throw WireReader.Malformed() }
        importCount += 1
    }

    /// Counts the end of a reference.
    ///
    /// - Returns: Whether it was the reference of a page; and the page that has the number now, whose last reference this can be. The caller
    ///   must release it outside of its lock, because that ends a reference, too.
    mutating func removeReference(_ number: UInt32) -> (isPage: Bool, current: RemotePage?) {
        importCount -= 1
        guard let weak = remotePages[number] else { return (false, nil) }
        if let current = weak.page { return (false, current) }
        remotePages[number] = nil
        return (true, nil)
    }

    /// The pages of the other process that this one uses.
    var livePages: [RemotePage] { remotePages.values.compactMap(\.page) }

    /// Returns a page of the other process, if this one uses it.
    func livePage(_ number: UInt32) -> RemotePage? { remotePages[number]?.page }

    /// Adds a page of the other process, and returns the one with the same number that was added meanwhile, if there is one.
    mutating func add(_ page: RemotePage, _ number: UInt32) -> RemotePage {
        if let other = remotePages[number]?.page { return other }
        remotePages[number] = WeakPage(page: page)
        return page
    }

    /// Returns the last content of a page of the other process.
    func content(of page: UInt32) -> [UInt8]? { contents[page]?.bytes }

    /// Sets the content of a page of the other process, or removes it.
    ///
    /// - Throws: ``WireReader/Malformed`` if all contents together are too large.
    mutating func setContent(_ content: [UInt8]?, of page: UInt32) throws {
        let new = content.map { ($0, decodedSize: WireReader.decodedSize(of: $0)) }
        contentSize += (content?.count ?? 0) - (contents[page]?.bytes.count ?? 0)
        decodedSize += (new?.decodedSize ?? 0) - (contents[page]?.decodedSize ?? 0)
        contents[page] = new
        guard contentSize <= Self.contentLimit, decodedSize <= Self.decodedLimit, contents.count <= Self.importLimit
        else { throw WireReader.Malformed() }
    }
}

/// An object of the other process. When the last reference is gone, the other process learns that the object is not needed any more.
package final class RemoteReference: WireDecodable {
    /// The connection to the process of the object.
    package let objects: ObjectConnection
    /// The number of the object.
    package let number: UInt32
    /// The number of times that this process has received the object.
    private let received: Mutex<UInt32>

    init(_ number: UInt32, of objects: ObjectConnection) {
        self.number = number
        self.objects = objects
        received = Mutex(1)
    }

    package init(from reader: inout WireReader) throws {
        (number, objects) = try reader.readReference { number, objects in
            try objects.addReference()
            return (number, objects)
        }
        received = Mutex(1)
    }

    deinit { objects.release(number, received.withLock { $0 }) }

    /// Records that the object was received once more.
    func receiveAgain() { received.withLock { $0 += 1 } }

    /// Calls a function, by default that of a closure.
    ///
    /// - Throws: The errors of ``ObjectConnection/call(_:of:_:as:)``.
    func call<Function: RawRepresentable<UInt8>, Result: WireDecodable, each Argument: WireEncodable>(
        function: Function = ExportedClosure.Function.call, _ arguments: repeat each Argument,
        as type: Result.Type = Result.self
    ) async throws -> Result {
        try await objects.call(function, of: number, repeat each arguments)
    }

    /// Calls a function without a result.
    func call<Function: RawRepresentable<UInt8>, each Argument: WireEncodable>(
        function: Function = ExportedClosure.Function.call, _ arguments: repeat each Argument
    ) async throws {
        try await objects.call(function, of: number, repeat each arguments)
    }

    /// Calls a function without waiting. The arguments contain no pages. Arguments that cannot pass are dropped with the call.
    func notify<Function: RawRepresentable<UInt8>, each Argument: WireEncodable>(
        function: Function = ExportedClosure.Function.call, _ arguments: repeat each Argument
    ) {
        objects.notify(function, of: number, repeat each arguments)
    }
}
