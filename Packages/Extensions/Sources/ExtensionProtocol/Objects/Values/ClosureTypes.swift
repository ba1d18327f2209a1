internal import PluginCore

/// A type of closures that pass to the other process, where calling them calls the closure in this one.
struct ClosureType: Sendable {
    /// The name, such as `(String) async -> Void`.
    let name: String
    /// Returns the object for a closure of the type, or nil for another value.
    let export: @Sendable (any Sendable) -> ExportedClosure?
    /// Returns a closure that calls the other process.
    let make: @Sendable (RemoteReference) -> any Sendable
}

/// A closure that the other process can call: the object's only function.
struct ExportedClosure: ExportedObject {
    enum Function: UInt8 { case call }

    private let body: @Sendable (inout WireReader) async throws -> any WireEncodable

    // One for each number of parameters: Swift 6.3 calls a closure of known types wrongly if they become a parameter pack.

    init(_ closure: @escaping @Sendable () async throws -> some WireEncodable) {
        body = { _ in try await closure() }
    }

    init<A: WireDecodable>(_ closure: @escaping @Sendable (A) async throws -> some WireEncodable) {
        body = { try await closure($0.read(A.self)) }
    }

    init<A: WireDecodable, B: WireDecodable>(
        _ closure: @escaping @Sendable (A, B) async throws -> some WireEncodable
    ) {
        body = { try await closure($0.read(A.self), $0.read(B.self)) }
    }

    init(_ closure: @escaping @Sendable () async throws -> Void) {
        body = { _ in
            try await closure()
            return EmptyReply()
        }
    }

    init<A: WireDecodable>(_ closure: @escaping @Sendable (A) async throws -> Void) {
        body = {
            try await closure($0.read(A.self))
            return EmptyReply()
        }
    }

    init<A: WireDecodable, B: WireDecodable>(_ closure: @escaping @Sendable (A, B) async throws -> Void) {
        body = {
            try await closure($0.read(A.self), $0.read(B.self))
            return EmptyReply()
        }
    }

    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        try await body(&arguments)
    }
}

/// The types of closures that pass to the other process: up to two parameters and a result of the most common types.
///
/// Swift cannot create a closure of a type that is known only at run time, so the types are a list. A closure with a result is `async` and
/// can throw, because its process can end. A closure without either is not waited for. An asynchronous closure is of one of two types, which
/// its module's setting `NonisolatedNonsendingByDefault` selects.
enum ClosureTypes {
    /// Returns the type of a value, or nil if it is not a closure that can pass.
    static func type(of value: any Sendable) -> ClosureType? { all.byType[ObjectIdentifier(Swift.type(of: value))] }

    /// Returns the type with a name.
    static func type(named name: String) -> ClosureType? { all.byName[name] }

    private static let all: ClosureTable = {
        var table = ClosureTable()
        let values: [(name: String, type: any WireValue.Type)] = [
            ("String", String.self), ("Int", Int.self), ("Bool", Bool.self), ("Double", Double.self),
            ("CodedValue", CodedValue.self), ("ResourceURI", ResourceURI.self), ("[String]", [String].self),
            ("[UInt8]", [UInt8].self), ("String?", String?.self), ("Int?", Int?.self),
            ("CodedValue?", CodedValue?.self),
            ("ActionParameters", ActionParameters.self),
        ]
        table.add("()")
        for result in values { table.add(returning: result.type, "() async throws -> \(result.name)") }
        for value in values {
            table.add(value.type, "(\(value.name))")
            for result in values {
                table.add(value.type, returning: result.type, "(\(value.name)) async throws -> \(result.name)")
            }
        }
        for first in values.prefix(4) {
            for second in values.prefix(4) {
                let names = "(\(first.name), \(second.name))"
                table.add(first.type, second.type, names)
                for result in values.prefix(4) {
                    table.add(
                        first.type, second.type, returning: result.type, "\(names) async throws -> \(result.name)")
                }
            }
        }
        return table
    }()
}

private typealias Pool<R, each P> = @concurrent @Sendable (repeat each P) async -> R
private typealias Caller<R, each P> = nonisolated(nonsending) @Sendable (repeat each P) async -> R
private typealias Main<R, each P> = @MainActor @Sendable (repeat each P) async -> R
private typealias ThrowingPool<R, each P> = @concurrent @Sendable (repeat each P) async throws -> R
private typealias ThrowingCaller<R, each P> = nonisolated(nonsending) @Sendable (repeat each P) async throws -> R
private typealias ThrowingMain<R, each P> = @MainActor @Sendable (repeat each P) async throws -> R
private typealias Immediate<R, each P> = @Sendable (repeat each P) -> R
private typealias ImmediateOnMain<R, each P> = @MainActor @Sendable (repeat each P) -> R
private let onCaller = "nonisolated(nonsending) "
private let onMain = "@MainActor "

private struct ClosureTable: Sendable {
    private(set) var byType: [ObjectIdentifier: ClosureType] = [:]
    private(set) var byName: [String: ClosureType] = [:]

    private mutating func add<Closure: Sendable>(
        _ type: Closure.Type, _ name: String, _ export: @escaping @Sendable (Closure) -> ExportedClosure,
        _ make: @escaping @Sendable (RemoteReference) -> Closure
    ) {
        let entry = ClosureType(name: name, export: { ($0 as? Closure).map(export) }, make: { make($0) })
        byType[ObjectIdentifier(type)] = entry
        byName[name] = entry
    }

    // Each function adds the closures that differ only in where they run: on a thread of the pool, on the caller's actor, or on the main actor.

    /// Adds the closures without parameters and without a result.
    mutating func add(_ names: String) {
        let (type, throwing) = (names + " async -> Void", names + " async throws -> Void")
        add(Pool<Void>.self, type, { .init($0) }, { peer in { try? await peer.call() } })
        add(Caller<Void>.self, onCaller + type, { .init($0) }, { peer in { try? await peer.call() } })
        add(Main<Void>.self, onMain + type, { .init($0) }, { peer in { try? await peer.call() } })
        add(ThrowingPool<Void>.self, throwing, { .init($0) }, { peer in { try await peer.call() } })
        add(ThrowingCaller<Void>.self, onCaller + throwing, { .init($0) }, { peer in { try await peer.call() } })
        add(ThrowingMain<Void>.self, onMain + throwing, { .init($0) }, { peer in { try await peer.call() } })
        add(Immediate<Void>.self, names + " -> Void", { .init($0) }, { peer in { peer.notify() } })
        add(
            ImmediateOnMain<Void>.self, onMain + names + " -> Void", { .init($0) }, { peer in { peer.notify() } }
        )
    }

    /// Adds the closures without parameters and with a result.
    mutating func add<R: WireValue>(returning result: R.Type, _ type: String) {
        add(ThrowingPool<R>.self, type, { .init($0) }, { peer in { try await peer.call() } })
        add(ThrowingCaller<R>.self, onCaller + type, { .init($0) }, { peer in { try await peer.call() } })
        add(ThrowingMain<R>.self, onMain + type, { .init($0) }, { peer in { try await peer.call() } })
    }

    /// Adds the closures with one parameter and without a result.
    mutating func add<A: WireValue>(_ a: A.Type, _ names: String) {
        let (type, throwing) = (names + " async -> Void", names + " async throws -> Void")
        add(Pool<Void, A>.self, type, { .init($0) }, { peer in { try? await peer.call($0) } })
        add(Caller<Void, A>.self, onCaller + type, { .init($0) }, { peer in { try? await peer.call($0) } })
        add(Main<Void, A>.self, onMain + type, { .init($0) }, { peer in { try? await peer.call($0) } })
        add(ThrowingPool<Void, A>.self, throwing, { .init($0) }, { peer in { try await peer.call($0) } })
        add(
            ThrowingCaller<Void, A>.self, onCaller + throwing, { .init($0) },
            { peer in { try await peer.call($0) } })
        add(
            ThrowingMain<Void, A>.self, onMain + throwing, { .init($0) }, { peer in { try await peer.call($0) } }
        )
        add(Immediate<Void, A>.self, names + " -> Void", { .init($0) }, { peer in { peer.notify($0) } })
        add(
            ImmediateOnMain<Void, A>.self, onMain + names + " -> Void", { .init($0) },
            { peer in { peer.notify($0) } })
    }

    /// Adds the closures with one parameter and a result.
    mutating func add<A: WireValue, R: WireValue>(_ a: A.Type, returning result: R.Type, _ type: String) {
        add(ThrowingPool<R, A>.self, type, { .init($0) }, { peer in { try await peer.call($0) } })
        add(ThrowingCaller<R, A>.self, onCaller + type, { .init($0) }, { peer in { try await peer.call($0) } })
        add(ThrowingMain<R, A>.self, onMain + type, { .init($0) }, { peer in { try await peer.call($0) } })
    }

    /// Adds the closures with two parameters and without a result.
    mutating func add<A: WireValue, B: WireValue>(_ a: A.Type, _ b: B.Type, _ names: String) {
        let (type, throwing) = (names + " async -> Void", names + " async throws -> Void")
        add(Pool<Void, A, B>.self, type, { .init($0) }, { peer in { try? await peer.call($0, $1) } })
        add(
            Caller<Void, A, B>.self, onCaller + type, { .init($0) }, { peer in { try? await peer.call($0, $1) } }
        )
        add(Main<Void, A, B>.self, onMain + type, { .init($0) }, { peer in { try? await peer.call($0, $1) } })
        add(ThrowingPool<Void, A, B>.self, throwing, { .init($0) }, { peer in { try await peer.call($0, $1) } })
        add(
            ThrowingCaller<Void, A, B>.self, onCaller + throwing, { .init($0) },
            { peer in { try await peer.call($0, $1) } })
        add(
            ThrowingMain<Void, A, B>.self, onMain + throwing, { .init($0) },
            { peer in { try await peer.call($0, $1) } })
        add(Immediate<Void, A, B>.self, names + " -> Void", { .init($0) }, { peer in { peer.notify($0, $1) } })
        add(
            ImmediateOnMain<Void, A, B>.self, onMain + names + " -> Void", { .init($0) },
            { peer in { peer.notify($0, $1) } })
    }

    /// Adds the closures with two parameters and a result.
    mutating func add<A: WireValue, B: WireValue, R: WireValue>(
        _ a: A.Type, _ b: B.Type, returning result: R.Type, _ type: String
    ) {
        add(ThrowingPool<R, A, B>.self, type, { .init($0) }, { peer in { try await peer.call($0, $1) } })
        add(
            ThrowingCaller<R, A, B>.self, onCaller + type, { .init($0) },
            { peer in { try await peer.call($0, $1) } })
        add(
            ThrowingMain<R, A, B>.self, onMain + type, { .init($0) }, { peer in { try await peer.call($0, $1) } }
        )
    }
}
