/// How many files and folders a filter took, and in which folders.
struct TakenPlaces: Sendable, Equatable {
    private(set) var count = 0
    private(set) var places: [String: Int] = [:]

    mutating func add(_ place: String) {
        count += 1
        // A root has few folders; one with a million must not fill the memory.
        if places[place] != nil || places.count < 64 { places[place, default: 0] += 1 }
    }

    mutating func add(_ other: TakenPlaces) {
        count += other.count
        for (place, count) in other.places where places[place] != nil || places.count < 64 {
            places[place, default: 0] += count
        }
    }
}
