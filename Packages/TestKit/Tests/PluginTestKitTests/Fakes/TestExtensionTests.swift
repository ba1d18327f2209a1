import FoundationEssentials
import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@Suite("Extensions in tests", .tags(.medium))
@MainActor
struct TestExtensionTests {
    /// The behavior of the extension under test, which the request's input selects.
    private enum Order: String, Codable {
        case echo, cancel, fail, open, wait, never, twice
    }

    private final class Obedient: ExtensionDelegate {
        static let point = ExtensionPoint<Order, Int>("com.example.app.shop.order")
        private let environment: ExtensionEnvironment

        init(environment: ExtensionEnvironment) { self.environment = environment }

        func beginRequest(_ order: Order, in context: ExtensionContext<Int>) async throws {
            switch order {
            case .echo:
                context.reportProgress(0.5)
                let name = environment.container.documents.appending("count").string
                try Data("7".utf8).write(to: URL(filePath: name))
                try context.completeRequest(returning: 7, items: context.items)
            case .cancel: context.cancelRequest(throwing: AtriumError(.inputOutput, "canceled"))
            case .fail: throw AtriumError(.inputOutput, "failed")
            case .open:
                try await context.open(ResourceURI("app://shop/item/42"))
                try context.completeRequest(returning: 1)
            case .wait:
                context.onExpiration { _ in context.cancelRequest(throwing: AtriumError(.deadlineExceeded, "")) }
            case .never: break
            case .twice:
                try context.completeRequest(returning: 1)
                try context.completeRequest(returning: 2)
                context.cancelRequest(throwing: AtriumError(.inputOutput, "late"))
            }
        }

        func extensionWillEnd() async { environment.logger.info("end") }
    }

    private func obedient(_ container: TestContainer? = nil) throws -> TestExtension<Obedient> {
        let container = try container ?? TestContainer()
        return try TestExtension(of: Obedient.self, container: container, file: container.manifest())
    }

    @Test("A completed request returns its output and items, and the host has the progress")
    func completed() async throws {
        let (container, host) = (try TestContainer(), FakeRequestHost())
        let tested = try obedient(container)
        let result = try await tested.run(.echo, items: [ExtensionItem(text: "Milk")], host: host)
        #expect(result.output == 7 && result.items.map(\.text) == ["Milk"])
        #expect(host.progress == [0.5])
        #expect(tested.log.messages(.info) == ["end"])
        #expect(tested.environment.identifier.text == "com.example.app.hello.order")
        #expect(tested.environment.bundle.description == "com.example.app.hello@1.2.0")
        let file = container.container.documents.appending("count").string
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test(
        "A canceled request and one that throws fail with their error",
        arguments: [("cancel", "canceled"), ("fail", "failed")])
    func canceled(order: String, subject: String) async throws {
        let order = try #require(Order(rawValue: order))
        let error = await #expect(throws: AtriumError.self) { try await obedient().run(order) }
        #expect(error?.code == .inputOutput && error?.subject == subject)
    }

    @Test("An opened address reaches the router of the fake host, which can reject it")
    func opened() async throws {
        let router = FakeRouter()
        #expect(try await obedient().run(.open, host: FakeRequestHost(router: router)).output == 1)
        router.refuse("shop/item/42")
        let host = FakeRequestHost(router: router)
        let error = await #expect(throws: AtriumError.self) { try await obedient().run(.open, host: host) }
        #expect(error?.code == .routeUnknown)
        #expect(router.openedAddresses == ["app://shop/item/42", "app://shop/item/42"])
    }

    @Test(
        "The end of the time is announced before and after the extension registers its closure",
        arguments: [true, false])
    func expired(isEarly: Bool) async throws {
        let host = FakeRequestHost()
        if isEarly { host.expire(in: .seconds(1)) }
        let tested = try obedient()
        let running = Task { try await tested.run(.wait, host: host) }
        if !isEarly {
            for _ in 0..<20 { await Task.yield() }
            host.expire(in: .seconds(1))
        }
        let error = await #expect(throws: AtriumError.self) { try await running.value }
        #expect(error?.code == .deadlineExceeded)
    }

    @Test("Only the first end of a request counts")
    func twice() async throws { #expect(try await obedient().run(.twice).output == 1) }

    @Test("A request that never ends is an error of the test")
    func never() async throws {
        let limit = Duration.milliseconds(50)
        let error = await #expect(throws: FixtureError.self) { try await obedient().run(.never, limit: limit) }
        #expect("\(try #require(error))".contains("did not end the request"))
    }
}
