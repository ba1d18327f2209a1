import PluginCore

/// A type of closures that pass to the other process, where calling them calls the closure in this one.
struct ClosureType {
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

    init<R: Sendable>(_ closure: @escaping @Sendable () async throws -> R) {
        body = { _ in Self.passed(try await closure()) }
    }

    init<A: WireDecodable, R: Sendable>(_ closure: @escaping @Sendable (A) async throws -> R) {
        body = { Self.passed(try await closure($0.read())) }
    }

    init<A: WireDecodable, B: WireDecodable, R: Sendable>(_ closure: @escaping @Sendable (A, B) async throws -> R) {
        body = { Self.passed(try await closure($0.read(), $0.read())) }
    }

    /// Returns a result as it passes. `Void` is the only one without a form of its own.
    private static func passed(_ result: some Sendable) -> any WireEncodable {
        result as? any WireEncodable ?? EmptyReply()
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

private struct ClosureTable {
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
        addThrowing(names + " async throws -> Void") { peer in { try await peer.call() } }
        let type = names + " async -> Void"
        let call: @Sendable (RemoteReference) -> Caller<Void> = { peer in { try? await peer.call() } }
        add(Pool<Void>.self, type, { .init($0) }, { call($0) })
        add(Caller<Void>.self, onCaller + type, { .init($0) }, call)
        add(Main<Void>.self, onMain + type, { .init($0) }, { call($0) })
        let notify: @Sendable (RemoteReference) -> Immediate<Void> = { peer in { peer.notify() } }
        add(Immediate<Void>.self, names + " -> Void", { .init($0) }, notify)
        add(ImmediateOnMain<Void>.self, onMain + names + " -> Void", { .init($0) }, { notify($0) })
    }

    /// Adds the closures without parameters and with a result.
    mutating func add<R: WireValue>(returning result: R.Type, _ type: String) {
        addThrowing(type) { peer in { try await peer.call(as: R.self) } }
    }

    private mutating func addThrowing<R: Sendable>(
        _ type: String, _ call: @escaping @Sendable (RemoteReference) -> ThrowingCaller<R>
    ) {
        add(ThrowingPool<R>.self, type, { .init($0) }, { call($0) })
        add(ThrowingCaller<R>.self, onCaller + type, { .init($0) }, call)
        add(ThrowingMain<R>.self, onMain + type, { .init($0) }, { call($0) })
    }

    /// Adds the closures with one parameter and without a result.
    mutating func add<A: WireValue>(_ a: A.Type, _ names: String) {
        addThrowing(names + " async throws -> Void") { peer in { (a: A) in try await peer.call(a) } }
        let type = names + " async -> Void"
        let call: @Sendable (RemoteReference) -> Caller<Void, A> = { peer in { try? await peer.call($0) } }
        add(Pool<Void, A>.self, type, { .init($0) }, { call($0) })
        add(Caller<Void, A>.self, onCaller + type, { .init($0) }, call)
        add(Main<Void, A>.self, onMain + type, { .init($0) }, { call($0) })
        let notify: @Sendable (RemoteReference) -> Immediate<Void, A> = { peer in { peer.notify($0) } }
        add(Immediate<Void, A>.self, names + " -> Void", { .init($0) }, notify)
        add(ImmediateOnMain<Void, A>.self, onMain + names + " -> Void", { .init($0) }, { notify($0) })
    }

    /// Adds the closures with one parameter and a result.
    mutating func add<A: WireValue, R: WireValue>(_ a: A.Type, returning result: R.Type, _ type: String) {
        addThrowing(type) { peer in { (a: A) in try await peer.call(a, as: R.self) } }
    }

    private mutating func addThrowing<A: WireValue, R: Sendable>(
        _ type: String, _ call: @escaping @Sendable (RemoteReference) -> ThrowingCaller<R, A>
    ) {
        add(ThrowingPool<R, A>.self, type, { .init($0) }, { call($0) })
        add(ThrowingCaller<R, A>.self, onCaller + type, { .init($0) }, call)
        add(ThrowingMain<R, A>.self, onMain + type, { .init($0) }, { call($0) })
    }

    /// Adds the closures with two parameters and without a result.
    mutating func add<A: WireValue, B: WireValue>(_ a: A.Type, _ b: B.Type, _ names: String) {
        addThrowing(names + " async throws -> Void") { peer in { (a: A, b: B) in try await peer.call(a, b) } }
        let type = names + " async -> Void"
        let call: @Sendable (RemoteReference) -> Caller<Void, A, B> = { peer in { try? await peer.call($0, $1) } }
        add(Pool<Void, A, B>.self, type, { .init($0) }, { call($0) })
        add(Caller<Void, A, B>.self, onCaller + type, { .init($0) }, call)
        add(Main<Void, A, B>.self, onMain + type, { .init($0) }, { call($0) })
        let notify: @Sendable (RemoteReference) -> Immediate<Void, A, B> = { peer in { peer.notify($0, $1) } }
        add(Immediate<Void, A, B>.self, names + " -> Void", { .init($0) }, notify)
        add(ImmediateOnMain<Void, A, B>.self, onMain + names + " -> Void", { .init($0) }, { notify($0) })
    }

    /// Adds the closures with two parameters and a result.
    mutating func add<A: WireValue, B: WireValue, R: WireValue>(
        _ a: A.Type, _ b: B.Type, returning result: R.Type, _ type: String
    ) {
        addThrowing(type) { peer in { (a: A, b: B) in try await peer.call(a, b, as: R.self) } }
    }

    private mutating func addThrowing<A: WireValue, B: WireValue, R: Sendable>(
        _ type: String, _ call: @escaping @Sendable (RemoteReference) -> ThrowingCaller<R, A, B>
    ) {
        add(ThrowingPool<R, A, B>.self, type, { .init($0) }, { call($0) })
        add(ThrowingCaller<R, A, B>.self, onCaller + type, { .init($0) }, call)
        add(ThrowingMain<R, A, B>.self, onMain + type, { .init($0) }, { call($0) })
    }
}
