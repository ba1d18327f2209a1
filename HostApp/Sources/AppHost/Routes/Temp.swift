import PluginCore
import PluginRouter
extension Route { var exposure: Exposure { .plugins }; var priority: Int { 0 } }
