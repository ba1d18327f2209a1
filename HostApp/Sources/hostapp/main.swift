import AppHost

await HostCommandLine().main()
