import PluginCore
import PluginTestKit
import Testing

@Suite("The imports of plugins", .tags(.medium))
struct PluginImportsTests {
    @Test(
        "An import of another plugin is a problem in any form, one of an Interface, of the plugin's own modules and of others is none"
    )
    func imports() throws {
        let workspace = try ThrowawayFolder()
        let files = [
            "Plugins/A/Sources/A/A.swift": "import AInterface\nimport BInterface\nimport Kit\nimport PluginCore\n",
            "Plugins/A/Sources/AInterface/I.swift": "public import B\n",
            "Plugins/A/Sources/A/Deep/D.swift": "// import B\n@testable import B\nimport struct BWidget.View\n",
            "Plugins/B/Sources/B/B.swift": "internal import A // why\nlet text = \"import B\"\n",
            "Plugins/B/Sources/BWidget/W.swift": "import B\n", "Plugins/B/Sources/BInterface/I.swift": "\n",
            "Plugins/notes.txt": "",
        ]
        for (path, text) in files { try workspace.write(text, to: path) }
        #expect(
            try PluginImports(of: workspace.path).problems() == [
                "A/Sources/A/Deep/D.swift imports B; it may import Interfaces",
                "A/Sources/A/Deep/D.swift imports BWidget; it may import Interfaces",
                "A/Sources/AInterface/I.swift imports B; it may import Interfaces",
                "B/Sources/B/B.swift imports A; it may import Interfaces",
            ])
        #expect(throws: (any Error).self) { try PluginImports(of: workspace.appending("Plugins")).problems() }
    }
}
