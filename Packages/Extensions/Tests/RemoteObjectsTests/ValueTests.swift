@testable import ExtensionProtocol
import Foundation
import PluginCore
import Synchronization
import Testing

@Suite("Values between a host and the process of a plugin", .tags(.medium), .timeLimit(.minutes(1)))
struct ValueTests {
    private static let copies: [any Sendable & Hashable] = [
        true, "text", 1, Int8(-1), Int16(-2), Int32(-3), Int64(-4), UInt(5), UInt8(6), UInt16(7), UInt32(8), UInt64.max,
        1.5, Float(2.5), [1, 2], ["a": ["b"]], Set(["x", "y"]), [1: [true]] as [Int: [Bool]], String?.none,
        Int?.some(4),
        [String?.none, "z"], [[[1]]], [UInt8](repeating: 7, count: 500_000), CodedValue(json: Array("[1]".utf8)),
    ]

    @Test("A value arrives equal and with the same type", arguments: copies.indices)
    func copy(index: Int) async throws {
        func check<Value: Hashable & Sendable>(_ value: Value) async throws {
            let link = try Link(plugin: Function { $0 })
            let returned = try await link.host.call(value)
            #expect(type(of: returned) == Value.self && returned as? Value == value, "\(returned)")
        }
        try await check(Self.copies[index])
    }

    @Test("An address, parameters, a target and no value arrive")
    func others() async throws {
        let link = try Link(plugin: Function { $0 })
        let uri = try ResourceURI("app://shop/item/42?from=mail#top")
        #expect(try await link.host.call(uri) as? ResourceURI == uri)
        #expect(try await link.host.call(()) is Void)
        let parameters = try await link.host.call(ActionParameters(["a": 1, "b": ["c"]])) as? ActionParameters
        #expect(parameters?.values["a"] as? Int == 1 && parameters?.values["b"] as? [String] == ["c"])
        let target = ActionTarget("Clock", actions: [Action("add") { try $0.require("a", as: Int.self) + 1 }]) {
            name, _ in
            "no \(name)"
        }
        let returned = try #require(try await link.host.call(target) as? ActionTarget)
        #expect(returned.name == "Clock" && returned.actionNames == ["add"])
        #expect(try await returned.action("add")?.body(["a": 2]) as? Int == 3)
        #expect(try await returned.notFound?("x", [:]) as? String == "no x")
    }

    @Test("A value of a type that cannot pass is an error with its type, and the connection goes on")
    func unsupported() async throws {
        struct Own: Sendable {}
        let link = try Link(plugin: Function { $0 })
        let deep: [[[[[Int]]]]] = []
        let closures: [any Sendable] = [
            Own(), { @Sendable (value: Int) -> Int in value }, { @Sendable (_: Own) async throws -> Void in },
        ]
        for value in closures {
            let error = await #expect(throws: AtriumError.self) { try await link.host.call(value) }
            #expect(error?.code == .parameterType && error?.reason?.name == "notTransferable")
        }
        await #expect(throws: AtriumError.self) { try await link.host.call(deep) }
        #expect(try await link.host.call(1) as? Int == 1)
    }

    @Test("Values that do not fit into a message arrive, up to 64 MiB")
    func large() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for folder in [FilePath(folder.path), nil] {
            var settings = ObjectConnectionSettings()
            settings.folder = folder
            let link = try Link(plugin: Function { $0 }, settings)
            let value = [UInt8](repeating: 7, count: 20 << 20) + [1, 2, 3]
            #expect(try await link.host.call(value) as? [UInt8] == value)
            let error = await #expect(throws: AtriumError.self) {
                try await link.host.call([UInt8](repeating: 0, count: 65 << 20))
            }
            #expect(error?.reason?.name == "valuesMany")
            #expect(try await link.host.call(1) as? Int == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A closure of each form calls back into the process that has passed it")
    func closures() async throws {
        let link = try Link(
            plugin: Function { value in
                switch value {
                case let closure as @Sendable () async throws -> Int: return try await closure() + 1
                case let closure as @Sendable (String) async -> Void: return await closure("waiting")
                case let closure as @Sendable (String) -> Void:
                    for word in ["first", "second", "third"] { closure(word) }
                case let closure as @MainActor @Sendable (Int) -> Void: await closure(7)
                case let closure as @Sendable (String, Int) async throws -> Bool: return try await closure("a", 2)
                case let closure as @MainActor @Sendable (CodedValue) async throws -> String?:
                    return try await closure(CodedValue("coded"))
                default: return "unknown"
                }
                return ()
            })
        let heard = Mutex<[String]>([])
        let zero: @Sendable () async throws -> Int = { 41 }
        #expect(try await link.host.call(zero) as? Int == 42)
        let waiting: @Sendable (String) async -> Void = { text in heard.withLock { $0.append(text) } }
        _ = try await link.host.call(waiting)
        #expect(heard.withLock { $0 } == ["waiting"])
        let immediate: @Sendable (String) -> Void = { text in heard.withLock { $0.append(text) } }
        #expect(try await link.host.call(immediate) is Void)
        #expect(heard.withLock { $0 } == ["waiting", "first", "second", "third"])
        let onMain: @MainActor @Sendable (Int) -> Void = { number in heard.withLock { $0.append("\(number)") } }
        _ = try await link.host.call(onMain)
        #expect(heard.withLock { $0.last } == "7")
        let two: @Sendable (String, Int) async throws -> Bool = { $0 == "a" && $1 == 2 }
        #expect(try await link.host.call(two) as? Bool == true)
        let coded: @MainActor @Sendable (CodedValue) async throws -> String? = { try $0.value() }
        #expect(try await link.host.call(coded) as? String? == "coded")
    }

    @Test("An error of a function or closure arrives with its code, subject and reason")
    func errors() async throws {
        let thrown = AtriumError(.routeUnknown, "app://x", reason: "because", ["of": "it"], nearest: ["app://y"])
        let link = try Link(
            plugin: Function { value in
                guard let closure = value as? @Sendable () async throws -> Int else { throw thrown }
                return try await closure()
            })
        for value in [1, { @Sendable () async throws -> Int in throw thrown }] as [any Sendable] {
            let error = await #expect(throws: AtriumError.self) { try await link.host.call(value) }
            #expect(error?.code == .routeUnknown, "\(String(describing: error))")
            #expect(error?.subject == "app://x" && error?.nearest == ["app://y"] && error?.reason == thrown.reason)
        }
    }
}
