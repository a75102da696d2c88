import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { readField, type ScannedObject } from '../../../relay-core/framing/json-splice.js';
import type { Caller, IncomingCall } from '../../../relay-core/model/call.js';
import { ChannelAffinity, type Conversation } from '../../../relay-core/ports/channel-affinity.js';
import { Clock } from '../../../common/clock.js';
import type { AffinityKeySource, AffinityRule } from '../../../base/options/affinity-rules.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { ChannelSnapshotStore } from '../state/channel-snapshot.store.js';

const MAX_VALUE_CHARACTERS = 1_024;
/** A remembered channel is written to the shared store again after this share of its lifetime. */
const REFRESH_SHARE = 0.25;

interface Rule {
  readonly rule: AffinityRule;
  readonly models: readonly RegExp[];
  readonly paths: readonly RegExp[];
  readonly agents: readonly string[];
  readonly value: RegExp | undefined;
}

interface Binding {
  readonly channelId: number;
  readonly expiresAtMs: number;
  readonly sharedAtMs: number;
}

interface FindInput {
  readonly call: IncomingCall;
  readonly caller: Caller;
  readonly model: string;
  readonly document: ScannedObject;
}

/**
 * Remembers which channel a conversation went to: in memory for this instance, and in the shared store for the others. The store is
 * read only for conversations this instance has not seen; when it is away, the next channel is as good.
 */
@Injectable()
export class StoredChannelAffinity extends ChannelAffinity {
  private readonly logger = new Logger('ChannelAffinity');
  /** In the order of their last use, oldest first. */
  private readonly bindings = new Map<string, Binding>();
  private rules: readonly Rule[] = [];

  constructor(
    private readonly options: OptionsService,
    private readonly store: SharedStore,
    private readonly snapshots: ChannelSnapshotStore,
    private readonly clock: Clock,
  ) {
    super();
    this.follow();
    options.onChange(() => this.follow());
  }

  override find(input: FindInput): Conversation | undefined | Promise<Conversation | undefined> {
    for (const rule of this.rules) {
      if (!matches(rule, input)) continue;
      const value = valueOf(rule, input);
      if (value === undefined) continue;
      return this.conversationOf(rule.rule, keyOf(rule.rule, input, value));
    }
    return undefined;
  }

  override recordSuccess(conversation: Conversation, channelId: number): void {
    const { key, boundChannelId, ttlMs } = conversation;
    if (boundChannelId !== undefined && boundChannelId !== channelId && !this.maySwitch(boundChannelId))
      return;
    const nowMs = this.clock.nowMs();
    const before = this.bindings.get(key);
    const isShared = before?.channelId === channelId && nowMs - before.sharedAtMs < ttlMs * REFRESH_SHARE;
    this.remember(key, {
      channelId,
      expiresAtMs: nowMs + ttlMs,
      sharedAtMs: isShared && before !== undefined ? before.sharedAtMs : nowMs,
    });
    if (isShared) return;
    this.store.cache.set(storeKey(key), channelId, ttlMs).catch((error: unknown) => {
      // Other instances choose a channel of their own: one missed prompt cache.
      this.logger.debug(`a conversation could not be shared: ${String(error)}`);
    });
  }

  private maySwitch(boundChannelId: number): boolean {
    const values = this.options.values();
    if (values['channel_affinity_setting.switch_on_success']) return true;
    const isGone = this.snapshots.current().channel(boundChannelId) === undefined;
    return isGone && !values['channel_affinity_setting.keep_on_channel_disabled'];
  }

  private conversationOf(rule: AffinityRule, key: string): Conversation | Promise<Conversation> {
    const ttlSeconds =
      rule.ttl_seconds > 0
        ? rule.ttl_seconds
        : this.options.values()['channel_affinity_setting.default_ttl_seconds'];
    const conversation = (boundChannelId: number | undefined): Conversation => ({
      key,
      boundChannelId,
      staysOnFailure: rule.skip_retry_on_failure,
      paramOverride: rule.param_override_template ?? undefined,
      ttlMs: ttlSeconds * 1_000,
    });
    const known = this.bindings.get(key);
    if (known !== undefined && known.expiresAtMs > this.clock.nowMs()) return conversation(known.channelId);
    return this.store.cache.get(storeKey(key)).then(
      (shared) => conversation(typeof shared === 'number' ? shared : undefined),
      () => conversation(undefined), // the store is away: chosen like any other call
    );
  }

  private remember(key: string, binding: Binding): void {
    this.bindings.delete(key);
    this.bindings.set(key, binding);
    const most = this.options.values()['channel_affinity_setting.max_entries'];
    for (const oldest of this.bindings.keys()) {
      if (this.bindings.size <= most) break;
      this.bindings.delete(oldest);
    }
  }

  private follow(): void {
    const values = this.options.values();
    this.rules = values['channel_affinity_setting.enabled']
      ? values['channel_affinity_setting.rules'].map(compile)
      : [];
    if (this.rules.length === 0) this.bindings.clear();
  }
}

const compile = (rule: AffinityRule): Rule => ({
  rule,
  models: rule.model_regex.map((source) => RegExp(source, 'u')),
  paths: rule.path_regex.map((source) => RegExp(source, 'u')),
  agents: rule.user_agent_include.map((text) => text.toLowerCase()),
  value: rule.value_regex === '' ? undefined : RegExp(rule.value_regex, 'u'),
});

/** An empty list of a rule matches everything. Names and paths are bounded before a pattern sees them. */
function matches({ models, paths, agents }: Rule, { call, model }: FindInput): boolean {
  const some = (patterns: readonly RegExp[], text: string): boolean =>
    patterns.length === 0 || patterns.some((pattern) => pattern.test(text.slice(0, 300)));
  if (!some(models, model) || !some(paths, call.path)) return false;
  if (agents.length === 0) return true;
  const agent = headerOf(call, 'user-agent')?.slice(0, MAX_VALUE_CHARACTERS).toLowerCase() ?? '';
  return agents.some((text) => agent.includes(text));
}

function valueOf({ rule, value: pattern }: Rule, input: FindInput): string | undefined {
  for (const source of rule.key_sources) {
    const value = readSource(source, input);
    if (value === undefined || value === '' || value.length > MAX_VALUE_CHARACTERS) continue;
    if (pattern === undefined || pattern.test(value)) return value;
  }
  return undefined;
}

function readSource(source: AffinityKeySource, { call, caller, document }: FindInput): string | undefined {
  if (source.type === 'request_header') return headerOf(call, source.key ?? '');
  if (source.type === 'gjson') return bodyValue(document, source.path ?? '');
  const context: Readonly<Record<string, string | number | null>> = {
    user_id: caller.userId,
    token_id: caller.tokenId,
    token_name: caller.tokenName,
    username: caller.username,
    group: caller.group,
  };
  const value = Object.hasOwn(context, source.key ?? '') ? context[source.key ?? ''] : undefined;
  return value === undefined || value === null ? undefined : String(value);
}

function headerOf({ headers }: IncomingCall, name: string): string | undefined {
  const lower = name.toLowerCase();
  const value = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/** Only the named top-level member is parsed, and only a text or number counts. */
function bodyValue(document: ScannedObject, path: string): string | undefined {
  const [member = '', ...rest] = path.split('.');
  let value = readField(document, member);
  for (const name of rest) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A digest: a caller's own names are not kept. The user is part of it, so that no user can steer another's conversation. */
function keyOf(rule: AffinityRule, { caller, model }: FindInput, value: string): string {
  const parts = [
    rule.include_rule_name ? rule.name : '',
    rule.include_using_group ? caller.group : '',
    rule.include_model_name ? model : '',
    String(caller.userId),
    value,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const storeKey = (key: string): string => `affinity:${key}`;
