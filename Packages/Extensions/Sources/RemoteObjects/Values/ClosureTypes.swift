internal import ExtensionProtocol
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

/// A closure that the other process can call.
struct ExportedClosure: ExportedObject {
    typealias Body = @Sendable (inout ValueReader, inout ValueWriter) async throws -> Void

    /// The only function of a closure.
    enum Function: UInt8 {
        case call
    }

    let body: Body

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        try await body(&arguments, &result)
    }
}

extension RemoteReference {
    fileprivate typealias Writing = (inout ValueWriter) throws -> Void

    /// Calls a closure, and drops it with arguments that cannot pass.
    fileprivate func run(_ write: Writing = { _ in }) async {
        _ = try? await call(ExportedClosure.Function.call, write)
    }

    /// Calls a closure without waiting.
    fileprivate func post(_ write: Writing = { _ in }) { notify(ExportedClosure.Function.call, write) }

    /// Calls a closure, and reads its result.
    fileprivate func value<R: CoderType>(_ result: R, _ write: Writing = { _ in }) async throws -> R.Value {
        var values = try await call(ExportedClosure.Function.call, write)
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
                "ActionParameters", write: { try $1.write($0) }, read: { try $0.readParameters() }),
        ]
        let nothing: any CoderType = Coder<Void>("Void", write: { _, _ in }, read: { _ in })
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

    init(
        _ name: String, write: @escaping @Sendable (Value, inout ValueWriter) throws -> Void,
        read: @escaping @Sendable (inout ValueReader) throws -> Value
    ) {
        self.name = name
        self.write = write
        self.read = read
    }
}

extension Coder where Value: CopiedValue {
    init(_ name: String) {
        self.init(name, write: { $0.write(to: &$1.plain) }, read: { try Value(from: &$0.plain) })
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

    /// Adds the closures without parameters and without a result.
    mutating func add() {
        typealias Pool = @concurrent @Sendable () async -> Void
        typealias Caller = nonisolated(nonsending) @Sendable () async -> Void
        typealias Main = @MainActor @Sendable () async -> Void
        typealias Immediate = @Sendable () -> Void
        typealias ImmediateOnMain = @MainActor @Sendable () -> Void
        let type = "() async -> Void"
        add(Pool.self, type, { f in { _, _ in await f() } }, { peer in { await peer.run() } })
        add(Caller.self, "nonisolated(nonsending) " + type, { f in { _, _ in await f() } }, { p in { await p.run() } })
        add(Main.self, "@MainActor " + type, { f in { _, _ in await f() } }, { peer in { await peer.run() } })
        add(Immediate.self, "() -> Void", { f in { _, _ in f() } }, { peer in { peer.post() } })
        add(ImmediateOnMain.self, "@MainActor () -> Void", { f in { _, _ in await f() } }, { peer in { peer.post() } })
    }

    /// Adds the closures without parameters that can throw.
    mutating func addThrowing<R: CoderType>(_ r: R) {
        typealias Pool = @concurrent @Sendable () async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable () async throws -> R.Value
        typealias Main = @MainActor @Sendable () async throws -> R.Value
        let type = "() async throws -> \(r.name)"
        add(Pool.self, type, { f in { try r.write(await f(), &$1) } }, { peer in { try await peer.value(r) } })
        add(
            Caller.self, "nonisolated(nonsending) " + type, { f in { try r.write(await f(), &$1) } },
            { peer in { try await peer.value(r) } })
        add(
            Main.self, "@MainActor " + type, { f in { try r.write(await f(), &$1) } },
            { peer in { try await peer.value(r) } })
    }

    /// Adds the closures with one parameter and without a result.
    mutating func add<A: CoderType>(_ a: A) {
        typealias Pool = @concurrent @Sendable (A.Value) async -> Void
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value) async -> Void
        typealias Main = @MainActor @Sendable (A.Value) async -> Void
        typealias Immediate = @Sendable (A.Value) -> Void
        typealias ImmediateOnMain = @MainActor @Sendable (A.Value) -> Void
        let type = "(\(a.name)) async -> Void"
        add(
            Pool.self, type, { f in { r, _ in await f(try a.read(&r)) } },
            { peer in { x in await peer.run { try a.write(x, &$0) } } })
        add(
            Caller.self, "nonisolated(nonsending) " + type, { f in { r, _ in await f(try a.read(&r)) } },
            { peer in { x in await peer.run { try a.write(x, &$0) } } })
        add(
            Main.self, "@MainActor " + type, { f in { r, _ in await f(try a.read(&r)) } },
            { peer in { x in await peer.run { try a.write(x, &$0) } } })
        add(
            Immediate.self, "(\(a.name)) -> Void", { f in { r, _ in f(try a.read(&r)) } },
            { peer in { x in peer.post { try a.write(x, &$0) } } })
        add(
            ImmediateOnMain.self, "@MainActor (\(a.name)) -> Void", { f in { r, _ in await f(try a.read(&r)) } },
            { peer in { x in peer.post { try a.write(x, &$0) } } })
    }

    /// Adds the closures with one parameter that can throw.
    mutating func addThrowing<A: CoderType, R: CoderType>(_ a: A, _ r: R) {
        typealias Pool = @concurrent @Sendable (A.Value) async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value) async throws -> R.Value
        typealias Main = @MainActor @Sendable (A.Value) async throws -> R.Value
        let type = "(\(a.name)) async throws -> \(r.name)"
        add(
            Pool.self, type, { f in { try r.write(await f(try a.read(&$0)), &$1) } },
            { peer in { x in try await peer.value(r) { try a.write(x, &$0) } } })
        add(
            Caller.self, "nonisolated(nonsending) " + type, { f in { try r.write(await f(try a.read(&$0)), &$1) } },
            { peer in { x in try await peer.value(r) { try a.write(x, &$0) } } })
        add(
            Main.self, "@MainActor " + type, { f in { try r.write(await f(try a.read(&$0)), &$1) } },
            { peer in { x in try await peer.value(r) { try a.write(x, &$0) } } })
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
        add(
            Pool.self, names + " async -> Void", { f in { r, _ in await f(try a.read(&r), try b.read(&r)) } },
            { peer in { await peer.run(writing($0, $1)) } })
        add(
            Caller.self, "nonisolated(nonsending) " + names + " async -> Void",
            { f in { r, _ in await f(try a.read(&r), try b.read(&r)) } },
            { peer in { await peer.run(writing($0, $1)) } })
        add(
            Main.self, "@MainActor " + names + " async -> Void",
            { f in { r, _ in await f(try a.read(&r), try b.read(&r)) } },
            { peer in { await peer.run(writing($0, $1)) } })
        add(
            Immediate.self, names + " -> Void", { f in { r, _ in f(try a.read(&r), try b.read(&r)) } },
            { peer in { peer.post(writing($0, $1)) } })
        add(
            ImmediateOnMain.self, "@MainActor " + names + " -> Void",
            { f in { r, _ in await f(try a.read(&r), try b.read(&r)) } },
            { peer in { peer.post(writing($0, $1)) } })
    }

    /// Adds the closures with two parameters that can throw.
    mutating func addThrowing<A: CoderType, B: CoderType, R: CoderType>(_ a: A, _ b: B, _ r: R) {
        typealias Pool = @concurrent @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias Caller = nonisolated(nonsending) @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias Main = @MainActor @Sendable (A.Value, B.Value) async throws -> R.Value
        let type = "(\(a.name), \(b.name)) async throws -> \(r.name)"
        let writing = Self.writing(a, b)
        add(
            Pool.self, type, { f in { try r.write(await f(try a.read(&$0), try b.read(&$0)), &$1) } },
            { peer in { try await peer.value(r, writing($0, $1)) } })
        add(
            Caller.self, "nonisolated(nonsending) " + type,
            { f in { try r.write(await f(try a.read(&$0), try b.read(&$0)), &$1) } },
            { peer in { try await peer.value(r, writing($0, $1)) } })
        add(
            Main.self, "@MainActor " + type,
            { f in { try r.write(await f(try a.read(&$0), try b.read(&$0)), &$1) } },
            { peer in { try await peer.value(r, writing($0, $1)) } })
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
