import PluginCore
import PluginTestKit
import Testing

@Suite("Rules for installing and rolling back", .tags(.large))
struct RuleTests {
    @Test("A plugin with a route of another plugin cannot be installed")
    func routeConflict() async throws {
        let scene = try Scene()
        try scene.change(Scene.account) { package in
            try package.rename(identifier: "com.example.app.market")
            try package.setManifest("targets", to: "[]")
            try package.setManifest("routes", to: #"[{"pattern": "shop/item/:number", "page": "item"}]"#)
        }
        try await scene.does("install", Scene.shop)
        try await scene.refuses(
            "install", "com.example.app.market",
            with: Refusal(
                status: 65, code: "routeConflict", subject: "shop/item/:number",
                message: "\"shop/item/:number\" conflicts with another route: "
                    + "com.example.app.market and com.example.app.shop (\"shop/item/:id\") both match "
                    + "\"shop/item/number\"",
                remedy:
                    "one author must change the pattern; "
                    + "until then, uninstall one of the plugins with \"hostapp uninstall\""
            ))
    }

    @Test("A plugin whose requirements cannot be met is not installed", arguments: Scene.Start.allCases)
    func requirementUnmet(start: Scene.Start) async throws {
        let remedy =
            "the catalog's maintainer must provide a compatible version; \"hostapp catalog\" lists what is available"
        let scene = try await Scene(start)
        try scene.change(Scene.orders) { package in
            try package.setManifest("requires", to: #"[{"bundle": "com.example.app.shop", "versions": "^2.0.0"}]"#)
        }
        try await scene.refuses(
            "install", Scene.orders,
            with: Refusal(
                status: 77, code: "requirementUnmet", subject: "com.example.app.orders@1.0.0",
                message: "\"com.example.app.orders@1.0.0\" cannot be installed: "
                    + "it requires com.example.app.shop ^2.0.0, and the catalog has 1.1.0, 1.0.0",
                remedy: remedy))
        try scene.change(Scene.orders) { package in
            try package.setManifest("requires", to: #"[{"bundle": "com.example.app.bank", "versions": "^2.0.0"}]"#)
        }
        try await scene.refuses(
            "open", "app://orders",
            with: Refusal(
                status: 77, code: "requirementUnmet", subject: "com.example.app.orders@1.0.0",
                message: "\"com.example.app.orders@1.0.0\" cannot be installed: "
                    + "it requires com.example.app.bank ^2.0.0, and the catalog has none",
                remedy: remedy))
    }

    private static let downgradeRemedy =
        "install a newer version; "
        + "or, if this one ran here before the active one, run \"hostapp rollback com.example.app.shop\""

    @Test("A version below one that has run is rejected even after the plugin was uninstalled")
    func minimumVersion() async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await scene.does("open", "app://shop")
        try await scene.does("uninstall", Scene.shop)
        try await scene.refuses(
            "install", "com.example.app.shop@1.0.0",
            with: Refusal(
                status: 77, code: "downgrade", subject: "com.example.app.shop@1.0.0",
                message: "\"com.example.app.shop@1.0.0\" would be a downgrade: 1.1.0 has run here",
                remedy: Self.downgradeRemedy))
        try await scene.does("install", Scene.shop)
    }
}
