internal import CSystem

/// A process that runs code which may crash or hang.
public enum ConfinedProcess {
    /// Makes this process end with its parent, and keeps it from writing a core file.
    ///
    /// - Parameter parent: the number of the parent, which may have ended already.
    public static func confine(to parent: Int32) { csystem_confine(parent) }
}
