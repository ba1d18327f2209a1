import Console
import PluginCore
extension AtriumError {
    var report: FailureReport { FailureReport(code: code.name, subject: subject, message: description, remedy: nil) }
    var exitStatus: Console.ExitStatus { .badInput }
}
