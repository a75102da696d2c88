import type { OlderCall } from './older-call.ts';
import { CHANNEL, DRAWING, HOUR, LOG, PAGE, REDEMPTION, SUMS, TASK, USER } from './older-console.shapes.ts';
import { listOf } from './shape.ts';

const SPAN = 'start_timestamp={from}&end_timestamp={to}';
const OWN_LOG = `p=1&page_size=10&type=0&token_name=&model_name=&${SPAN}&group=`;
const ALL_LOG = `${OWN_LOG}&username=&channel=`;

/** Calls of administrators and root, in the order in which they are played; later ones need values of earlier ones. */
export const ADMINISTRATION_CALLS: readonly OlderCall[] = [
  // Administration: logs.
  {
    call: 'GET /api/log/',
    query: ALL_LOG,
    from: 'admin',
    reads: PAGE({ ...LOG, channel_name: 'str' }),
  },
  { call: 'GET /api/log/stat', query: ALL_LOG, from: 'admin', reads: SUMS },
  { call: 'GET /api/log/search', query: 'keyword=2', from: 'admin', reads: { data: listOf(LOG) } },
  {
    call: 'GET /api/data/',
    query: `${SPAN}&default_time=hour&username=`,
    from: 'admin',
    reads: { data: listOf(HOUR) },
  },
  {
    call: 'GET /api/mj/',
    query: `p=0&channel_id=&mj_id=&start_timestamp={fromMs}&end_timestamp={toMs}`,
    from: 'admin',
    reads: { data: listOf(DRAWING) },
  },
  {
    call: 'GET /api/task/',
    query: `p=0&channel_id=&task_id=&${SPAN}`,
    from: 'admin',
    reads: { data: listOf(TASK) },
  },

  // Administration: accounts.
  { call: 'GET /api/group/', from: 'admin', reads: { data: listOf('str') } },
  {
    call: 'POST /api/user/',
    from: 'admin',
    sends: { username: 'made{n}', display_name: 'Made', password: 'password-{n}' },
  },
  { call: 'GET /api/user/', query: 'p=1&page_size=10', from: 'admin', reads: PAGE(USER) },
  {
    call: 'GET /api/user/search',
    query: 'keyword=made{n}&group=&p=1&page_size=10',
    from: 'admin',
    reads: PAGE(USER),
    keeps: { target: 'data.items.0.id' },
  },
  { call: 'GET /api/user/{target}', from: 'admin', reads: { data: USER } },
  {
    call: 'PUT /api/user/',
    from: 'admin',
    sends: {
      id: '{target}',
      username: 'made{n}',
      display_name: 'Renamed',
      password: '',
      group: 'default',
      quota: 1_000,
    },
  },
  {
    call: 'POST /api/user/manage',
    from: 'admin',
    sends: { id: '{target}', action: 'disable' },
    reads: { data: { status: 'int', role: 'int' } },
  },
  {
    call: 'POST /api/user/manage',
    from: 'admin',
    sends: { id: '{target}', action: 'enable' },
    reads: { data: { status: 'int', role: 'int' } },
  },
  {
    call: 'POST /api/user/manage',
    from: 'admin',
    sends: { id: '{target}', action: 'promote' },
    reads: { data: { status: 'int', role: 'int' } },
    refuses: ['admin'],
  },
  {
    call: 'POST /api/user/manage',
    from: 'admin',
    sends: { id: '{target}', action: 'demote' },
    reads: { data: { status: 'int', role: 'int' } },
    refuses: ['admin'],
  },
  {
    call: 'POST /api/user/manage',
    from: 'admin',
    sends: { id: '{target}', action: 'delete' },
    reads: { data: { status: 'int', role: 'int' } },
  },

  {
    call: 'POST /api/user/',
    from: 'admin',
    sends: { username: 'off{n}', display_name: 'Off', password: 'password-{n}' },
  },
  {
    call: 'GET /api/user/search',
    query: 'keyword=off{n}&group=&p=1&page_size=10',
    from: 'admin',
    reads: PAGE(USER),
    keeps: { removed: 'data.items.0.id' },
  },
  { call: 'DELETE /api/user/{removed}', from: 'admin' },

  // Administration: codes.
  {
    call: 'POST /api/redemption/',
    from: 'admin',
    sends: { name: 'codes', quota: 100_000, count: 2 },
    reads: { data: listOf('str') },
  },
  {
    call: 'GET /api/redemption/',
    query: 'p=1&page_size=10',
    from: 'admin',
    reads: PAGE(REDEMPTION),
    keeps: { redemption: 'data.items.0.id' },
  },
  {
    call: 'GET /api/redemption/search',
    query: 'keyword=codes&p=1&page_size=10',
    from: 'admin',
    reads: PAGE(REDEMPTION),
  },
  { call: 'GET /api/redemption/{redemption}', from: 'admin', reads: { data: REDEMPTION } },
  {
    call: 'PUT /api/redemption/',
    from: 'admin',
    sends: { id: '{redemption}', name: 'renamed', quota: 200_000 },
    reads: { data: REDEMPTION },
  },
  {
    call: 'PUT /api/redemption/',
    query: 'status_only=true',
    from: 'admin',
    sends: { id: '{redemption}', status: 2 },
    reads: { data: REDEMPTION },
  },
  { call: 'DELETE /api/redemption/{redemption}/', from: 'admin' },

  // Administration: channels.
  { call: 'GET /api/channel/models', from: 'admin', reads: { data: listOf({ id: 'str' }) } },
  { call: 'GET /api/channel/models_enabled', from: 'admin', reads: { data: listOf('str') } },
  {
    call: 'POST /api/channel/fetch_models',
    from: 'admin',
    sends: { base_url: '{upstream}', type: 1, key: 'sk-a' },
    reads: { data: listOf('str') },
  },
  {
    call: 'POST /api/channel/',
    from: 'admin',
    sends: {
      type: 1,
      name: 'made by {n}',
      key: 'sk-a\nsk-b',
      base_url: '{upstream}',
      models: 'fx-json,fx-std',
      group: 'default',
      groups: ['default'],
      auto_ban: 1,
      other: '',
      model_mapping: '',
      status_code_mapping: '',
      setting: '',
      tag: 'tag{n}',
    },
  },
  {
    call: 'GET /api/channel/',
    query: 'p=0&page_size=10&id_sort=true&tag_mode=false',
    from: 'admin',
    reads: { data: listOf(CHANNEL) },
    keeps: { channel: 'data.0.id', other: 'data.1.id' },
  },
  {
    call: 'GET /api/channel/',
    query: 'p=0&page_size=10&id_sort=false&tag_mode=true',
    from: 'admin',
    reads: { data: listOf(CHANNEL) },
  },
  {
    call: 'GET /api/channel/search',
    query: 'keyword=made&group=&model=&id_sort=true&tag_mode=false',
    from: 'admin',
    reads: { data: listOf(CHANNEL) },
  },
  { call: 'GET /api/channel/{channel}', from: 'admin', reads: { data: CHANNEL } },
  { call: 'GET /api/channel/fetch_models/{channel}', from: 'admin', reads: { data: listOf('str') } },
  {
    call: 'PUT /api/channel/',
    from: 'admin',
    sends: {
      id: '{channel}',
      name: 'renamed by {n}',
      models: 'fx-json',
      group: 'default',
      groups: ['default'],
    },
    reads: { data: CHANNEL },
  },
  {
    call: 'PUT /api/channel/',
    from: 'admin',
    sends: { id: '{channel}', priority: 5 },
    reads: { data: CHANNEL },
  },
  {
    call: 'PUT /api/channel/',
    from: 'admin',
    sends: { id: '{channel}', weight: 3 },
    reads: { data: CHANNEL },
  },
  {
    call: 'PUT /api/channel/',
    from: 'admin',
    sends: { id: '{channel}', status: 2 },
    reads: { data: CHANNEL },
  },
  {
    call: 'POST /api/channel/batch/tag',
    from: 'admin',
    sends: { ids: ['{channel}', '{other}'], tag: 'batch{n}' },
    reads: { data: 'int' },
  },
  {
    call: 'PUT /api/channel/tag',
    from: 'admin',
    sends: { tag: 'batch{n}', new_tag: 'both{n}', model_mapping: '', groups: '', models: '' },
  },
  { call: 'PUT /api/channel/tag', from: 'admin', sends: { tag: 'both{n}', priority: 7 } },
  { call: 'PUT /api/channel/tag', from: 'admin', sends: { tag: 'both{n}', weight: 2 } },
  { call: 'POST /api/channel/tag/disabled', from: 'admin', sends: { tag: 'both{n}' } },
  { call: 'POST /api/channel/tag/enabled', from: 'admin', sends: { tag: 'both{n}' } },
  { call: 'GET /api/channel/test/{channel}', query: 'model=fx-json', from: 'admin', reads: { time: 'num' } },
  { call: 'GET /api/channel/test', from: 'admin' },
  { call: 'GET /api/channel/update_balance/{channel}/', from: 'admin', reads: { balance: 'num' } },
  { call: 'GET /api/channel/update_balance', from: 'admin' },
  { call: 'POST /api/channel/fix', from: 'admin', reads: { data: 'int' } },
  { call: 'DELETE /api/channel/{channel}/', from: 'admin' },
  { call: 'POST /api/channel/batch', from: 'admin', sends: { ids: ['{other}'] }, reads: { data: 'int' } },
  { call: 'DELETE /api/channel/disabled', from: 'admin', reads: { data: 'int' } },

  // Settings.
  { call: 'GET /api/option/', from: 'admin', reads: { data: listOf({ key: 'str', value: 'str' }) } },
  { call: 'PUT /api/option/', from: 'root', sends: { key: 'DemoSiteEnabled', value: 'false' } },
  { call: 'PUT /api/option/', from: 'root', sends: { key: 'RegisterEnabled', value: 'true' } },
  { call: 'POST /api/option/rest_model_ratio', from: 'root', reads: { message: 'str' } },
  { call: 'DELETE /api/log/', query: 'target_timestamp=1', from: 'root', reads: { data: 'int' } },
];
