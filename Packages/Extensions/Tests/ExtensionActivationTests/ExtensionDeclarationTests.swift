import PluginCore
import PluginExtension
import Testing

@Suite("Declarations of extensions", .tags(.small))
struct ExtensionDeclarationTests {
    private final class Shop: BundleDelegate, ExtensionPointProvider {
        init(context: BundleContext) async throws {}

        static let payment = ExtensionPoint<String, Bool>(
            "com.example.app.shop.payment", limits: ExtensionLimits(request: 5))
        static let gift = ExtensionPoint<NoValue, NoValue>("com.example.app.shop.gift")

        static var extensionPoints: [ExtensionPointDeclaration] {
            payment
            gift
        }
    }

    private final class Empty: BundleDelegate {
        init(context: BundleContext) async throws {}
    }

    @Test("A plugin's type declares its extension points with their limits")
    @MainActor
    func points() {
        #expect(
            PrincipalType(Shop.self).extensionPoints == [
                ExtensionPointDeclaration(
                    identifier: "com.example.app.shop.payment", limits: ExtensionLimits(request: 5)),
                ExtensionPointDeclaration(identifier: "com.example.app.shop.gift"),
            ])
        #expect(PrincipalType(Empty.self).extensionPoints.isEmpty)
    }

    @Test("The standard points are the six that every host offers")
    func standard() {
        #expect(
            ExtensionPoints.standard.map(\.identifier) == [
                "today", "share", "action", "photo-editing", "document-provider", "keyboard",
            ])
    }

    @Test("Lowered limits replace only those that are higher")
    func lowered() {
        let limits = ExtensionLimits(request: 30, idle: 5)
        #expect(limits.lowered(to: [:]) == limits)
        #expect(
            limits.lowered(to: ["start": 1, "request": 60, "memory": 1_048_576])
                == ExtensionLimits(start: 1, request: 30, idle: 5, memory: 1 << 20))
        let lowest = ExtensionLimits(start: 1, request: 2, end: 1, idle: 0, memory: 4, fileSize: 5, openFiles: 6)
        #expect(limits.lowered(to: lowest.values) == lowest)
    }
}
