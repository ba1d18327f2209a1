internal import PluginCore

/// A type of closures that pass to the other process, where calling them calls the closure in this one.
struct ClosureType: Sendable {
    /// The name, such as `(String) async -> Void`.
    let name: String
    /// Returns the object for a closure of the type.
    let export: @Sendable (any Sendable) throws -> ExportedClosure
    /// Returns a closure that calls the other process.
    let make: @Sendable (RemoteReference) -> any Sendable
}

/// A closure that the other process can call: the object's only function.
struct ExportedClosure: ExportedObject {
    typealias Body = @Sendable (inout ValueReader, inout ValueWriter) async throws -> Void

    static let function: UInt8 = 0

    let body: Body

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        try await body(&arguments, &result)
    }
}

extension RemoteReference {
    typealias Writing = (inout ValueWriter) throws -> Void

    /// Calls a closure.
    @discardableResult
    func callClosure(_ write: Writing = { _ in }) async throws -> ValueReader {
        try await objects.call(number, ExportedClosure.function, write)
    }

    /// Calls a closure without waiting. Arguments that cannot pass are dropped with the call.
    func notifyClosure(_ write: Writing = { _ in }) { try? objects.notify(number, ExportedClosure.function, write) }

    /// Calls a closure, and drops it with arguments that cannot pass.
    fileprivate func run(_ write: Writing = { _ in }) async { _ = try? await callClosure(write) }

    /// Calls a closure, and reads its result.
    fileprivate func value<R: CoderType>(_ result: R, _ write: Writing = { _ in }) async throws -> R.Value {
        var values = try await callClosure(write)
        return try result.read(&values)
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
        let values: [any CoderType] = [
            Coder<String>("String"), Coder<Int>("Int"), Coder<Bool>("Bool"), Coder<Double>("Double"),
            Coder<CodedValue>("CodedValue"), Coder<ResourceURI>("ResourceURI"), Coder<[String]>("[String]"),
            Coder<[UInt8]>("[UInt8]"), Coder<String?>("String?"), Coder<Int?>("Int?"),
            Coder<CodedValue?>("CodedValue?"),
            Coder<ActionParameters>(
                name: "ActionParameters", write: { try $1.write($0) }, read: { try $0.readParameters() }),
        ]
        let nothing: any CoderType = Coder<Void>(name: "Void", write: { _, _ in }, read: { _ in })
        table.add()
        for value in values { table.add(value) }
        for first in values.prefix(4) {
            for second in values.prefix(4) { table.add(first, second) }
        }
        for result in [nothing] + values {
            table.addThrowing(result)
            for value in values { table.addThrowing(value, result) }
        }
        for result in [nothing] + values.prefix(4) {
            for first in values.prefix(4) {
                for second in values.prefix(4) { table.addThrowing(first, second, result) }
            }
        }
        return table
    }()
}

/// The writing and reading of a parameter or a result.
private protocol CoderType: Sendable {
    associatedtype Value: Sendable
    var name: String { get }
    var write: @Sendable (Value, inout ValueWriter) throws -> Void { get }
    var read: @Sendable (inout ValueReader) throws -> Value { get }
}

private struct Coder<Value: Sendable>: CoderType {
    let name: String
    let write: @Sendable (Value, inout ValueWriter) throws -> Void
    let read: @Sendable (inout ValueReader) throws -> Value
}

extension Coder where Value: CopiedValue {
    init(_ name: String) {
        self.init(name: name, write: { $0.write(to: &$1.plain) }, read: { try Value(from: &$0.plain) })
    }
}

private struct ClosureTable: Sendable {
    private(set) var byType: [ObjectIdentifier: ClosureType] = [:]
    private(set) var byName: [String: ClosureType] = [:]

    private mutating func add<Closure: Sendable>(
        _ type: Closure.Type, _ name: String, _ export: @escaping @Sendable (Closure) -> ExportedClosure.Body,
        _ make: @escaping @Sendable (RemoteReference) -> Closure
    ) {
        let entry = ClosureType(
            name: name,
            export: { value in
                guard let closure = value as? Closure else {
                    throw AtriumError(.parameterType, name, reason: "notTransferable", ["type": .text(name)])
                }
                return ExportedClosure(body: export(closure))
            }, make: { make($0) })
        byType[ObjectIdentifier(type)] = entry
        byName[name] = entry
    }

    // Each function adds the closures that differ only in where they run: on a thread of the pool, on the caller's actor, or on the main actor.
    // Swift converts each of them to a closure that runs on the caller's actor, and that one to each of them.

    private typealias Export<Closure> = @Sendable (Closure) -> ExportedClosure.Body
    private typealias Make<Closure> = @Sendable (RemoteReference) -> Closure

    /// Adds the closures without parameters and without a result.
    mutating func add() {
        typealias Pool = @concurrent @Sendable () async -> Void
        typealias Caller = nonisolated(nonsending) @Sendable () async -> Void
        typealias Main = @MainActor @Sendable () async -> Void
        typealias Immediate = @Sendable () -> Void
        typealias ImmediateOnMain = @MainActor @Sendable () -> Void
        let export: Export<Caller> = { f in { _, _ in await f() } }
        let make: Make<Caller> = { peer in { await peer.run() } }
        let post: Make<Immediate> = { peer in { peer.notifyClosure() } }
        add(Pool.self, "() async -> Void", { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) () async -> Void", export, make)
        add(Main.self, "@MainActor () async -> Void", { export($0) }, { make($0) })
        add(Immediate.self, "() -> Void", { export($0) }, post)
        add(ImmediateOnMain.self, "@MainActor () -> Void", { export($0) }, { post($0) })
    }

    /// Adds the closures without parameters that can throw.
    mutating func addThrowing<R: CoderType>(_ r: R) {
        typealias Pool = @concurrent @Sendable () async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable () async throws -> R.Value
        typealias Main = @MainActor @Sendable () async throws -> R.Value
        let type = "() async throws -> \(r.name)"
        let export: Export<Caller> = { f in { try r.write(await f(), &$1) } }
        let make: Make<Caller> = { peer in { try await peer.value(r) } }
        add(Pool.self, type, { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) " + type, export, make)
        add(Main.self, "@MainActor " + type, { export($0) }, { make($0) })
    }

    /// Adds the closures with one parameter and without a result.
    mutating func add<A: CoderType>(_ a: A) {
        typealias Pool = @concurrent @Sendable (A.Value) async -> Void
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value) async -> Void
        typealias Main = @MainActor @Sendable (A.Value) async -> Void
        typealias Immediate = @Sendable (A.Value) -> Void
        typealias ImmediateOnMain = @MainActor @Sendable (A.Value) -> Void
        let type = "(\(a.name)) async -> Void"
        let export: Export<Caller> = { f in { r, _ in await f(try a.read(&r)) } }
        let make: Make<Caller> = { peer in { x in await peer.run { try a.write(x, &$0) } } }
        let post: Make<Immediate> = { peer in { x in peer.notifyClosure { try a.write(x, &$0) } } }
        add(Pool.self, type, { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) " + type, export, make)
        add(Main.self, "@MainActor " + type, { export($0) }, { make($0) })
        add(Immediate.self, "(\(a.name)) -> Void", { export($0) }, post)
        add(ImmediateOnMain.self, "@MainActor (\(a.name)) -> Void", { export($0) }, { post($0) })
    }

    /// Adds the closures with one parameter that can throw.
    mutating func addThrowing<A: CoderType, R: CoderType>(_ a: A, _ r: R) {
        typealias Pool = @concurrent @Sendable (A.Value) async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value) async throws -> R.Value
        typealias Main = @MainActor @Sendable (A.Value) async throws -> R.Value
        let type = "(\(a.name)) async throws -> \(r.name)"
        let export: Export<Caller> = { f in { try r.write(await f(try a.read(&$0)), &$1) } }
        let make: Make<Caller> = { peer in { x in try await peer.value(r) { try a.write(x, &$0) } } }
        add(Pool.self, type, { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) " + type, export, make)
        add(Main.self, "@MainActor " + type, { export($0) }, { make($0) })
    }

    /// Adds the closures with two parameters and without a result.
    mutating func add<A: CoderType, B: CoderType>(_ a: A, _ b: B) {
        typealias Pool = @concurrent @Sendable (A.Value, B.Value) async -> Void
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value, B.Value) async -> Void
        typealias Main = @MainActor @Sendable (A.Value, B.Value) async -> Void
        typealias Immediate = @Sendable (A.Value, B.Value) -> Void
        typealias ImmediateOnMain = @MainActor @Sendable (A.Value, B.Value) -> Void
        let names = "(\(a.name), \(b.name))"
        let writing = Self.writing(a, b)
        let export: Export<Caller> = { f in { r, _ in await f(try a.read(&r), try b.read(&r)) } }
        let make: Make<Caller> = { peer in { await peer.run(writing($0, $1)) } }
        let post: Make<Immediate> = { peer in { peer.notifyClosure(writing($0, $1)) } }
        add(Pool.self, names + " async -> Void", { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) " + names + " async -> Void", export, make)
        add(Main.self, "@MainActor " + names + " async -> Void", { export($0) }, { make($0) })
        add(Immediate.self, names + " -> Void", { export($0) }, post)
        add(ImmediateOnMain.self, "@MainActor " + names + " -> Void", { export($0) }, { post($0) })
    }

    /// Adds the closures with two parameters that can throw.
    mutating func addThrowing<A: CoderType, B: CoderType, R: CoderType>(_ a: A, _ b: B, _ r: R) {
        typealias Pool = @concurrent @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias Main = @MainActor @Sendable (A.Value, B.Value) async throws -> R.Value
        let type = "(\(a.name), \(b.name)) async throws -> \(r.name)"
        let writing = Self.writing(a, b)
        let export: Export<Caller> = { f in { try r.write(await f(try a.read(&$0), try b.read(&$0)), &$1) } }
        let make: Make<Caller> = { peer in { try await peer.value(r, writing($0, $1)) } }
        add(Pool.self, type, { export($0) }, { make($0) })
        add(Caller.self, "nonisolated(nonsending) " + type, export, make)
        add(Main.self, "@MainActor " + type, { export($0) }, { make($0) })
    }

    private static func writing<A: CoderType, B: CoderType>(
        _ a: A, _ b: B
    ) -> @Sendable (A.Value, B.Value) -> (inout ValueWriter) throws -> Void {
        { x, y in
            {
                try a.write(x, &$0)
                try b.write(y, &$0)
            }
        }
    }
}
