import Dispatch
import Foundation
import Glibc
import HostSystem
import Processes
import Synchronization

/// Lets a hostile extension or plugin send arbitrary bytes, frames and descriptors to a host, as the input says.
///
/// Nothing may trap or wait forever. When it has gone, all requests of the host have ended, the host has as many open descriptors
/// as before, and its connection and the objects behind it are released.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = hasStartedThreads
    let before = nextDescriptor()
    var script = HostileScript(UnsafeBufferPointer(start: bytes, count: count))
    let isOfPlugin = script.readIsPlugin()
    runAside { [script] in
        do {
            let host = try FuzzedHost(isOfPlugin: isOfPlugin)
            script.run(against: host)
            host.end()
        } catch {
            demand(false, "a host can be created: \(error)")
        }
    }
    // Requests that were just received are handled until their tasks notice the end. Some of them wait for the main thread, as in an app.
    var patience = 40_000
    while nextDescriptor() > before || HostToken.count.load(ordering: .acquiring) > 0, patience > 0 {
        patience -= 1
        _ = RunLoop.main.run(mode: .default, before: .distantPast)
        usleep(50)
    }
    demand(nextDescriptor() <= before, "the host closes all descriptors")
    demand(HostToken.count.load(ordering: .acquiring) == 0, "the host releases the connection and its objects")
    return 0
}

/// Runs a body on another thread, and meanwhile lets the main thread do what is enqueued for it, such as reading pages.
private func runAside(_ body: @escaping @Sendable () -> Void) {
    let ended = Flag()
    do {
        try DetachedThread.run {
            body()
            DispatchQueue.main.async { ended.isSet.store(true, ordering: .releasing) }
        }
    } catch {
        demand(false, "a thread can be created: \(error)")
    }
    while !ended.isSet.load(ordering: .acquiring) { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}

private final class Flag: Sendable {
    let isSet = Atomic(false)
}

/// The threads of the process open descriptors when they start, which must not count as the host's.
private let hasStartedThreads: Bool = {
    for isOfPlugin in [false, true] {
        runAside {
            guard let host = try? FuzzedHost(isOfPlugin: isOfPlugin) else { return }
            host.begin()
            host.end()
        }
    }
    usleep(100_000)
    return true
}()

/// Returns the number that the next opened file gets.
private func nextDescriptor() -> Int32 {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    close(file)
    return file
}

func demand(_ holds: Bool, _ promise: @autoclosure () -> String) {
    guard holds else { fatalError("broken: \(promise())") }
}
