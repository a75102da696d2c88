import { getOrAdd } from '../../../common/get-or-add.js';
import { pick } from '../../../common/pick.js';
import type { ChannelSettings, Route } from '../../../relay-core/ports/channel-picker.js';
import type { AbilityEntity } from './ability.entity.js';
import type { ChannelEntity } from './channel.entity.js';
import { type KeyRingMode, readRingInfo, type RingKey, splitStoredKeys, usableKeys } from './key-ring.js';
import { familyOfModel } from '../../../relay-core/model/model-family.js';
import { isJsonObject } from '../../../common/parse-json.js';
import { MAX_ABANDONED_READ_SECONDS } from './channel-members.js';

/** The usable keys of a channel that has several. */
export interface KeyRing {
  readonly mode: KeyRingMode;
  readonly keys: readonly RingKey[];
}

/**
 * @param info  the column `channel_info`
 * @param key   the column `key`, opened
 * @returns undefined for a channel with one key
 */
export function ringOf(info: string | null, key: string): KeyRing | undefined {
  const ring = readRingInfo(info);
  return ring === null ? undefined : { mode: ring.mode, keys: usableKeys(splitStoredKeys(key), ring) };
}

/** Columns of a channel that decide how it is called. */
export const ROUTED_COLUMNS = [
  'id',
  'type',
  'name',
  'status',
  'baseUrl',
  'openAiOrganization',
  'other',
  'modelMapping',
  'statusCodeMapping',
  'paramOverride',
  'headerOverride',
  'setting',
  'settings',
  'autoBan',
  'maxInputTokens',
  'tag',
] as const;
type RoutedChannel = Readonly<Pick<ChannelEntity, (typeof ROUTED_COLUMNS)[number]>>;

/** A channel as stored, its key opened. */
export interface OpenedChannel extends RoutedChannel {
  /** Empty for a channel with several keys. */
  readonly credential: string;
  /** Absent = one key. */
  readonly ring?: KeyRing | undefined;
}

/** @param credential  the opened key; of several, the one that is to be used, or none when the ring of them comes along */
export const openedChannel = (channel: RoutedChannel, credential: string, ring?: KeyRing): OpenedChannel => ({
  ...pick(channel, ROUTED_COLUMNS),
  credential,
  ring,
});

export type EnabledAbility = Readonly<Omit<AbilityEntity, 'enabled' | 'tag'>>;

export interface Candidate {
  /** Without a credential when there is a ring. */
  readonly route: Route;
  readonly ring?: KeyRing | undefined;
  readonly weight: number;
}

export const candidateOf = (channel: OpenedChannel, model: string, weight: number): Candidate => ({
  route: routeOf(channel, model),
  ring: channel.ring,
  weight,
});

/** Channels of one priority. */
export type Tier = readonly Candidate[];

/** Channels at one moment as the relay sees them; never changes, replaced as a whole. */
export class ChannelSnapshot {
  /** Channels that do not take every prompt: channel → the longest it takes, in tokens. */
  private readonly inputLimits: ReadonlyMap<number, number>;

  constructor(
    /** group → model → tiers, highest priority first. */
    private readonly groups: ReadonlyMap<string, ReadonlyMap<string, readonly Tier[]>>,
    /** Enabled channels. */
    private readonly channels: ReadonlyMap<number, OpenedChannel>,
    /** group → models of channels that were switched off for a while. */
    private readonly paused: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  ) {
    this.inputLimits = new Map(
      [...channels.values()].flatMap(({ id, maxInputTokens: most }) => (most > 0 ? [[id, most]] : [])),
    );
  }

  /** Longest prompt the channel takes, in tokens. */
  inputLimitOf(channelId: number): number {
    return this.inputLimits.get(channelId) ?? Number.POSITIVE_INFINITY;
  }

  /** Tiers with the channels that take a prompt of that length. */
  tiersFor(promptTokens: number, tiers: readonly Tier[]): readonly Tier[] {
    if (this.inputLimits.size === 0) return tiers;
    return tiers
      .map((tier) => tier.filter(({ route }) => promptTokens <= this.inputLimitOf(route.channelId)))
      .filter((tier) => tier.length > 0);
  }

  /** True when no channel serves the model now, and one will again: it is not unknown. */
  isPaused(group: string, model: string): boolean {
    const models = this.paused.get(group);
    return models !== undefined && (models.has(model) || models.has(familyOfModel(model)));
  }

  /** Tiers of the exact name, else of its family; empty = no channel serves it. Routes carry the name the caller requested. */
  tiersOf(group: string, model: string): readonly Tier[] {
    const models = this.groups.get(group);
    if (models === undefined) return [];
    const exact = models.get(model);
    if (exact !== undefined) return exact;
    const family = familyOfModel(model);
    const tiers = family === model ? undefined : models.get(family);
    return (tiers ?? []).map((tier) => tier.map((candidate) => this.renamed(candidate, model)));
  }

  /** Models with an enabled channel in the group, sorted. */
  modelsOf(group: string): readonly string[] {
    return [...(this.groups.get(group)?.keys() ?? [])].sort();
  }

  /** Undefined = unknown, deleted or disabled. */
  channel(id: number): OpenedChannel | undefined {
    return this.channels.get(id);
  }

  /** Channels that came, came back, or have another key or address than before: what was known of them is void. */
  renewedSince(before: ChannelSnapshot): number[] {
    const facts = ({ credential, ring, baseUrl }: OpenedChannel): string =>
      JSON.stringify([credential, ring?.keys, baseUrl]);
    return [...this.channels.values()]
      .filter((channel) => {
        const old = before.channels.get(channel.id);
        return old === undefined || facts(old) !== facts(channel);
      })
      .map((channel) => channel.id);
  }

  private renamed(candidate: Candidate, model: string): Candidate {
    const channel = this.channels.get(candidate.route.channelId);
    return channel === undefined ? candidate : candidateOf(channel, model, candidate.weight);
  }
}

/**
 * Orders channels and abilities for look-up. Abilities of channels that are not among the rows are left out.
 * @param paused  models of channels that were switched off for a while
 */
export function buildSnapshot(
  channels: readonly OpenedChannel[],
  abilities: readonly EnabledAbility[],
  paused: readonly Pick<EnabledAbility, 'group' | 'model'>[] = [],
): ChannelSnapshot {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const priorities = new Map<string, Map<string, Map<number, Candidate[]>>>();
  for (const ability of abilities) {
    const channel = byId.get(ability.channelId);
    if (channel === undefined) continue;
    const models = getOrAdd(priorities, ability.group, () => new Map<string, Map<number, Candidate[]>>());
    const tiers = getOrAdd(models, ability.model, () => new Map<number, Candidate[]>());
    const tier = getOrAdd(tiers, ability.priority, () => []);
    tier.push(candidateOf(channel, ability.model, ability.weight));
  }
  const groups = new Map<string, ReadonlyMap<string, readonly Tier[]>>();
  for (const [group, models] of priorities) groups.set(group, orderTiers(models));
  const away = new Map<string, Set<string>>();
  for (const { group, model } of paused) getOrAdd(away, group, () => new Set<string>()).add(model);
  return new ChannelSnapshot(groups, byId, away);
}

function orderTiers(
  models: ReadonlyMap<string, ReadonlyMap<number, Tier>>,
): ReadonlyMap<string, readonly Tier[]> {
  const ordered = new Map<string, readonly Tier[]>();
  for (const [model, tiers] of models) {
    ordered.set(
      model,
      [...tiers].sort(([left], [right]) => right - left).map(([, tier]) => tier),
    );
  }
  return ordered;
}

/**
 * Route of a call for `model` on this channel. The JSON columns were checked when they were saved.
 * Fails: throws SyntaxError when one of them does not parse; the caller leaves the channel out.
 */
export function routeOf(channel: OpenedChannel, model: string): Route {
  const upstreamModel = mappedModel(parseObject(channel.modelMapping), model);
  const statuses = Object.entries(parseObject(channel.statusCodeMapping));
  const override = parseObject(channel.paramOverride);
  return {
    channelId: channel.id,
    channelName: channel.name,
    ...(channel.tag === null || channel.tag === '' ? {} : { channelTag: channel.tag }),
    channelType: channel.type,
    baseUrl: channel.baseUrl,
    credential: channel.credential,
    organization: channel.openAiOrganization,
    other: channel.other,
    upstreamModel,
    isModelMapped: upstreamModel !== model,
    paramOverride: Object.keys(override).length === 0 ? undefined : override,
    headerOverride: textsOf(parseObject(channel.headerOverride ?? '')),
    statusMapping:
      statuses.length === 0 ? undefined : new Map(statuses.map(([from, to]) => [Number(from), Number(to)])),
    settings: readSettings(parseObject(channel.setting), parseObject(channel.settings ?? '')),
    autoBan: channel.autoBan === 1,
  };
}

/** Follows the mapping to its end; a name mapped onto itself ends it, as does a circle (refused when saved). */
function mappedModel(mapping: Readonly<Record<string, unknown>>, model: string): string {
  const seen = new Set<string>();
  let current = model;
  while (!seen.has(current)) {
    seen.add(current);
    const next = Object.hasOwn(mapping, current) ? mapping[current] : undefined;
    if (typeof next !== 'string' || next === '') break;
    current = next;
  }
  return current;
}

function textsOf(document: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
  const texts = Object.entries(document).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

function readSettings(
  setting: Readonly<Record<string, unknown>>,
  vendor: Readonly<Record<string, unknown>>,
): ChannelSettings {
  const text = (name: string): string | undefined => {
    const value = setting[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const flag = (name: string): boolean | undefined => (setting[name] === true ? true : undefined);
  const seconds = setting['abandoned_read_seconds'];
  return {
    proxy: text('proxy'),
    passThrough: flag('pass_through_body_enabled'),
    systemPrompt: text('system_prompt'),
    systemPromptOverride: flag('system_prompt_override'),
    forceFormat: flag('force_format'),
    thinkingToContent: flag('thinking_to_content'),
    abandonedReadSeconds:
      typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, MAX_ABANDONED_READ_SECONDS) : undefined,
    ...(Object.keys(vendor).length === 0 ? {} : { vendor }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
