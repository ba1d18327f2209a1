import Console
import PluginCore
import PluginLint

extension PluginProject {
    private static let mark = "@available(*, deprecated"
    private static let sizeLimit = 1 << 24

    /// Builds the plugin in release configuration, and collects what its code uses of the SDK and of components that is deprecated.
    ///
    /// The compiler says so only when it compiles. So if anything is deprecated there, it compiles the plugin's own targets again.
    func buildFindingDeprecated() throws -> (library: FilePath?, uses: [LintRule.Problem]) {
        guard hasPackage, try isAnythingDeprecated() else { return (try build(.release, isQuiet: true), []) }
        let sources = folder.appending("Sources")
        for target in sources.isFolder ? try Files.names(in: sources) : [] {
            Files.removeTree(folder.appending(".build/release/Modules/\(target).swiftmodule"))
        }
        var uses: [LintRule.Problem] = []
        let library = try build(.release, isQuiet: true) { output in
            // The compiler prints each as a line with its place, and then in the lines of the source.
            for match in output.matches(of: /(?m)^(\S.*:\d+):\d+: warning: (.*) \[#DeprecatedDeclaration\]/) {
                let place = match.1.hasPrefix("\(folder)/") ? match.1.dropFirst("\(folder)/".utf8.count) : match.1
                let use = LintRule.Problem(String(place), String(match.2))
                if !uses.contains(use) { uses.append(use) }
            }
        }
        return (library, uses)
    }

    /// Returns whether the SDK's textual interfaces or the components declare anything as deprecated.
    private func isAnythingDeprecated() throws -> Bool {
        let modules = try SDK.own().root.appending("modules")
        let interfaces = try Files.names(in: modules).filter { $0.hasSuffix(".swiftinterface") }.map(modules.appending)
        let added = try components.isFolder ? Files.names(below: components).map(components.appending) : []
        let sources = added.filter { [".swift", "interface"].contains(where: $0.string.hasSuffix) && $0.isFile }
        return try (interfaces + sources).contains {
            String(decoding: try Files.bytes(of: $0, limit: Self.sizeLimit), as: UTF8.self).contains(Self.mark)
        }
    }
}
