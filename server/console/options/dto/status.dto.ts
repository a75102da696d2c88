import { z } from 'zod';

/** Public information about this installation. */
export const statusSchema = z
  .object({
    version: z.string(),
    start_time: z.int(),
    setup: z.boolean(),
    self_use_mode_enabled: z.boolean(),
    demo_site_enabled: z.boolean(),
    system_name: z.string(),
    logo: z.string(),
    footer_html: z.string(),
    docs_link: z.string(),
    top_up_link: z.string(),
    server_address: z.string(),
    quota_per_unit: z.number(),
    display_in_currency: z.boolean(),
    price: z.number(),
    min_topup: z.int(),
    enable_online_topup: z.boolean(),
    enable_batch_update: z.boolean(),
    enable_drawing: z.boolean(),
    enable_task: z.boolean(),
    enable_data_export: z.boolean(),
    data_export_interval: z
      .int()
      .meta({ description: 'minutes after which a dashboard reads its figures again' }),
    data_export_default_time: z.enum(['hour', 'day', 'week']),
    default_collapse_sidebar: z.boolean(),
    HeaderNavModules: z.string().meta({ description: 'JSON: links of the top bar that are shown' }),
    SidebarModulesAdmin: z
      .string()
      .meta({ description: 'JSON: sections and pages of the sidebar that are shown' }),
    mj_notify_enabled: z.boolean(),
    chat_link: z
      .string()
      .meta({ description: 'address of the first chat; empty = none. For older clients: read `chats`' }),
    chat_link2: z.string().meta({ description: 'address of the second chat; empty = none' }),
    chats: z.array(z.record(z.string(), z.string())),
    announcements_enabled: z.boolean(),
    announcements: z.array(
      z.object({
        id: z.int().optional(),
        content: z.string(),
        publishDate: z.string(),
        type: z.enum(['default', 'ongoing', 'success', 'warning', 'error']),
        extra: z.string(),
      }),
    ),
    api_info_enabled: z.boolean(),
    api_info: z.array(
      z.object({
        id: z.int().optional(),
        url: z.string(),
        route: z.string(),
        description: z.string(),
        color: z.string(),
      }),
    ),
    faq_enabled: z.boolean(),
    faq: z.array(z.object({ id: z.int().optional(), question: z.string(), answer: z.string() })),
    uptime_kuma_enabled: z
      .boolean()
      .meta({ description: 'whether /api/uptime/status has something to tell' }),
    user_agreement_enabled: z.boolean(),
    privacy_policy_enabled: z.boolean(),
    email_verification: z.boolean(),
    github_oauth: z.boolean(),
    github_client_id: z.string(),
    oidc_enabled: z.boolean(),
    oidc_client_id: z.string(),
    oidc_authorization_endpoint: z.string(),
    linuxdo_oauth: z.boolean(),
    linuxdo_client_id: z.string(),
    wechat_login: z.boolean(),
    wechat_qrcode: z.string(),
    telegram_oauth: z.boolean(),
    telegram_bot_name: z.string(),
    turnstile_check: z.boolean(),
    turnstile_site_key: z.string(),
    passkey_login: z.boolean(),
    password_login_enabled: z.boolean(),
    register_enabled: z.boolean(),
  })
  .meta({ id: 'Status' });
export type StatusView = z.infer<typeof statusSchema>;

export const setupStatusSchema = z
  .object({
    status: z.boolean(),
    root_init: z.boolean(),
    database_type: z.enum(['', 'sqlite', 'mysql', 'postgres']),
    /** The call must carry the code of SETUP_TOKEN, or the one in the log of the server. */
    token_required: z.boolean(),
  })
  .meta({ id: 'SetupStatus' });
export type SetupStatusView = z.infer<typeof setupStatusSchema>;

export const setupSchema = z
  .object({
    username: z.string().max(1_000).default(''),
    password: z.string().max(1_000).default(''),
    confirmPassword: z.string().max(1_000).default(''),
    SelfUseModeEnabled: z.boolean().default(false),
    DemoSiteEnabled: z.boolean().default(false),
    setup_token: z.string().max(1_000).default(''),
  })
  .meta({ id: 'Setup' });
export type Setup = z.infer<typeof setupSchema>;
