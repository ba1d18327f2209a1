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
    /// The only function of a closure.
    enum Function: UInt8 {
        case call
    }

    let body: @Sendable (inout ValueReader, inout ValueWriter) async throws -> Void

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        try await body(&arguments, &result)
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
        self.init(name) { value, writer in
            value.write(to: &writer.plain)
        } read: { reader in
            try Value(from: &reader.plain)
        }
    }
}

private struct ClosureTable: Sendable {
    private(set) var byType: [ObjectIdentifier: ClosureType] = [:]
    private(set) var byName: [String: ClosureType] = [:]

    private typealias Body = @Sendable (inout ValueReader, inout ValueWriter) async throws -> Void

    private mutating func add<Closure: Sendable>(
        _ type: Closure.Type, _ name: String, export: @escaping @Sendable (Closure) -> Body,
        make: @escaping @Sendable (RemoteReference) -> Closure
    ) {
        let entry = ClosureType(name: name) { value in
            guard let closure = value as? Closure else {
                throw AtriumError(.parameterType, name, reason: "notTransferable", ["type": .text(name)])
            }
            return ExportedClosure(body: export(closure))
        } make: { reference in
            make(reference)
        }
        byType[ObjectIdentifier(type)] = entry
        byName[name] = entry
    }

    /// Adds the closures without parameters and without a result.
    mutating func add() {
        typealias Waiting = @concurrent @Sendable () async -> Void
        typealias WaitingOnCaller = nonisolated(nonsending) @Sendable () async -> Void
        typealias WaitingOnMain = @MainActor @Sendable () async -> Void
        typealias Immediate = @Sendable () -> Void
        typealias ImmediateOnMain = @MainActor @Sendable () -> Void
        add(Waiting.self, "() async -> Void") { (closure: @escaping Waiting) in
            { _, _ in await closure() }
        } make: { reference in
            {
                _ = try? await reference.call(ExportedClosure.Function.call)
            }
        }
        add(WaitingOnCaller.self, "nonisolated(nonsending) () async -> Void") { (closure: @escaping WaitingOnCaller) in
            { _, _ in await closure() }
        } make: { reference in
            {
                _ = try? await reference.call(ExportedClosure.Function.call)
            }
        }
        add(WaitingOnMain.self, "@MainActor () async -> Void") { (closure: @escaping WaitingOnMain) in
            { _, _ in await closure() }
        } make: { reference in
            {
                _ = try? await reference.call(ExportedClosure.Function.call)
            }
        }
        add(Immediate.self, "() -> Void") { (closure: @escaping Immediate) in
            { _, _ in closure() }
        } make: { reference in
            {
                reference.notify(ExportedClosure.Function.call)
            }
        }
        add(ImmediateOnMain.self, "@MainActor () -> Void") { (closure: @escaping ImmediateOnMain) in
            { _, _ in await closure() }
        } make: { reference in
            {
                reference.notify(ExportedClosure.Function.call)
            }
        }
    }

    /// Adds the closures without parameters that can throw.
    mutating func addThrowing<R: CoderType>(_ result: R) {
        typealias Throwing = @concurrent @Sendable () async throws -> R.Value
        typealias ThrowingOnCaller = nonisolated(nonsending) @Sendable () async throws -> R.Value
        typealias ThrowingOnMain = @MainActor @Sendable () async throws -> R.Value
        add(Throwing.self, "() async throws -> \(result.name)") { (closure: @escaping Throwing) in
            { _, writer in try result.write(try await closure(), &writer) }
        } make: { reference in
            {
                var values = try await reference.call(ExportedClosure.Function.call)
                return try result.read(&values)
            }
        }
        add(ThrowingOnCaller.self, "nonisolated(nonsending) () async throws -> \(result.name)") {
            (closure: @escaping ThrowingOnCaller) in
            { _, writer in try result.write(try await closure(), &writer) }
        } make: { reference in
            {
                var values = try await reference.call(ExportedClosure.Function.call)
                return try result.read(&values)
            }
        }
        add(ThrowingOnMain.self, "@MainActor () async throws -> \(result.name)") {
            (closure: @escaping ThrowingOnMain) in
            { _, writer in try result.write(try await closure(), &writer) }
        } make: { reference in
            {
                var values = try await reference.call(ExportedClosure.Function.call)
                return try result.read(&values)
            }
        }
    }

    /// Adds the closures with one parameter and without a result.
    mutating func add<A: CoderType>(_ first: A) {
        typealias Waiting = @concurrent @Sendable (A.Value) async -> Void
        typealias WaitingOnCaller = nonisolated(nonsending) @Sendable (A.Value) async -> Void
        typealias WaitingOnMain = @MainActor @Sendable (A.Value) async -> Void
        typealias Immediate = @Sendable (A.Value) -> Void
        typealias ImmediateOnMain = @MainActor @Sendable (A.Value) -> Void
        add(Waiting.self, "(\(first.name)) async -> Void") { (closure: @escaping Waiting) in
            { reader, _ in await closure(try first.read(&reader)) }
        } make: { reference in
            { a in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
            }
        }
        add(WaitingOnCaller.self, "nonisolated(nonsending) (\(first.name)) async -> Void") {
            (closure: @escaping WaitingOnCaller) in
            { reader, _ in await closure(try first.read(&reader)) }
        } make: { reference in
            { a in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
            }
        }
        add(WaitingOnMain.self, "@MainActor (\(first.name)) async -> Void") { (closure: @escaping WaitingOnMain) in
            { reader, _ in await closure(try first.read(&reader)) }
        } make: { reference in
            { a in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
            }
        }
        add(Immediate.self, "(\(first.name)) -> Void") { (closure: @escaping Immediate) in
            { reader, _ in closure(try first.read(&reader)) }
        } make: { reference in
            { a in
                reference.notify(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
            }
        }
        add(ImmediateOnMain.self, "@MainActor (\(first.name)) -> Void") { (closure: @escaping ImmediateOnMain) in
            { reader, _ in await closure(try first.read(&reader)) }
        } make: { reference in
            { a in
                reference.notify(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
            }
        }
    }

    /// Adds the closures with one parameter that can throw.
    mutating func addThrowing<A: CoderType, R: CoderType>(_ first: A, _ result: R) {
        typealias Throwing = @concurrent @Sendable (A.Value) async throws -> R.Value
        typealias ThrowingOnCaller = nonisolated(nonsending) @Sendable (A.Value) async throws -> R.Value
        typealias ThrowingOnMain = @MainActor @Sendable (A.Value) async throws -> R.Value
        add(Throwing.self, "(\(first.name)) async throws -> \(result.name)") { (closure: @escaping Throwing) in
            { reader, writer in try result.write(try await closure(try first.read(&reader)), &writer) }
        } make: { reference in
            { a in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
                return try result.read(&values)
            }
        }
        add(ThrowingOnCaller.self, "nonisolated(nonsending) (\(first.name)) async throws -> \(result.name)") {
            (closure: @escaping ThrowingOnCaller) in
            { reader, writer in try result.write(try await closure(try first.read(&reader)), &writer) }
        } make: { reference in
            { a in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
                return try result.read(&values)
            }
        }
        add(ThrowingOnMain.self, "@MainActor (\(first.name)) async throws -> \(result.name)") {
            (closure: @escaping ThrowingOnMain) in
            { reader, writer in try result.write(try await closure(try first.read(&reader)), &writer) }
        } make: { reference in
            { a in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                }
                return try result.read(&values)
            }
        }
    }

    /// Adds the closures with two parameters and without a result.
    mutating func add<A: CoderType, B: CoderType>(_ first: A, _ second: B) {
        typealias Waiting = @concurrent @Sendable (A.Value, B.Value) async -> Void
        typealias WaitingOnCaller = nonisolated(nonsending) @Sendable (A.Value, B.Value) async -> Void
        typealias WaitingOnMain = @MainActor @Sendable (A.Value, B.Value) async -> Void
        typealias Immediate = @Sendable (A.Value, B.Value) -> Void
        typealias ImmediateOnMain = @MainActor @Sendable (A.Value, B.Value) -> Void
        add(Waiting.self, "(\(first.name), \(second.name)) async -> Void") { (closure: @escaping Waiting) in
            { reader, _ in await closure(try first.read(&reader), try second.read(&reader)) }
        } make: { reference in
            { a, b in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
            }
        }
        add(WaitingOnCaller.self, "nonisolated(nonsending) (\(first.name), \(second.name)) async -> Void") {
            (closure: @escaping WaitingOnCaller) in
            { reader, _ in await closure(try first.read(&reader), try second.read(&reader)) }
        } make: { reference in
            { a, b in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
            }
        }
        add(WaitingOnMain.self, "@MainActor (\(first.name), \(second.name)) async -> Void") {
            (closure: @escaping WaitingOnMain) in
            { reader, _ in await closure(try first.read(&reader), try second.read(&reader)) }
        } make: { reference in
            { a, b in
                _ = try? await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
            }
        }
        add(Immediate.self, "(\(first.name), \(second.name)) -> Void") { (closure: @escaping Immediate) in
            { reader, _ in closure(try first.read(&reader), try second.read(&reader)) }
        } make: { reference in
            { a, b in
                reference.notify(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
            }
        }
        add(ImmediateOnMain.self, "@MainActor (\(first.name), \(second.name)) -> Void") {
            (closure: @escaping ImmediateOnMain) in
            { reader, _ in await closure(try first.read(&reader), try second.read(&reader)) }
        } make: { reference in
            { a, b in
                reference.notify(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
            }
        }
    }

    /// Adds the closures with two parameters that can throw.
    mutating func addThrowing<A: CoderType, B: CoderType, R: CoderType>(_ first: A, _ second: B, _ result: R) {
        typealias Throwing = @concurrent @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias ThrowingOnCaller = nonisolated(nonsending) @Sendable (A.Value, B.Value) async throws -> R.Value
        typealias ThrowingOnMain = @MainActor @Sendable (A.Value, B.Value) async throws -> R.Value
        add(Throwing.self, "(\(first.name), \(second.name)) async throws -> \(result.name)") {
            (closure: @escaping Throwing) in
            { reader, writer in
                try result.write(try await closure(try first.read(&reader), try second.read(&reader)), &writer)
            }
        } make: { reference in
            { a, b in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
                return try result.read(&values)
            }
        }
        add(
            ThrowingOnCaller.self,
            "nonisolated(nonsending) (\(first.name), \(second.name)) async throws -> \(result.name)"
        ) { (closure: @escaping ThrowingOnCaller) in
            { reader, writer in
                try result.write(try await closure(try first.read(&reader), try second.read(&reader)), &writer)
            }
        } make: { reference in
            { a, b in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
                return try result.read(&values)
            }
        }
        add(ThrowingOnMain.self, "@MainActor (\(first.name), \(second.name)) async throws -> \(result.name)") {
            (closure: @escaping ThrowingOnMain) in
            { reader, writer in
                try result.write(try await closure(try first.read(&reader), try second.read(&reader)), &writer)
            }
        } make: { reference in
            { a, b in
                var values = try await reference.call(ExportedClosure.Function.call) { writer in
                    try first.write(a, &writer)
                    try second.write(b, &writer)
                }
                return try result.read(&values)
            }
        }
    }
}
