import BundleStorage
import Dispatch
import PluginCore
import Testing

@Suite("Observers of app groups", .tags(.medium))
struct AppGroupObserverTests {
    @Test("A change that arrives while the observing task is canceled blocks neither its sender nor the canceler")
    func changeDuringCancellation() async {
        let (changes, cancellations) = (DispatchQueue(label: "changes"), DispatchQueue(label: "cancellations"))
        for _ in 0..<20_000 {
            let observer = AppGroupObserver {}
            let task = Task {
                await withTaskCancellationHandler {
                    await observer.next()
                } onCancel: {
                    observer.end()
                }
            }
            async let sent: Void = withCheckedContinuation { sent in
                changes.async {
                    observer.add([.defaults])
                    sent.resume()
                }
            }
            async let canceled: Void = withCheckedContinuation { canceled in
                cancellations.async {
                    task.cancel()
                    canceled.resume()
                }
            }
            _ = await (sent, canceled, task.value)
        }
    }
}
