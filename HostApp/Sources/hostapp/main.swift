import AppHost
import CLoadedFirst

await HostCommandLine().main()
