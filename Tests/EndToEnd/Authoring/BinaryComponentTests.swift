import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Binary components, in place of building other packages", .tags(.large), .timeLimit(.minutes(10)))
struct BinaryComponentTests {
    @Test("A plugin that links only binaries, and one that mixes both, show the same page as one built from source")
    func bothWays() async throws {
        let author = try await Workplace()
        // Without the folder Packages, nothing of Core can be built.
        for name in ["Money", "Shop"] {
            try await author.copy(Workplace.root.appending("Plugins/\(name)"), to: "Plugins/\(name)")
        }
        try Workplace.root.appending("Plugins/settings").copy(to: author.folder.appending("Plugins/settings"))
        let binary = ["USE_LIB": "1"]
        try await author.run("bundletool", ["build", "Plugins/Shop"], environment: binary)
        let modules = "Plugins/Shop/.build/debug/Modules"
        #expect(!author.folder.contains(modules + "/Money.swiftmodule"))
        try await author.run("bundletool", ["build", "Plugins/Money"], environment: binary)
        let expected = try await pageFromSource()
        #expect(try await page(of: author, money: "Plugins/Money/.build/debug/libMoney.so") == expected)

        // A change in the source of Money is seen only if Money is built, although the SDK contains its module, too.
        let source = "Plugins/Money/Sources/Money/Added.swift"
        try author.folder.write("public func added() -> Int { 1 }\n", to: source)
        try author.folder.write("import Money\n\nlet one = added()\n", to: "Plugins/Shop/Sources/Shop/Use.swift")
        let unseen = try await author.program("bundletool")
            .run(["build", "Plugins/Shop"], environment: binary, folder: author.folder.path)
        #expect(unseen.status == 65 && (unseen.stdout + unseen.stderr).contains("cannot find 'added'"), "\(unseen)")
        let mixed = binary.merging(["MONEY_USE_LIB": "0"]) { $1 }
        try await author.run("bundletool", ["build", "Plugins/Shop"], environment: mixed)
        #expect(author.folder.contains(modules + "/Money.swiftmodule"))
        #expect(!author.folder.contains(modules + "/PluginCore.swiftmodule"))
        #expect(try await page(of: author, money: "Plugins/Shop/.build/debug/libMoney.so") == expected)
    }

    private static let address = "app://shop/item/7"

    /// Returns the page of Shop as `Scripts/build` has built it.
    private func pageFromSource() async throws -> String {
        let host = try HostApp.find().with(sandbox: ThrowawaySandbox())
        try await host.run("install", "com.example.lib.money@1.0.0", "com.example.app.shop@1.1.0").succeeded()
        let opened = try await host.run("open", Self.address)
        #expect(opened.status == 0 && opened.stdout.contains("Price: "), "\(opened)")
        return opened.stdout
    }

    /// Packs and installs the libraries that an author has built, and returns the page.
    private func page(of author: Workplace, money: String) async throws -> String {
        let work = "page-\(UUID().uuidString)"
        try await author.run("bundletool", ["keygen", "--output", "\(work)-team", "--no-password"])
        let signed = ["--key", "\(work)-team.key", "--team", "com.example", "--output", work]
        try await author.run("bundletool", ["pack", "Plugins/Money", "--library", money] + signed)
        let library = ["--library", "Plugins/Shop/.build/debug/libShop.so"]
        let linked = ["--dependency", "\(work)/com.example.lib.money-1.0.0.zip"]
        try await author.run("bundletool", ["pack", "Plugins/Shop"] + library + linked + signed)
        // Shop calls these plugins, so it is only installed where they are offered.
        for name in ["account", "orders"] {
            let package = "com.example.app.\(name)-1.0.0.zip"
            let built = try HostApp.find().catalog.appending(package).string
            try await author.run("bundletool", ["sign", built] + signed.dropLast() + ["\(work)/\(package)"])
        }
        let host = ["--sandbox", "\(work)-sandbox", "--catalog", work]
        let key = ["--key", "\(work)-team.pub", "--prefix", "com.example"]
        try await author.run("hostapp", host + ["trust", "add", "com.example"] + key)
        return try await author.run("hostapp", host + ["open", Self.address]).stdout
    }
}
