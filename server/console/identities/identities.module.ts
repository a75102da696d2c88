import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { IdentityAttempts } from './attempts.js';
import { Bindings } from './bindings.service.js';
import { FlowStates } from './flow-state.js';
import { GitHubIdentity } from './github/github.identity.js';
import { IdentityRelease } from './identity-release.service.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { LinuxDoIdentity } from './linux-do.identity.js';
import { OAuthController } from './oauth.controller.js';
import { OidcIdentity } from './oidc/oidc.identity.js';
import { OidcDocuments } from './oidc/oidc-documents.js';
import { ExternalAccounts } from './external-accounts.service.js';
import { ExternalSignIn } from './external-sign-in.service.js';
import { OwnIdentitiesController } from './own-identities.controller.js';
import { RedirectProviders } from './redirect-sign-in.service.js';
import { RedirectSignIn } from './redirect-sign-in.service.js';
import { ReturnAddress } from './return-address.js';
import { RootSignInCheck } from './root-sign-in-check.js';
import { TelegramController } from './telegram.controller.js';
import { TelegramIdentity } from './telegram.identity.js';
import { UserIdentitiesController } from './user-identities.controller.js';
import { WeChatController } from './wechat.controller.js';
import { WeChatIdentity } from './wechat.identity.js';

/** Signing in from outside: GitHub, OIDC, Linux DO, WeChat, Telegram. */
@Module({
  imports: [AccountsModule, AuditLogModule, AuthModule],
  controllers: [
    OAuthController,
    WeChatController,
    TelegramController,
    OwnIdentitiesController,
    UserIdentitiesController,
  ],
  providers: [
    Bindings,
    FlowStates,
    GitHubIdentity,
    IdentityAttempts,
    IdentityFetcher,
    IdentityRelease,
    LinuxDoIdentity,
    OidcDocuments,
    OidcIdentity,
    ExternalAccounts,
    ExternalSignIn,
    RedirectProviders,
    RedirectSignIn,
    ReturnAddress,
    RootSignInCheck,
    TelegramIdentity,
    WeChatIdentity,
  ],
})
export class IdentitiesModule {}
