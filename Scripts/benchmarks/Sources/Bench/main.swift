import Glibc
import PluginCore

/// Prints every figure with its measurement, baseline, ratio and budget as soon as it is measured.
///
///     Bench [OPTIONS] BUILD_FOLDER EMPTY_PROGRAM ROUTES_FILE [MATCHIT_PROGRAM]
///
/// For figures that need a new process, the program starts itself, for example as `Bench load-plugin SANDBOX`.
func run(_ arguments: [String]) async throws {
    if let subject = arguments.first.flatMap(FreshProcess.init) {
        return print(try await subject.run(Array(arguments.dropFirst())))
    }
    let options = try Options(arguments)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = Report(options.effort)
    try await measure(options, in: folder.path, to: report)
    guard options.isComplete else { return }
    try report.requireComplete(withMatchit: options.matchit != nil)
    try options.checked?.requireSameRows()
    try options.written?.write(report.measurements)
}

func measure(_ options: Options, in folder: FilePath, to report: Report) async throws {
    let workshop = Workshop(build: options.build, folder: folder, team: try BenchTeam())
    if options.isComplete || options.isRouting { try await measureRouting(options, workshop, to: report) }
    if options.isComplete {
        // Programs start more slowly while the system writes what the large installs below leave in its memory.
        try await ColdOpen(workshop: workshop, empty: options.empty, effort: options.effort).measure(to: report)
    }
    if options.isComplete || options.isBundles { try await measureBundles(options, workshop, to: report) }
    if options.isComplete {
        try await ManyBundles(workshop: workshop, effort: options.effort).measure(to: report)
    }
    if options.isComplete || options.isExtensions { try await measureExtensions(options, workshop, to: report) }
    if options.isComplete || options.isCatalogs { try await measureCatalogs(options, workshop, to: report) }
    if options.isComplete || options.isScreens {
        try await Screens(workshop: workshop, effort: options.effort).measure(to: report)
    }
    if options.isAuthoring || options.isComplete && options.effort == .full {
        try await LiveChanges(workshop: workshop, effort: options.effort).measure(to: report)
        try await PluginBuilds(workshop: workshop, effort: options.effort).measure(to: report)
    }
}

func measureRouting(_ options: Options, _ workshop: Workshop, to report: Report) async throws {
    let effort = options.effort
    let routes = try RouteSet(path: options.routes)
    let matchit = options.matchit.map { Program(path: $0, arguments: [options.routes.string]) }
    try await MatchCost(routes: routes, matchit: matchit, effort: effort).measure(to: report)
    try await ManyRoutes(routes: routes, effort: effort).measure(to: report)
    try await ServedRoutes(effort: effort).measure(to: report)
    try await MediatorCall(effort: effort).measure(to: report)
    try await LargeInputs(workshop: workshop, effort: effort).measure(to: report)
}

func measureBundles(_ options: Options, _ workshop: Workshop, to report: Report) async throws {
    let (effort, program) = (options.effort, FilePath("/proc/self/exe"))
    try await PluginLoad(workshop: workshop, program: program, effort: effort).measure(to: report)
    let large = options.empty.parent.appending("libLargePlugin.so")
    try await VerifiedLoad(workshop: workshop, program: program, library: large, effort: effort).measure(to: report)
    try await LargeInstall(workshop: workshop, program: program, effort: effort).measure(to: report)
    try await ManyInstalls(workshop: workshop, effort: effort).measure(to: report)
}

func measureExtensions(_ options: Options, _ workshop: Workshop, to report: Report) async throws {
    let effort = options.effort
    let trial = try TrialBundle(in: workshop, library: options.empty.parent.appending("libTrialExtension.so"))
    try await ExtensionStart(workshop: workshop, empty: options.empty, effort: effort).measure(to: report)
    try await ExtensionExchange(trial: trial, effort: effort).measure(to: report)
    try await ManyExtensions(trial: trial, effort: effort).measure(to: report)
    try await ExtensionEnds(trial: trial, effort: effort).measure(to: report)
}

func measureCatalogs(_ options: Options, _ workshop: Workshop, to report: Report) async throws {
    let effort = options.effort
    try await CatalogRequests(workshop: workshop, effort: effort).measure(to: report)
    try await LargeDownload(workshop: workshop, program: "/proc/self/exe", effort: effort).measure(to: report)
}

do {
    try await run(Array(CommandLine.arguments.dropFirst()))
} catch {
    let isUsage = error is Options.Unusable
    Report.progress("\(error)")
    exit(isUsage ? 64 : 70)
}
