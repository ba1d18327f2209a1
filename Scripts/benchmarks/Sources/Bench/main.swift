import Glibc
import PluginCore

/// Prints every figure: what was measured, the baseline of the same run, their ratio, and the budget.
///
///     Bench BUILD_FOLDER EMPTY_PROGRAM
///
/// Runs itself, as `Bench load-plugin SANDBOX` and `Bench load-plain LIBRARY`, for figures that need a fresh process.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
    print("usage: Bench BUILD_FOLDER EMPTY_PROGRAM")
    exit(64)
}
switch arguments[0] {
case "load-plugin": print(try await PluginLoad.plugin(sandbox: FilePath(arguments[1])))
case "load-plain": print(try await PluginLoad.plain(library: FilePath(arguments[1])))
default:
    let place = try TemporaryFolder()
    defer { place.remove() }
    let workshop = Workshop(build: FilePath(arguments[0]), folder: place.path)
    var figures: [Figure] = []
    figures.append(try await PluginLoad(workshop: workshop, program: "/proc/self/exe").measure())
    figures.append(try await ColdOpen(workshop: workshop, empty: FilePath(arguments[1])).measure())
    figures.append(try await ManyBundles(workshop: workshop).measure())
    Figure.printTable(figures)
}
