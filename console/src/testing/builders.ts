import type { Schemas } from '../api/schemas';
import type { Channel, ChannelPreset, ChannelType } from '../features/channels/api';
import type { ModelPrice } from '../features/channels/start-prices';
import type { Drawing } from '../features/drawings/api';
import type { LogLine } from '../features/logs/api';
import type { Task } from '../features/tasks/api';
import type { Token } from '../features/tokens/api';
import type { User } from '../features/users/api';
import type { Order } from '../shared/money/order';
import type { Self } from '../shared/session/self';
import type { Status } from '../shared/session/status';

/** 2026-11-21 12:00:00 UTC. */
export const NOON = 1_795_262_400;

export function aStatus(parts: Partial<Status> = {}): Status {
  return {
    version: '0.1.0',
    start_time: NOON - 86_400,
    setup: true,
    self_use_mode_enabled: false,
    demo_site_enabled: false,
    system_name: 'Tollgate',
    logo: '',
    footer_html: '',
    docs_link: '',
    top_up_link: '',
    server_address: 'https://gate.example',
    quota_per_unit: 500_000,
    display_in_currency: true,
    price: 7.3,
    min_topup: 1,
    enable_online_topup: false,
    enable_batch_update: false,
    enable_drawing: false,
    enable_task: false,
    enable_data_export: true,
    data_export_interval: 5,
    chat_link: '',
    chat_link2: '',
    data_export_default_time: 'hour',
    default_collapse_sidebar: false,
    HeaderNavModules: '',
    SidebarModulesAdmin: '',
    mj_notify_enabled: false,
    chats: [],
    announcements_enabled: true,
    announcements: [],
    api_info_enabled: true,
    api_info: [],
    faq_enabled: true,
    faq: [],
    uptime_kuma_enabled: false,
    user_agreement_enabled: false,
    privacy_policy_enabled: false,
    email_verification: false,
    github_oauth: false,
    github_client_id: '',
    oidc_enabled: false,
    oidc_client_id: '',
    oidc_authorization_endpoint: '',
    linuxdo_oauth: false,
    linuxdo_client_id: '',
    wechat_login: false,
    wechat_qrcode: '',
    telegram_oauth: false,
    telegram_bot_name: '',
    turnstile_check: false,
    turnstile_site_key: '',
    password_login_enabled: true,
    passkey_login: true,
    register_enabled: true,
    ...parts,
  };
}

export function aSelf(parts: Partial<Self> = {}): Self {
  return aUser({
    id: 1,
    username: 'root',
    display_name: 'Root',
    role: 100,
    quota: 49_876_543,
    used_quota: 123_457,
    request_count: 42,
    ...parts,
  });
}

type HealthLine = Schemas['ChannelHealth']['channels'][number];

/** One hour of a channel that answers. */
export function aHealthLine(parts: Partial<HealthLine> = {}): HealthLine {
  return {
    channel_id: 1,
    success: [1],
    errors: [0],
    median_seconds: [1],
    attempts: [1],
    failures: [0],
    billed_empty_tokens: [0],
    median_ms: [1_000],
    p95_ms: [2_000],
    last_failure: null,
    circuits: [],
    ...parts,
  };
}

export function aChannel(parts: Partial<Channel> = {}): Channel {
  return {
    id: 1,
    type: 1,
    status: 1,
    name: 'OpenAI main',
    weight: 1,
    priority: 0,
    created_time: NOON - 864_000,
    test_time: NOON - 600,
    test_failure: '',
    response_time: 840,
    base_url: '',
    other: '',
    balance: 0,
    balance_updated_time: 0,
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default',
    used_quota: 1_250_000,
    model_mapping: '',
    status_code_mapping: '',
    auto_ban: 1,
    other_info: '',
    tag: '',
    setting: '',
    param_override: '',
    header_override: '',
    settings: '',
    remark: '',
    max_input_tokens: 0,
    needs_look: [],
    channel_info: { is_multi_key: false, multi_key_size: 0, multi_key_mode: '', multi_key_off: 0 },
    openai_organization: '',
    test_model: '',
    key: '',
    ...parts,
  };
}

export function aChannelType(parts: Partial<ChannelType> = {}): ChannelType {
  return {
    code: 1,
    name: 'OpenAI',
    base_url: 'https://api.openai.com',
    named_base_urls: [],
    key_format: 'token',
    key_example: 'sk-…',
    key_prefixes: [],
    key_document_type: '',
    other: 'none',
    other_example: '',
    needs_other: false,
    needs_base_url: false,
    base_url_example: 'http://localhost:8000',
    is_offered: true,
    switches: [],
    operations: ['chat', 'embed'],
    lists_models: true,
    has_balance: true,
    ...parts,
  };
}

export function aModelPrice(parts: Partial<ModelPrice> = {}): ModelPrice {
  return {
    model: 'gpt-4o',
    is_priced: true,
    input: 2.5,
    output: 10,
    per_call: null,
    list_input: null,
    list_output: null,
    is_chat: true,
    ...parts,
  };
}

export function aChannelPreset(parts: Partial<ChannelPreset> = {}): ChannelPreset {
  return {
    id: 'groq',
    name: 'Groq',
    mark: 'Gq',
    type: 1,
    base_url: 'https://api.groq.com/openai',
    base_url_example: '',
    paths: {},
    key_example: 'gsk_…',
    key_prefix: 'gsk_',
    models: ['llama-3.3-70b-versatile'],
    description: { en: 'Open models at high speed.', zh: '高速开放模型。' },
    page: 'https://console.groq.com/docs/openai',
    read_on: '',
    ...parts,
  };
}

export function aToken(parts: Partial<Token> = {}): Token {
  return {
    id: 1,
    key: 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKl',
    status: 1,
    name: 'laptop',
    user_id: 1,
    DeletedAt: null,
    created_time: NOON - 86_400,
    accessed_time: NOON - 300,
    expired_time: -1,
    remain_quota: 500_000,
    used_quota: 12_345,
    refunded_quota: 0,
    unlimited_quota: false,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    tags: '',
    needs_end_user: false,
    lock: null,
    group: '',
    ...parts,
  };
}

export function aLogLine(parts: Partial<LogLine> = {}): LogLine {
  return {
    id: 101,
    user_id: 1,
    created_at: NOON - 60,
    type: 2,
    content: 'model ratio 1.25, completion ratio 4.00, group ratio 1.00',
    username: 'root',
    token_name: 'laptop',
    model_name: 'gpt-4o',
    group: 'default',
    quota: 1_513,
    prompt_tokens: 410,
    completion_tokens: 200,
    use_time: 2,
    is_stream: true,
    channel: 1,
    channel_name: 'OpenAI main',
    token_id: 1,
    tags: '',
    end_user: '',
    other: JSON.stringify({ frt: 412, outcome: 'ok', request_path: '/v1/chat/completions' }),
    request_id: '0197a3b2-7c1d-7e55-9d0e-3f6a1b2c3d4e',
    ...parts,
  };
}

/** (410 × 1 + 200 × 4) × 1.25 × 1 = 1512.5, half up 1513. */

export function aUser(parts: Partial<User> = {}): User {
  return {
    id: 2,
    username: 'ada',
    display_name: 'Ada',
    role: 1,
    status: 1,
    email: 'ada@mail.example',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    quota: 2_500_000,
    used_quota: 750_000,
    refunded_quota: 0,
    request_count: 318,
    group: 'default',
    aff_count: 0,
    inviter_id: 0,
    created_at: NOON - 2_592_000,
    last_login_at: NOON - 7_200,
    DeletedAt: null,
    password: '',
    original_password: '',
    verification_code: '',
    aff_code: '',
    aff_quota: 0,
    aff_history_quota: 0,
    setting: '',
    ...parts,
  };
}

/** Done within 42 seconds. */
export function aDrawing(parts: Partial<Drawing> = {}): Drawing {
  return {
    id: 1,
    code: 1,
    user_id: 2,
    action: 'IMAGINE',
    mj_id: '1712345678901234',
    prompt: '月光下的狐狸',
    prompt_en: 'a fox in moonlight',
    description: '',
    state: '',
    submit_time: (NOON - 600) * 1000,
    start_time: (NOON - 598) * 1000,
    finish_time: (NOON - 558) * 1000,
    image_url: 'https://pictures.example/fox.png',
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    channel_id: 3,
    quota: 50_000,
    buttons: '',
    properties: '',
    ...parts,
  };
}

/** A song on its way. */
export function aTask(parts: Partial<Task> = {}): Task {
  return {
    id: 1,
    created_at: NOON - 120,
    updated_at: NOON - 60,
    task_id: 'b7c6d5e4-song',
    platform: 'suno',
    user_id: 2,
    channel_id: 4,
    quota: 50_000,
    action: 'MUSIC',
    status: 'IN_PROGRESS',
    fail_reason: '',
    submit_time: NOON - 120,
    start_time: NOON - 110,
    finish_time: 0,
    progress: '30%',
    properties: { input: 'a song about the sea' },
    data: { clips: [{ id: 'clip-1' }] },
    ...parts,
  };
}

/** Ten dollars by Alipay, paid. */
export function anOrder(parts: Partial<Order> = {}): Order {
  return {
    id: 7,
    user_id: 2,
    trade_no: 'USR2NOAB12CD1795262000',
    amount: 10,
    quota: 5_000_000,
    money: 73,
    money_text: '73.00',
    currency: '',
    provider: 'epay',
    payment_method: 'alipay',
    status: 'success',
    create_time: NOON - 400,
    complete_time: NOON - 340,
    ...parts,
  };
}
