import { operatorReasonIn } from '../../../base/logs/operator-reasons.js';
import type { Language } from '../../../common/language.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import { documentsToLookAt } from '../state/channel-documents.js';
import type { ChannelRow } from '../state/channels.repository.js';
import type { ChannelView } from './dto/channel.dto.js';
import { readRingInfo } from '../state/key-ring.js';

/**
 * A channel for administrators, its reasons in the reader's language. There is no way from a row to its key here: the column is not
 * even read.
 */
export const presentChannel = (channel: ChannelRow, language: Language): ChannelView => ({
  id: channel.id,
  type: channel.type,
  key: '',
  openai_organization: channel.openAiOrganization,
  test_model: channel.testModel,
  status: channel.status,
  name: channel.name,
  weight: channel.weight,
  priority: channel.priority,
  created_time: channel.createdTime,
  test_time: channel.testTime,
  test_failure: operatorReasonIn(language, channel.testFailure),
  response_time: channel.responseTime,
  base_url: channel.baseUrl,
  other: channel.other,
  balance: channel.balance,
  balance_updated_time: channel.balanceUpdatedTime,
  models: channel.models,
  group: channel.group,
  used_quota: channel.usedQuota,
  model_mapping: channel.modelMapping,
  status_code_mapping: channel.statusCodeMapping,
  auto_ban: channel.autoBan,
  other_info: otherInfoIn(language, channel.otherInfo),
  tag: channel.tag,
  setting: maskProxyPassword(channel.setting),
  param_override: channel.paramOverride,
  header_override: channel.headerOverride ?? '',
  settings: channel.settings ?? '',
  max_input_tokens: channel.maxInputTokens,
  remark: channel.remark,
  needs_look: [...documentsToLookAt(documentsOf(channel))],
  channel_info: ringView(channel.channelInfo),
});

/** The document with the reason of the status in the reader's language; one without a reason as it is stored. */
function otherInfoIn(language: Language, stored: string): string {
  const document = parseJson(stored);
  if (!isJsonObject(document) || typeof document['status_reason'] !== 'string') return stored;
  return JSON.stringify({
    ...document,
    status_reason: operatorReasonIn(language, document['status_reason']),
  });
}

const documentsOf = (channel: ChannelRow) => ({
  model_mapping: channel.modelMapping,
  status_code_mapping: channel.statusCodeMapping,
  param_override: channel.paramOverride,
  header_override: channel.headerOverride,
  setting: channel.setting,
  settings: channel.settings,
});

/** Figures of a channel with several keys, without a word about the keys themselves. */
function ringView(info: string | null): ChannelView['channel_info'] {
  const ring = readRingInfo(info);
  if (ring === null) return { is_multi_key: false, multi_key_size: 0, multi_key_mode: '', multi_key_off: 0 };
  return {
    is_multi_key: true,
    multi_key_size: ring.size,
    multi_key_mode: ring.mode,
    multi_key_off: ring.marks.size,
  };
}

/** Replacement of a proxy's password; sent back unchanged it means "keep the stored one". */
const PASSWORD_MASK = '******';

/** The setting document with the password of its proxy hidden. */
export function maskProxyPassword(setting: string): string {
  return rewriteProxy(setting, (url) => {
    if (url.password !== '') url.password = PASSWORD_MASK;
  });
}

/** Puts the stored password back where a client sent the mask for the same user, host and port. */
export function restoreProxyPassword(setting: string, stored: string): string {
  return rewriteProxy(setting, (url) => {
    if (decodeURIComponent(url.password) !== PASSWORD_MASK) return;
    const before = proxyUrl(stored);
    const isSame = before !== null && before.host === url.host && before.username === url.username;
    url.password = isSame && before !== null ? before.password : '';
  });
}

function rewriteProxy(setting: string, edit: (url: URL) => void): string {
  const url = proxyUrl(setting);
  if (url === null || url.password === '') return setting;
  edit(url);
  return JSON.stringify({ ...readDocument(setting), proxy: url.href.replace(/\/$/, '') });
}

function proxyUrl(setting: string): URL | null {
  const proxy = readDocument(setting)['proxy'];
  return typeof proxy === 'string' && URL.canParse(proxy) ? new URL(proxy) : null;
}

function readDocument(setting: string): Record<string, unknown> {
  if (setting === '') return {};
  const document: unknown = JSON.parse(setting);
  return typeof document === 'object' && document !== null ? { ...document } : {};
}
