extension Settings.AutomaticSignOut {
    init(_ preset: Settings.AutomaticSignOutPreset) {
        self.init()
        (idle, countdown, lock) =
            switch preset {
            case .clinical: (.seconds(2 * 60), .seconds(20), .seconds(60))
            case .retail: (.seconds(5 * 60), .seconds(30), nil)
            case .office: (.seconds(15 * 60), .seconds(60), nil)
            }
    }
}
