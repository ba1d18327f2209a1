internal import CBreakout
internal import Confinement
internal import PluginCore

/// The arguments of the test program.
struct Arguments {
    let command: String
    let values: [(name: String, value: String)]

    init(_ arguments: ArraySlice<String>) {
        command = arguments.first ?? ""
        values = arguments.dropFirst().map { argument in
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    subscript(name: String) -> String? { values.last { $0.name == name }?.value }

    /// The policy for the folders and limits that the arguments name.
    var policy: ConfinementPolicy {
        func number(_ name: String) -> UInt64? { self[name].flatMap { UInt64($0) } }
        func paths(_ names: String...) -> [FilePath] {
            values.filter { names.contains($0.name) }.map { FilePath($0.value) }
        }
        var policy = ConfinementPolicy(parent: Int32(self["parent"] ?? "") ?? breakout_parent())
        policy.limits.addressSpace = number("addressSpace")
        policy.limits.openFiles = number("openFiles")
        policy.limits.processorSeconds = number("processorSeconds")
        policy.limits.fileSize = number("fileSize")
        policy.readable = paths("bundle", "read")
        policy.writable = paths("container", "write")
        policy.isNetworkAllowed = self["network"] == "yes"
        return policy
    }
}
