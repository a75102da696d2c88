import type { Env } from '../../config/env.js';
import { newestFirst } from '../../base/options/console-panels.js';
import { configuredAddress } from '../../base/options/server-address.js';
import type { StatusView } from './dto/status.dto.js';
import { epayMerchant, epayMethods } from '../../base/options/epay-merchant.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import { PRODUCT_VERSION, STARTED_AT_SECONDS } from '../../common/product.js';
import { isStripeOn } from '../../base/options/stripe-account.js';

/** The public status, member by member: never a spread of the options. */
export function presentStatus(options: OptionValues, env: Env, isSetUp: boolean): StatusView {
  return {
    version: PRODUCT_VERSION,
    start_time: STARTED_AT_SECONDS,
    setup: isSetUp,
    self_use_mode_enabled: options.SelfUseModeEnabled,
    demo_site_enabled: options.DemoSiteEnabled,
    system_name: options.SystemName,
    logo: options.Logo,
    footer_html: options.Footer,
    docs_link: options['general_setting.docs_link'],
    top_up_link: options.TopUpLink,
    server_address: configuredAddress(options, env),
    quota_per_unit: options.QuotaPerUnit,
    display_in_currency: options.DisplayInCurrencyEnabled,
    price: options.Price,
    min_topup: options.MinTopUp,
    enable_online_topup: options.PaymentEnabled && (takesEpay(options) || isStripeOn(options)),
    enable_batch_update: true,
    enable_drawing: options.DrawingEnabled,
    enable_task: options.TaskEnabled,
    enable_data_export: options.DataExportEnabled,
    data_export_interval: options.DataExportInterval,
    data_export_default_time: options.DataExportDefaultTime,
    default_collapse_sidebar: options.DefaultCollapseSidebar,
    HeaderNavModules: JSON.stringify(options.HeaderNavModules),
    SidebarModulesAdmin: JSON.stringify(options.SidebarModulesAdmin),
    mj_notify_enabled: options.MjNotifyEnabled,
    chat_link: chatAddress(options, 0),
    chat_link2: chatAddress(options, 1),
    chats: options.Chats.map((entry) => ({ ...entry })),
    ...presentPanels(options),
    user_agreement_enabled: options['legal.user_agreement'] !== '',
    privacy_policy_enabled: options['legal.privacy_policy'] !== '',
    email_verification: options.EmailVerificationEnabled,
    github_oauth: options.GitHubOAuthEnabled,
    github_client_id: options.GitHubClientId,
    oidc_enabled: options['oidc.enabled'],
    oidc_client_id: options['oidc.client_id'],
    oidc_authorization_endpoint: options['oidc.authorization_endpoint'],
    linuxdo_oauth: options.LinuxDOOAuthEnabled,
    linuxdo_client_id: options.LinuxDOClientId,
    wechat_login: options.WeChatAuthEnabled,
    wechat_qrcode: options.WeChatAccountQRCodeImageURL,
    telegram_oauth: options.TelegramOAuthEnabled,
    telegram_bot_name: options.TelegramBotName,
    turnstile_check: options.TurnstileCheckEnabled,
    turnstile_site_key: options.TurnstileSiteKey,
    passkey_login: options['passkey.enabled'],
    password_login_enabled: options.PasswordLoginEnabled,
    register_enabled:
      options.RegisterEnabled && options.PasswordRegisterEnabled && !options.SelfUseModeEnabled,
  };
}

/** Clients that know two chats only read them here. */
const chatAddress = ({ Chats: chats }: OptionValues, index: number): string =>
  Object.values(chats[index] ?? {})[0] ?? '';

type Panels = Pick<
  StatusView,
  | 'announcements_enabled'
  | 'announcements'
  | 'api_info_enabled'
  | 'api_info'
  | 'faq_enabled'
  | 'faq'
  | 'uptime_kuma_enabled'
>;

/** Panels of the dashboard; hidden panels are left out. */
function presentPanels(options: OptionValues): Panels {
  const withNews = options['console_setting.announcements_enabled'];
  const withAddresses = options['console_setting.api_info_enabled'];
  const withFaq = options['console_setting.faq_enabled'];
  return {
    announcements_enabled: withNews,
    announcements: withNews ? newestFirst(options['console_setting.announcements']) : [],
    api_info_enabled: withAddresses,
    api_info: withAddresses ? options['console_setting.api_info'].map((entry) => ({ ...entry })) : [],
    faq_enabled: withFaq,
    faq: withFaq ? options['console_setting.faq'].map((entry) => ({ ...entry })) : [],
    uptime_kuma_enabled:
      options['console_setting.uptime_kuma_enabled'] &&
      options['console_setting.uptime_kuma_groups'].length > 0,
  };
}

/** An account at the service is of no use to payers who are offered no way to pay there. */
const takesEpay = (options: OptionValues): boolean =>
  epayMerchant(options) !== null && epayMethods(options).length > 0;
