import Doctor
import Glibc
import PluginCore
import BundleFormat
import PluginRouter
import Testing

@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Data versions", .tags(.medium), .timeLimit(.minutes(15)))
struct DataVersionTests {
    private let host = TestHost(installsOnDemand: false)

    /// A plugin that keeps words in files, notes the format of its data, and refuses to start with data of a newer format.
    ///
    /// Its format is the major version of the plugin.
    private static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import FoundationEssentials

                final class Diary: BundleDelegate {
                    let documents: FilePath
                    init(context: BundleContext) throws {
                        documents = context.container.documents
                        let (format, own) = (read("format"), String(context.identity.version.major))
                        if format > own { throw AtriumError(.inputOutput, "the data has format \\(format)") }
                        try write(own, to: documents.appending("format"))
                        try write("cached", to: context.container.caches.appending("cache"))
                    }
                    func read(_ name: String) -> String {
                        (try? String(contentsOfFile: documents.appending(name).string, encoding: .utf8)) ?? ""
                    }
                    func write(_ text: String, to path: FilePath) throws {
                        try text.write(toFile: path.string, atomically: true, encoding: .utf8)
                    }
                    func add(_ word: String) throws -> String {
                        try write(read("words") + word + " ", to: documents.appending("words"))
                        return read("words")
                    }
                    static var routes: some RouteSet<Diary> {
                        Route(PageRoute<NoValue>("diary")) { _ in DiaryPage() }
                    }
                    static var targets: some TargetSet<Diary> {
                        Action(ActionContract<NoValue, String>("add", on: "Diary")) { diary, _, parameters in
                            try await diary.add(parameters.require("word", as: String.self))
                        }
                        Action(ActionContract<NoValue, String>("read", on: "Diary")) { diary in await diary.read("words") }
                    }
                }

                final class DiaryPage: Page {
                    let title = "Diary"
                    let content: [PageElement] = []
                }
                """, principal: "Diary.self")
    }

    private static func package(
        _ version: String, data: Int?, limit: Int? = nil, isolation: String? = nil
    ) async throws -> SamplePackage {
        SamplePackage(
            version: version, routes: [#"{"pattern": "diary", "page": "diary"}"#],
            targets: [#"{"name": "Diary", "actions": ["add", "read"]}"#], isolation: isolation, dataVersion: data,
            dataCopyLimit: limit, library: try await library.value)
    }

    /// Offers 1.0.0 with data version 0, and 2.0.0 and 3.0.0 with 1 and 2, and installs the first.
    private func installDiary(limit: Int? = nil) async throws {
        for (version, data) in [("1.0.0", nil), ("2.0.0", 1), ("3.0.0", 2)] {
            try host.offer(await Self.package(version, data: data, limit: limit))
        }
        try await host.install(version: "1.0.0")
    }

    private func add(_ word: String) async throws -> String {
        try await host.mediator.perform("add", on: "Diary", ["word": word], returning: String.self)
    }

    private func read(_ other: TestHost? = nil) async throws -> String {
        try await (other ?? host).mediator.perform("read", on: "Diary", returning: String.self)
    }

    private func install(
        _ version: String, by other: TestHost? = nil, keepingWayBack isWayBackKept: Bool = true
    ) async throws -> InstallReport {
        try await (other ?? host).manager.change(
            [.install(.shop, host.version(version))], keepingWayBack: isWayBackKept
        ).report(of: .shop)
    }

    /// Writes a word with 1.0.0, and another one with 2.0.0.
    private func updateDiary() async throws {
        try await installDiary()
        _ = try await add("tea")
        _ = try await install("2.0.0")
        _ = try await add("milk")
    }

    private var folders: DataFolders { DataFolders(of: .shop, in: host.sandbox) }

    @Test("A version with a higher data version starts on a copy without caches, and the data goes back with the code")
    func thereAndBack() async throws {
        try await installDiary()
        #expect(try await add("tea") == "tea ")
        #expect(try await install("2.0.0").isStaged == false)
        let copy = folders.container(1)
        #expect(try await add("milk") == "tea milk ")
        #expect(try copy.documents.appending("format").text == "2")
        try await host.manager.rollBack(.shop)
        #expect(try await read() == "tea ")
        #expect(try host.registry.history.all().map(\.dataVersion) == [0, 1, 0])
    }

    @Test("Caches and temporary files are not copied; links, permissions and holes of other files are")
    func copied() async throws {
        try await installDiary()
        _ = try await read()
        let old = folders.container(0)
        try old.temporary.appending("left").write("left")
        try old.caches.appending("deep/left").write("left")
        try old.documents.appending("deep/deeper/file").write("text")
        #expect(symlink("deep/deeper", old.documents.appending("link").string) == 0)
        #expect(chmod(old.documents.appending("deep/deeper/file").string, 0o640) == 0)
        #expect(mkfifo(old.documents.appending("pipe").string, 0o600) == 0)
        let sparse = open(old.documents.appending("sparse").string, O_WRONLY | O_CREAT, 0o600)
        #expect(ftruncate(sparse, 1 << 40) == 0 && pwrite(sparse, "end", 3, 1 << 39) == 3)
        close(sparse)
        _ = try await install("2.0.0")
        _ = try await read()
        let new = folders.container(1)
        #expect(try new.temporary.names == [])
        // The plugin itself has written this one.
        #expect(try new.caches.names == ["cache"])
        #expect(try new.documents.names == ["deep", "format", "link", "sparse"])
        #expect(try new.documents.appending("link/file").text == "text")
        var status = stat()
        #expect(stat(new.documents.appending("deep/deeper/file").string, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
        #expect(stat(new.documents.appending("sparse").string, &status) == 0)
        #expect(status.st_size == 1 << 40 && status.st_blocks < 100)
    }

    @Test("Newer data returns if no older data was used in between")
    func forwardAtOnce() async throws {
        try await updateDiary()
        try await host.manager.rollBack(.shop)
        try await host.manager.rollBack(.shop)
        #expect(try await read() == "tea milk ")
        #expect(try folders.keptFolders() == [])
    }

    @Test(
        "After a use of older data, the newer version starts on a copy of it, and the newer data is kept and named until it is collected"
    )
    func forwardAfterUse() async throws {
        try await updateDiary()
        try await host.manager.rollBack(.shop)
        _ = try await add("sugar")
        try await host.manager.rollBack(.shop)
        #expect(try await read() == "tea sugar ")
        let kept = try #require(try host.sandbox.keptData(of: .shop).first)
        #expect(try kept.appending("Documents/words").text == "tea milk ")
        #expect(host.log.contains { $0.hasPrefix("dataKeptAside(") })
        #expect(try await !host.maintenance.collectGarbage().removed.contains(kept))
        await host.manager.deactivateAll()
        #expect(try await host.maintenance.collectGarbage(withKeptData: true).removed == [kept])
    }

    @Test("An update that raises the data version waits for the last page of the old version, and then becomes active")
    @MainActor
    func waitsForPage() async throws {
        try await installDiary()
        try await host.router.open("app://diary")
        let report = try await install("2.0.0")
        #expect(report.isStaged && report.waitsForData)
        #expect(try host.versions().first == "1.0.0")
        #expect(try await add("tea") == "tea ")
        host.navigator.pop()
        #expect(try await add("milk") == "tea milk ")
        #expect(try host.versions() == ["2.0.0", "1.0.0"])
        #expect(try folders.container(0).documents.appending("words").text == "tea ")
    }

    @Test("An update that raises the data version waits for another host, and becomes active at the next start")
    func waitsForHost() async throws {
        try await installDiary()
        _ = try await add("tea")
        let other = host.another(installsOnDemand: false)
        #expect(try await install("2.0.0", by: other).waitsForData)
        let third = host.another(installsOnDemand: false)
        #expect(try await third.manager.prepareForLaunch().isEmpty)
        #expect(third.log.contains { $0.contains("dataInUse") })
        #expect(try host.versions().first == "1.0.0")
        await host.manager.deactivateAll()
        #expect(try await other.manager.prepareForLaunch().count == 1)
        #expect(try await read(other) == "tea ")
        #expect(try other.versions() == ["2.0.0", "1.0.0"])
        await other.manager.deactivateAll()
    }

    @Test("Two data versions are never used at once, not even after a rollback")
    func neverAtOnce() async throws {
        try await installDiary()
        _ = try await install("2.0.0")
        _ = try await add("tea")
        try await host.router.open("app://diary")
        let other = host.another(installsOnDemand: false)
        try await other.manager.rollBack(.shop)
        let error = await #expect(throws: AtriumError.self) { try await read(other) }
        #expect(error?.isDataInUse == true)
        await host.navigator.pop()
        await host.manager.deactivateAll()
        #expect(try await read(other) == "")
        await other.manager.deactivateAll()
    }

    @Test("Data over the limit is never copied: the version stays inactive, or takes the data over without a way back")
    func limit() async throws {
        try await installDiary(limit: 1)
        _ = try await add("tea")
        let error = try await failingAsync(.storageFull, because: "dataTooLarge") { try await install("2.0.0") }
        #expect(error.reason?.values["size"] != nil)
        #expect(try host.versions() == ["1.0.0", nil] && folders.numbers() == [0])
        try FileSystem.$freeSpace.withValue({ _ in 100 }) {
            _ = try failing(.storageFull, because: "dataWithoutSpace") {
                try folders.requireCopy(of: 0, limit: 1 << 30)
            }
        }
        _ = try await install("2.0.0", keepingWayBack: false)
        #expect(try await read() == "tea ")
        #expect(try folders.numbers() == [1])
        let refusal = try await failingAsync(.nothingToRollBack) { try await host.manager.rollBack(.shop) }
        #expect(refusal.reason?.name == "dataWithoutWayBack")
        // The permission was for this version alone.
        await #expect(throws: AtriumError.self) { try await install("3.0.0") }
    }

    @Test("The permission to move data holds for a version that waits for the end of a use")
    @MainActor
    func movedLater() async throws {
        try await installDiary(limit: 1)
        _ = try await add("tea")
        try await host.router.open("app://diary")
        #expect(try await install("2.0.0", keepingWayBack: false).waitsForData)
        host.navigator.pop()
        #expect(try await read() == "tea ")
        #expect(try host.versions().first == "2.0.0" && folders.numbers() == [1])
    }

    @Test("A data version never falls between releases")
    func falling() async throws {
        try await installDiary()
        try host.offer(await Self.package("2.1.0", data: 0))
        _ = try await install("2.0.0")
        try await failingAsync(.packageInvalid, because: "dataVersionLowered") { try await install("2.1.0") }
    }

    @Test(
        "Garbage collection removes data that no kept version has, never the data used last, and none without a registry"
    )
    func collected() async throws {
        try await installDiary()
        for version in ["1.0.0", "2.0.0", "3.0.0"] {
            if version != "1.0.0" { _ = try await install(version) }
            _ = try await add(version)
            await host.manager.deactivateAll()
        }
        // Only 3.0.0 and 2.0.0 are kept.
        try await host.collectGarbage()
        #expect(try folders.numbers() == [1, 2])
        try await host.manager.uninstall(.shop)
        try await host.collectGarbage()
        #expect(try folders.numbers() == [2])
        try folders.container(0).documents.makeFolder()
        try folders.root.appending("used").write("2")
        try host.sandbox.registry.remove()
        _ = try? await host.maintenance.collectGarbage()
        #expect(try folders.numbers() == [0, 2])
    }

    @Test("Uninstalling keeps the data that was active, also after an unused rollback, and newer data set aside")
    func uninstalled() async throws {
        try await updateDiary()
        try await host.manager.rollBack(.shop)
        try await host.manager.uninstall(.shop)
        #expect(try folders.numbers() == [0])
        #expect(try folders.keptFolders().map(\.lastComponent) == ["1.kept-1"])
        _ = try await install("2.0.0")
        #expect(try await read() == "tea ")
    }

    @Test("Data that cannot be copied stays where it is when a newer version becomes active again")
    func forwardWithoutSpace() async throws {
        try await installDiary(limit: 1 << 20)
        _ = try await read()
        _ = try await install("2.0.0")
        _ = try await add("milk")
        try await host.manager.rollBack(.shop)
        _ = try await add("tea")
        let large = folders.container(0).documents.appending("large")
        try large.write(String(repeating: "x", count: 2 << 20))
        let error = await #expect(throws: AtriumError.self) { try await host.manager.rollBack(.shop) }
        #expect(error?.reason?.name == "dataTooLarge")
        #expect(try host.versions().first == "1.0.0" && folders.keptFolders() == [])
    }

    @Test("A version that is installed again takes a copy of lower data")
    func reinstalled() async throws {
        try await installDiary()
        _ = try await install("2.0.0")
        _ = try await add("tea")
        try await host.manager.uninstall(.shop)
        _ = try await install("3.0.0")
        #expect(try await read() == "tea ")
        try await host.manager.uninstall(.shop)
        try await host.uninstall.run([.shop], deleteData: true)
        #expect(!folders.root.exists)
    }

    @Test("A version starts empty beside newer data, or on a copy of lower data, and leaves the newer")
    func newer() async throws {
        try await installDiary()
        try folders.container(0).root.remove()
        let newer = folders.container(7).documents.appending("words")
        try newer.write("newer")
        #expect(try await read() == "")
        #expect(host.log.contains { $0.hasPrefix("dataStartsEmpty(") })
        _ = try await add("tea")
        await host.manager.deactivateAll()
        try folders.root.appending("used").write("7")
        _ = try await install("2.0.0")
        #expect(try await read() == "tea ")
        #expect(try newer.text == "newer" && folders.numbers() == [0, 1, 7])
    }

    @Test("An interrupted copy is made again, and a complete one never taken for used data", arguments: [false, true])
    func interrupted(isComplete: Bool) async throws {
        try await installDiary()
        _ = try await add("tea")
        await host.manager.deactivateAll()
        try folders.root.appending("used").write("0>1")
        if isComplete { try folders.container(1).documents.appending("words").write("half") }
        #expect(try await read() == "tea ")
        await host.manager.deactivateAll()
        #expect(try folders.numbers() == [0])
        try folders.root.appending("used").write("0>1")
        if isComplete { try folders.container(1).documents.appending("words").write("half") }
        _ = try await install("2.0.0")
        #expect(try await read() == "tea ")
        #expect(try folders.keptFolders() == [])
    }

    @Test("Data that was being taken over without a copy is found after an interruption", arguments: [false, true])
    func interruptedMove(isMoved: Bool) async throws {
        try await installDiary(limit: 1)
        _ = try await add("tea")
        await host.manager.deactivateAll()
        _ = try await install("2.0.0", keepingWayBack: false)
        try folders.root.appending("used").write("0>1")
        if isMoved { try FileSystem.rename(folders.container(0).root, to: folders.container(1).root) }
        #expect(try await read() == "tea ")
    }

    @Test("A crashed version leaves its data, and the version before it finds the data from before")
    func crashed() async throws {
        try await updateDiary()
        await host.manager.deactivateAll()
        _ = try await host.quarantine.quarantine(host.bundle(), because: .verbatim("crash"))
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try await read() == "tea ")
    }
}
