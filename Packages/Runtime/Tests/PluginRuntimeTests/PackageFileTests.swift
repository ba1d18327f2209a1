import PluginCore
import PluginRuntime
import Testing

@Suite("A package's file name")
struct PackageFileTests {
    @Test(
        "says which bundle it is, or nothing",
        arguments: [
            ("com.example.app.shop-1.1.0.zip", "com.example.app.shop@1.1.0"),
            ("com.my-team.my-app-1.0.0-beta.1.zip", "com.my-team.my-app@1.0.0-beta.1"),
            ("com.example.app.shop-1.1.zip", nil), ("shop-1.1.0.zip", nil), ("com.example.app-1.0.0.tar", nil),
            ("Com.Example-1.0.0.zip", nil), (".zip", nil),
        ] as [(String, String?)]
    )
    func identity(name: String, identity: String?) {
        #expect(PackageFile.identity(named: name)?.description == identity)
    }
}
