import PluginCore
import Testing

private enum Theme: String, Codable {
    case light, dark
}

private struct Window: Codable, Equatable, Sendable {
    var width = 80
    var names: [String: [Double]] = [:]
}

extension DefaultsKey<Theme> {
    fileprivate static var theme: Self { Self("theme", default: .light) }
}

extension DefaultsKey<Int> {
    fileprivate static var starts: Self { Self("starts", default: 0) }
}

@Suite("Defaults of a bundle", .tags(.small))
struct DefaultsValuesTests {
    /// A store in memory.
    private final class Memory: DefaultsStore, @unchecked Sendable {
        private var current = DefaultsValues()
        private(set) var changes = 0

        func values() -> DefaultsValues { current }

        func change(_ body: (inout DefaultsValues) throws -> Void) throws {
            var changed = current
            try body(&changed)
            current = changed
            changes += 1
        }
    }

    private func expectSame<Value: Codable & Equatable & Sendable>(_ value: Value, or other: Value) throws {
        let key = DefaultsKey("key", default: other)
        var values = DefaultsValues()
        #expect(try values[key] == other)
        try values.set(value, for: key)
        #expect(try DefaultsValues(texts: values.texts)[key] == value)
        values.removeValue(for: key)
        #expect(try values[key] == other && values == DefaultsValues())
    }

    @Test("A value is returned as it was set, and its default before it is set and after it was removed")
    func types() throws {
        try expectSame(Theme.dark, or: .light)
        try expectSame(Window(width: 3, names: ["é \"\n": [0.1, -1e300]]), or: Window())
        try expectSame(Int64.min, or: 0)
        try expectSame(UInt64.max, or: 0)
        try expectSame(0.1 + 0.2, or: 0)
        try expectSame(true, or: false)
        try expectSame("", or: "none")
        try expectSame("null", or: "none")
        try expectSame([String](), or: ["none"])
        try expectSame(String?.none, or: "none")
        try expectSame(String?.some("a"), or: nil)
    }

    @Test("A store reads, sets, updates and removes the value of a key that the plugin declares")
    func store() throws {
        let store = Memory()
        #expect(try store[.theme] == .light)
        try store.set(.dark, for: .theme)
        #expect(try store[.theme] == .dark)
        #expect(try store.update(.starts) { $0 += 2 } == 2)
        #expect(try store.update(.starts) { $0 += 2 } == 4)
        try store.removeValue(for: .starts)
        #expect(try store[.starts] == 0)
        try store.change { values in
            try values.set(.light, for: .theme)
            try values.set(values[.starts] + 1, for: .starts)
        }
        #expect(try store[.theme] == .light && store[.starts] == 1)
        #expect(store.changes == 5)
    }

    @Test("A stored value of another type is an error that names the key, and stays stored")
    func otherType() throws {
        let store = Memory()
        try store.set("a text", for: DefaultsKey("starts", default: ""))
        let error = #expect(throws: AtriumError.self) { try store[.starts] }
        #expect(error?.code == .defaultsInvalid && error?.subject == "starts", "\(String(describing: error))")
        #expect(throws: AtriumError.self) { try store.update(.starts) { $0 += 1 } }
        #expect(try store[DefaultsKey("starts", default: "")] == "a text")
        try store.set(7, for: .starts)
        #expect(try store[.starts] == 7)
    }

    @Test(
        "A key needs a name of 1 to 128 bytes without control characters",
        arguments: [
            ("a", true), (String(repeating: "a", count: 128), true), ("user.theme/größe", true), ("", false),
            (String(repeating: "a", count: 129), false), (String(repeating: "ö", count: 65), false), ("a\nb", false),
            ("\u{7F}", false),
        ])
    func names(name: String, isValid: Bool) {
        var values = DefaultsValues()
        let key = DefaultsKey(name, default: 0)
        let value = try? values[key]
        #expect(value == (isValid ? 0 : nil))
        do {
            try values.set(1, for: key)
            #expect(isValid && values.texts == [name: "1"])
        } catch {
            #expect(!isValid && error.code == .defaultsInvalid && values.texts.isEmpty)
        }
    }

    @Test(
        "A value that JSON cannot represent is an error, and the previous value stays")
    func unstorable() throws {
        var values = DefaultsValues()
        let number = DefaultsKey("number", default: 0.5)
        try values.set(1.5, for: number)
        let error = #expect(throws: AtriumError.self) { try values.set(.infinity, for: number) }
        #expect(error?.code == .defaultsInvalid && error?.subject == "number")
        #expect(try values[number] == 1.5)
    }
}
