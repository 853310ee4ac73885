public import Baton

// MSAL's names for Swift, so that code that was written for it compiles.

public typealias MSALPublicClientApplication = PublicClientApplication
public typealias MSALPublicClientApplicationConfig = PublicClientApplicationConfig
public typealias MSALAuthority = ClientAuthority
public typealias MSALAADAuthority = ClientAuthority
public typealias MSALB2CAuthority = ClientAuthority
public typealias MSALCIAMAuthority = ClientAuthority
public typealias MSALADFSAuthority = ClientAuthority
public typealias MSALAccount = ClientAccount
public typealias MSALAccountId = ClientAccount.AccountID
public typealias MSALTenantProfile = TenantProfile
public typealias MSALResult = AuthenticationResult
public typealias MSALParameters = RequestParameters
public typealias MSALTokenParameters = TokenParameters
public typealias MSALInteractiveTokenParameters = InteractiveTokenParameters
public typealias MSALSilentTokenParameters = SilentTokenParameters
public typealias MSALSignoutParameters = SignoutParameters
public typealias MSALAccountEnumerationParameters = AccountEnumerationParameters
public typealias MSALWebviewParameters = WebviewParameters
public typealias MSALWebviewType = WebviewParameters.WebviewType
public typealias MSALClaimsRequest = ClaimsRequest
public typealias MSALPromptType = TokenPrompt
public typealias MSALDeviceInformation = DeviceInformation
public typealias MSALDeviceMode = DeviceMode
public typealias MSALCompletionBlock = PublicClientApplication.TokenCompletion
