import BatonContract
import Identity

extension AuthorizationRequest.Prompt {
    init(_ prompt: SignInPrompt) {
        switch prompt {
        case .selectAccount: self = .selectAccount
        case .login: self = .login
        case .consent: self = .consent
        case .create: self = .create
        }
    }
}
