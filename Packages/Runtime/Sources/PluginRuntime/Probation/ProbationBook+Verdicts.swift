#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension ProbationBook {
    /// For how long a file without its name may be about to get it, in seconds.
    private static let birth: Int64 = 60

    /// The versions that brought a host down, by what dead processes left; at most one verdict for each. They stay until
    /// ``clear(_:)``, and the files are the count: whoever asks, and how often, nothing is counted twice. What lies behind a link
    /// in the folder's place is not read, and says nothing.
    ///
    /// A crash of its own or a hang speaks against a version at once. That the host ended while its code was at work, nobody
    /// knows why, may be chance; the second time it is not. What ended since somebody looked last is one time, however many
    /// processes it was: who kills one often kills all. Nobody loads a version on probation without a look (``verdict(on:digest:)``).
    ///
    /// - Parameter isSweeping: whether what says nothing any more goes, and strikes are counted.
    func verdicts(sweeping isSweeping: Bool = true) -> [ProbationVerdict] { reading(sweeping: isSweeping).verdicts }

    /// The verdict on a version, if there is one.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a marker that may be about it cannot be read.
    func verdict(on identity: BundleIdentity, digest: String) throws(AtriumError) -> ProbationVerdict? {
        let reading = reading()
        if let verdict = reading.verdicts.first(where: { $0.identity == identity && $0.digest == digest }) {
            return verdict
        }
        if let obstacle = reading.obstacle { throw obstacle }
        return nil
    }

    /// The verdicts that the markers give.
    struct Reading {
        var verdicts: [ProbationVerdict] = []
        /// Why there may be more: the first marker that cannot be read. It stays for the next reader.
        var obstacle: AtriumError?

        /// A Boolean value that indicates whether nothing speaks against any version.
        var isClear: Bool { verdicts.isEmpty && obstacle == nil }
    }

    /// Reads what dead processes left, as ``verdicts(sweeping:)``.
    func reading(sweeping isSweeping: Bool = true) -> Reading {
        var reading = Reading()
        do throws(AtriumError) {
            guard let folder = try openedFolder() else { return reading }
            var blamed: [Version: ProbationVerdict] = [:]
            var strikes: [Version: [Strike]] = [:]
            for dead in try dead(in: folder, sweeping: isSweeping, obstacle: &reading.obstacle) {
                guard let marker = dead.marker else {
                    if isSweeping { dead.remove(from: folder) }
                    continue
                }
                let version = Version(identity: marker.identity, digest: marker.digest)
                switch marker.weight {
                case .nothing: if isSweeping { dead.remove(from: folder) }
                case .blame(let cause): blamed[version] = blamed[version] ?? marker.verdict(cause, at: dead.writtenAt)
                case .strike(let cause):
                    strikes[version, default: []].append(
                        Strike(file: dead, verdict: marker.verdict(cause, at: dead.writtenAt)))
                }
            }
            for (version, all) in strikes {
                let news = all.filter { !$0.file.isCounted }
                if isSweeping { Self.count(news, in: folder) }
                // The one that is kept of the news.
                let struck = all.filter { $0.file.isCounted } + news.prefix(1)
                if struck.count > 1, let last = struck.last { blamed[version] = blamed[version] ?? last.verdict }
            }
            reading.verdicts = blamed.values.sorted {
                ($0.at, $0.identity.description) < ($1.at, $1.identity.description)
            }
        } catch {
            reading.obstacle = error
        }
        return reading
    }

    /// The folder of markers; `nil` when there is none, or a link in its place.
    private func openedFolder() throws(AtriumError) -> OpenFolder? {
        try sandbox.openedUnlessLinked(folder)
    }

    /// What may be chance, once.
    private struct Strike {
        let file: DeadMarker
        let verdict: ProbationVerdict
    }

    /// Counts strikes of one version as one. The others go before that is written down: who looks meanwhile finds one at most.
    private static func count(_ strikes: [Strike], in folder: borrowing OpenFolder) {
        for strike in strikes.dropFirst() { strike.file.remove(from: folder) }
        strikes.first?.file.count(in: folder)
    }

    /// Forgets a verdict, once it has been acted upon, with all that spoke against the version.
    func clear(_ verdict: ProbationVerdict) {
        forget(verdict.identity, digest: verdict.digest)
    }

    /// Forgets all that speaks against a version.
    func forget(_ identity: BundleIdentity, digest: String) {
        remove { $0.identity == identity && $0.digest == digest }
    }

    /// Acts upon each verdict and forgets it. Of several hosts that start at once, one does; the others wait, and then find what
    /// it has done.
    ///
    /// A verdict that cannot be acted upon keeps none of the others from it.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when another host takes too long, and the first error that `act` throws; what
    ///   it threw for stays a verdict. At last, what keeps a marker from being read.
    func settle(_ act: (ProbationVerdict) throws -> Void) throws {
        // Nearly always; and without a lock.
        if reading().isClear { return }
        try FileSystem.whileLocked(folder) {
            let reading = reading()
            var obstacle: (any Error)?
            for verdict in reading.verdicts {
                do {
                    try act(verdict)
                    clear(verdict)
                } catch {
                    obstacle = obstacle ?? error
                }
            }
            if let obstacle = obstacle ?? reading.obstacle { throw obstacle }
        }
    }

    /// Removes markers of dead processes; one that cannot be read stays.
    func remove(_ isMeant: (ProbationMarker) -> Bool) {
        var obstacle: AtriumError?
        guard let folder = try? openedFolder(), let all = try? dead(in: folder, obstacle: &obstacle) else { return }
        for dead in all {
            if let marker = dead.marker, isMeant(marker) { dead.remove(from: folder) }
        }
    }

    /// What dead processes left, oldest first.
    ///
    /// - Parameter obstacle: what keeps one from being read, unless something did before.
    private func dead(
        in folder: borrowing OpenFolder, sweeping isSweeping: Bool = true, obstacle: inout AtriumError?
    ) throws(AtriumError) -> [DeadMarker] {
        var dead: [DeadMarker] = []
        for name in try folder.names() {
            // What is about to get its name is not touched: its process locks it just now.
            let isNew = name.words.hasPrefix(".")
            if isNew, folder.modified(name) > Clock.now() - Self.birth { continue }
            do throws(AtriumError) {
                guard let marker = try DeadMarker(name, in: folder) else { continue }
                guard isNew else {
                    dead.append(marker)
                    continue
                }
                if isSweeping { marker.remove(from: folder) }
            } catch {
                // What never got its name was written before any code ran.
                if !isNew { obstacle = obstacle ?? error }
            }
        }
        return dead.sorted { ($0.writtenAt, $0.name.words) < ($1.writtenAt, $1.name.words) }
    }
}

extension OpenFolder {
    /// When what has a name in it was last written, in seconds since 1970; now, when that cannot be known.
    fileprivate func modified(_ name: EntryName) -> Int64 {
        var status = stat()
        guard fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return Clock.now() }
        return Int64(status.st_mtim.tv_sec)
    }
}
