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
        return ConfinementPolicy(
            parent: Int32(self["parent"] ?? "") ?? breakout_parent(),
            limits: ProcessLimits(
                addressSpace: number("addressSpace"), openFiles: number("openFiles"),
                processorSeconds: number("processorSeconds"), fileSize: number("fileSize")),
            readable: paths("bundle", "read"), writable: paths("container", "write"),
            isNetworkAllowed: self["network"] == "yes")
    }
}
