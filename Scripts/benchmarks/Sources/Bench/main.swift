import Glibc
import PluginCore

/// Prints every figure: what was measured, the baseline of the same run, their ratio, and the budget.
///
///     Bench BUILD_FOLDER EMPTY_PROGRAM ROUTES_FILE [MATCHIT_PROGRAM]
///
/// An empty BUILD_FOLDER leaves out what needs one. Runs itself, as `Bench load-plugin SANDBOX` and the like, for figures that need a fresh process.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, let subject = PluginLoad.Subject(rawValue: arguments[0]) {
    print(try await PluginLoad.load(subject, from: FilePath(arguments[1])))
    exit(0)
}
guard 3...4 ~= arguments.count else {
    print("usage: Bench BUILD_FOLDER EMPTY_PROGRAM ROUTES_FILE [MATCHIT_PROGRAM]")
    exit(64)
}
let place = try TemporaryFolder()
defer { place.remove() }
let routes = try RouteSet(path: FilePath(arguments[2]))
let matchit = arguments.count == 4 ? Program(path: FilePath(arguments[3]), arguments: [arguments[2]]) : nil
Figure.printTable(try await MatchCost(routes: routes, matchit: matchit).measure())
if matchit == nil {
    print(
        "matchit was not measured: Scripts/bench --matchit FOLDER takes a checkout of it (by ibraheemdev)")
}
Figure.printTable(try await ManyRoutes(routes: routes).measure())
let served = ServedRoutes(workshop: Workshop(build: FilePath(arguments[0]), folder: place.path))
Figure.printTable(try await served.measure())
Figure.printTable(try await MediatorCall().measure())
// Without a build there is nothing that could be loaded or opened.
if !arguments[0].isEmpty {
    let workshop = Workshop(build: FilePath(arguments[0]), folder: place.path)
    Figure.printTable(try await PluginLoad(workshop: workshop, program: "/proc/self/exe").measure())
    Figure.printTable([try await ColdOpen(workshop: workshop, empty: FilePath(arguments[1])).measure()])
    Figure.printTable([try await ManyBundles(workshop: workshop).measure()])
}
