import type { OlderCall } from './older-call.ts';
import {
  DRAWING,
  GROUPS,
  HOUR,
  LOG,
  PAGE,
  SIGNED_IN,
  STATUS,
  SUMS,
  TASK,
  TOKEN,
  USER,
} from './older-console.shapes.ts';
import { anyListOf, listOf, mapOf } from './shape.ts';

const SPAN = 'start_timestamp={from}&end_timestamp={to}';
const OWN_LOG = `p=1&page_size=10&type=0&token_name=&model_name=&${SPAN}&group=`;

/** Calls of all users, in the order in which they are played; later ones need values of earlier ones. */
export const OWN_CALLS: readonly OlderCall[] = [
  // First calls of every page.
  {
    call: 'GET /api/setup',
    from: 'guest',
    reads: { data: { status: 'bool', root_init: 'bool', database_type: 'str' } },
  },
  {
    call: 'POST /api/setup',
    from: 'guest',
    sends: {
      username: 'again',
      password: 'password',
      confirmPassword: 'password',
      SelfUseModeEnabled: false,
      DemoSiteEnabled: false,
    },
    refuses: true,
  },
  { call: 'GET /api/status', from: 'guest', reads: { data: STATUS } },
  { call: 'GET /api/status/test', from: 'admin' },
  { call: 'GET /api/notice', from: 'guest', reads: { data: 'str' } },
  { call: 'GET /api/about', from: 'guest', reads: { data: 'str' } },
  { call: 'GET /api/home_page_content', from: 'guest', reads: { data: 'str' } },
  {
    call: 'GET /api/pricing',
    from: 'guest',
    reads: {
      data: listOf({
        model_name: 'str',
        quota_type: 'int',
        model_ratio: 'num',
        model_price: 'num',
        owner_by: 'str',
        completion_ratio: 'num',
        enable_groups: listOf('str'),
      }),
      group_ratio: mapOf('num'),
      usable_group: mapOf('str'),
    },
  },
  { call: 'GET /api/user/groups', from: 'guest', reads: GROUPS },

  // Sign-in methods.
  {
    call: 'POST /api/user/register',
    query: 'turnstile=',
    from: 'guest',
    sends: {
      username: 'new{n}',
      password: 'password-{n}',
      password2: 'password-{n}',
      email: '',
      verification_code: '',
      aff_code: '',
    },
  },
  {
    call: 'POST /api/user/login',
    query: 'turnstile=',
    from: 'guest',
    sends: { username: 'new{n}', password: 'password-{n}' },
    reads: { data: SIGNED_IN },
  },
  {
    call: 'GET /api/verification',
    query: 'email=a{n}@mail.example&turnstile=',
    from: 'guest',
    refuses: true,
  },
  {
    call: 'GET /api/reset_password',
    query: 'email=a{n}@mail.example&turnstile=',
    from: 'guest',
    refuses: true,
  },
  {
    call: 'POST /api/user/reset',
    from: 'guest',
    sends: { email: 'a@mail.example', token: 'none' },
    refuses: true,
  },
  { call: 'GET /api/oauth/state', query: 'aff=', from: 'guest', reads: { data: 'str' } },
  { call: 'GET /api/oauth/github', query: 'code=c&state=s', from: 'guest', refuses: true },
  { call: 'GET /api/oauth/oidc', query: 'code=c&state=s', from: 'guest', refuses: true },
  { call: 'GET /api/oauth/linuxdo', query: 'code=c&state=s', from: 'guest', refuses: true },
  { call: 'GET /api/oauth/wechat', query: 'code=123456', from: 'guest', refuses: true },
  { call: 'GET /api/oauth/wechat/bind', query: 'code=123456', from: 'user', refuses: true },
  {
    call: 'GET /api/oauth/email/bind',
    query: 'email=a{n}@mail.example&code=123456',
    from: 'user',
    refuses: true,
  },
  {
    call: 'GET /api/oauth/telegram/login',
    query: 'id=1&first_name=A&last_name=B&username=c&photo_url=&auth_date=1&hash=00&lang=en',
    from: 'guest',
    refuses: true,
  },
  {
    call: 'GET /api/oauth/telegram/bind',
    query: 'id=1&first_name=A&auth_date=1&hash=00',
    from: 'user',
    refuses: true,
  },

  // The own account.
  { call: 'GET /api/user/self', from: 'user', reads: { data: { ...USER, setting: 'str' } } },
  { call: 'GET /api/user/self/groups', from: 'user', reads: GROUPS },
  { call: 'GET /api/user/models', from: 'user', reads: { data: listOf('str') } },
  { call: 'GET /api/models', from: 'user', reads: { data: mapOf(anyListOf('str')) } },
  { call: 'GET /api/user/aff', from: 'user', reads: { data: 'str' } },
  { call: 'POST /api/user/aff_transfer', from: 'user', sends: { quota: 1 }, refuses: true },
  {
    call: 'PUT /api/user/setting',
    from: 'user',
    sends: {
      notify_type: 'email',
      quota_warning_threshold: 500_000,
      webhook_url: '',
      webhook_secret: '',
      notification_email: '',
      accept_unset_model_ratio_model: false,
    },
  },
  {
    call: 'PUT /api/user/self',
    from: 'user',
    sends: { username: '{username}', display_name: 'Shown', password: '', original_password: '' },
  },

  // Tokens.
  {
    call: 'POST /api/token/',
    from: 'user',
    sends: {
      name: 'first',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    },
  },
  {
    call: 'GET /api/token/',
    query: 'p=0&size=10',
    from: 'user',
    reads: { data: listOf(TOKEN) },
    keeps: { token: 'data.0.id' },
  },
  {
    call: 'GET /api/token/search',
    query: 'keyword=first&token=',
    from: 'user',
    reads: { data: listOf(TOKEN) },
  },
  { call: 'GET /api/token/{token}', from: 'user', reads: { data: TOKEN } },
  {
    call: 'PUT /api/token/',
    from: 'user',
    sends: {
      id: '{token}',
      name: 'second',
      remain_quota: 600_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'fx-json',
      allow_ips: '',
      group: '',
    },
    reads: { data: TOKEN },
  },
  {
    call: 'PUT /api/token/',
    query: 'status_only=true',
    from: 'user',
    sends: { id: '{token}', status: 2 },
    reads: { data: TOKEN },
  },

  // The wallet.
  { call: 'POST /api/user/topup', from: 'user', sends: { key: '{code}' }, reads: { data: 'int' } },
  {
    call: 'POST /api/user/amount',
    from: 'user',
    sends: { amount: 10, top_up_code: '' },
    isBare: true,
    reads: { message: 'success', data: 'str' },
  },
  {
    call: 'POST /api/user/pay',
    from: 'user',
    sends: { amount: 10, top_up_code: '', payment_method: 'zfb' },
    isBare: true,
    reads: { message: 'success', data: mapOf('str'), url: 'str' },
  },

  // The playground, and what it leaves behind.
  {
    call: 'POST /pg/chat/completions',
    from: 'user',
    sends: {
      model: 'fx-json',
      group: '',
      stream: false,
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 16,
      temperature: 0,
    },
    isBare: true,
    reads: { choices: listOf({ message: { content: 'str' } }) },
  },
  { call: 'GET /api/log/self', query: OWN_LOG, from: 'user', reads: PAGE(LOG) },
  { call: 'GET /api/log/self/stat', query: OWN_LOG, from: 'user', reads: SUMS },
  { call: 'GET /api/log/self/search', query: 'keyword=2', from: 'user', reads: { data: listOf(LOG) } },
  {
    call: 'GET /api/data/self',
    query: `${SPAN}&default_time=hour`,
    from: 'user',
    reads: { data: listOf(HOUR) },
  },
  {
    call: 'GET /api/mj/self',
    query: `p=0&mj_id=&start_timestamp={fromMs}&end_timestamp={toMs}`,
    from: 'user',
    reads: { data: listOf(DRAWING) },
  },
  { call: 'GET /api/task/self', query: `p=0&task_id=&${SPAN}`, from: 'user', reads: { data: listOf(TASK) } },
];

/** Last calls of an account that deregisters. */
export const LEAVING_CALLS: readonly OlderCall[] = [
  { call: 'DELETE /api/token/{token}/', from: 'user' },
  { call: 'GET /api/user/token', from: 'user', reads: { data: 'str' } },
  { call: 'DELETE /api/user/self', from: 'user', refuses: ['root'] },
  { call: 'GET /api/user/logout', from: 'guest' },
];
