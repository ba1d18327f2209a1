import Glibc
import PluginCore

/// Prints every figure: what was measured, the baseline of the same run, their ratio, and the budget.
///
///     Bench BUILD_FOLDER EMPTY_PROGRAM
///
/// Runs itself, as `Bench load-plugin SANDBOX` and the like, for figures that need a fresh process.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
    print("usage: Bench BUILD_FOLDER EMPTY_PROGRAM")
    exit(64)
}
if let subject = PluginLoad.Subject(rawValue: arguments[0]) {
    print(try await PluginLoad.load(subject, from: FilePath(arguments[1])))
} else {
    let place = try TemporaryFolder()
    defer { place.remove() }
    let workshop = Workshop(build: FilePath(arguments[0]), folder: place.path)
    var figures: [Figure] = []
    figures += try await MediatorCall().measure()
    figures += try await PluginLoad(workshop: workshop, program: "/proc/self/exe").measure()
    figures.append(try await ColdOpen(workshop: workshop, empty: FilePath(arguments[1])).measure())
    figures.append(try await ManyBundles(workshop: workshop).measure())
    Figure.printTable(figures)
}
