import PluginCore
import PluginTestKit
import Testing

@Suite("Checks of an Interface", .tags(.medium))
struct InterfaceContractTests {
    private static let manifest = """
        {"formatVersion": 1, "identifier": "com.example.app.hello", "version": "1.2.0", "name": "Hello", "kind": "app",
        "entry": "libHello.so", "coreABI": 1, "routes": [{"pattern": "hello/:name", "page": "home"},
        {"pattern": "hello/size/:unit<int>", "object": "size"}], "services": ["Greeting"],
        "targets": [{"name": "Hello", "actions": ["greet", {"name": "reset", "exposure": "internal"},
        {"name": "price", "exposure": "external"}]}]}
        """

    private static let names = """
        /// perform("in a comment", on: "Nowhere"), app://nowhere
        public enum HelloNames {
            public static let target = "Hello"
            static let greet: String = "greet"
            public static let home = "app://hello/you"
            public static func size(_ unit: Int) -> String { "app://hello/size/\\(unit)" }
        }
        public enum HelloRoutes {
            public static let home = RouteContract<String, NoValue>("hello/:name", .page)
        }
        """

    /// Facades without problems.
    private static let facades = """
        extension Mediating {
            public func greet(_ name: String) async throws -> String {
                try await perform(
                    HelloNames.greet, on: HelloNames.target, ["name": name, "call": { (a: Int, b: Int) in a }],
                    returning: String.self)
            }
            public func remotely() async throws { try await perform(ResourceURI("app://hello/price?id=1"), [:]) }
        }
        extension Routing {
            func home() async throws {
                try await open(HelloNames.home)
                try await open("app://hello/\\(name)")
                try await open(HelloRoutes.home, "you")
                _ = try await object(for: HelloNames.size(1), as: Int.self)
            }
        }
        extension ServiceRegistry {
            func greeter() async throws -> @Sendable (String) -> String { try await service("Greeting") }
        }
        """

    private func problems(
        _ facades: String, registered: Set<String> = [], interface: String = "HelloInterface"
    ) throws -> [String] {
        let folder = try ThrowawayFolder()
        try folder.write(Self.manifest, to: "manifest.json")
        try folder.write(Self.names, to: "Sources/\(interface)/Names.swift")
        try folder.write(facades, to: "Sources/\(interface)/Facades.swift")
        // The plugin's own code does not contain facades.
        try folder.write(#"perform("x", on: "Y")"#, to: "Sources/Hello/Hello.swift")
        return try InterfaceContract(PluginFolder(root: folder.path)).problems(registered: registered)
    }

    @Test("Facades that use only declared names have no problems")
    func kept() throws {
        #expect(try problems(Self.facades) == [])
    }

    @Test(
        "Each problem is reported with its place",
        arguments: [
            (
                #"perform("gret", on: HelloNames.target)"#,
                "action Hello.gret is called and not declared; did you mean greet?"
            ),
            (#"perform("greet", on: "Helo")"#, "target Helo is called and not declared"),
            (#"perform(action, on: HelloNames.target)"#, "the action cannot be read; write it out or name a constant"),
            (
                #"perform("gr\(e)et", on: HelloNames.target)"#,
                "the action cannot be read; write it out or name a constant"
            ),
            (#"perform("greet", on: Other.target)"#, "the target cannot be read; write it out or name a constant"),
            (
                #"perform(ResourceURI("app://hello/prices"), [:])"#,
                "action Hello.prices is called and not declared; did you mean price?"
            ),
            (#"perform(uri, [:])"#, "what it performs cannot be read"),
            (#"open("app://helo/you")"#, "no route takes app://helo/you"),
            (#"open("app://hello/you/\(there)/now")"#, #"no route takes app://hello/you/\(...)/now"#),
            (#"open(address)"#, "the address cannot be read; write it out or name a constant"),
            (
                #"object(for: HelloNames.home)"#, "app://hello/you is of a route that is declared as page"
            ),
            (
                #"RouteContract<Int, Int>("hello/sizes/:unit<int>", .object)"#,
                "route hello/sizes/:unit<int> is not declared; did you mean hello/size/:unit<int>?"
            ),
            (
                #"RouteContract<Int, Int>("hello/:name", .object)"#,
                "route hello/:name is declared as page, not as object"
            ),
            (#"service("Greetings")"#, "service Greetings is asked for and not declared"),
            (#"service(named: name)"#, "the service cannot be read; write it out or name a constant"),
        ]
    )
    func broken(code: String, problem: String) throws {
        let planted = Self.facades + "\nextension Routing {\n    func planted() async throws { \(code) }\n}"
        let line = planted.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        #expect(try problems(planted) == ["Facades.swift:\(line): \(problem)"])
    }

    @Test("Every action with the exposure plugins needs a facade, and internal and external ones do not")
    func facades() throws {
        #expect(try problems("") == ["action Hello.greet is for plugins and has no facade"])
        #expect(
            try problems(Self.facades, interface: "Elsewhere") == [
                "action Hello.greet is for plugins and has no facade"
            ])
    }

    @Test("Routes that the plugin registers in code need not be declared")
    func registered() throws {
        let planted = Self.facades + #"let code = RouteContract<Int, Int>("code/:id", .object)"#
        #expect(try problems(planted).count == 1)
        #expect(try problems(planted, registered: ["code/:id"]) == [])
    }
}
