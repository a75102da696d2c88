import { Injectable } from '@nestjs/common';
import { parseJson } from '../../common/parse-json.js';
import { getOrAdd } from '../../common/get-or-add.js';
import { Clock } from '../../common/clock.js';
import { cachedReading } from '../../infra/clock/cached-reading.js';
import { type CallLine, LogsRepository } from '../../base/logs/logs.repository.js';
import { CachedChannelPicker } from '../../gateway/channels/routing/cached-channel-picker.js';
import {
  type ClientApi,
  type LoggedCalls,
  type NativeMove,
  nativeMoves,
} from '../../gateway/channels/routing/native-moves.js';
import { MESSAGES_FORMAT } from '../../relay-core/formats/anthropic-messages/id.js';
import { GENERATE_FORMAT } from '../../relay-core/formats/gemini-generate/id.js';
import { CHAT_FORMAT } from '../../relay-core/formats/openai-chat/id.js';
import { COMPLETIONS_FORMAT } from '../../relay-core/formats/openai-completions/id.js';
import { RESPONSES_FORMAT } from '../../relay-core/formats/openai-responses/id.js';
import type { Route } from '../../relay-core/ports/channel-picker.js';
import { type RelayOptions, RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { isNative } from '../../relay-core/providers/provider.js';
import { findProvider } from '../../relay-core/providers/registry.js';

/** Lines that are looked at, and how old they may be. */
export const FORECAST_LINES = 5_000;
const FORECAST_SECONDS = 7 * 86_400;
/** One answer for all that look at the page. */
const KEPT_MS = 60_000;

const APIS: readonly { readonly api: ClientApi; readonly path: RegExp; readonly format: string }[] = [
  { api: 'messages', path: /\/messages$/, format: MESSAGES_FORMAT },
  { api: 'chat', path: /\/chat\/completions$/, format: CHAT_FORMAT },
  { api: 'responses', path: /\/responses$/, format: RESPONSES_FORMAT },
  { api: 'completions', path: /\/completions$/, format: COMPLETIONS_FORMAT },
  { api: 'gemini', path: /:(?:generate|streamGenerate)Content$/, format: GENERATE_FORMAT },
];
const FORMATS: ReadonlyMap<ClientApi, string> = new Map(APIS.map(({ api, format }) => [api, format]));

/** Calls that would move if native channels came first. */
export interface NativeForecast {
  /** Calls of the log that were looked at. */
  readonly calls: number;
  readonly moves: readonly NativeMove[];
}

/** Looks through the newest calls of the log for those that a native channel would get. */
@Injectable()
export class NativeForecaster {
  private readonly count: () => Promise<NativeForecast>;

  constructor(
    private readonly logs: LogsRepository,
    private readonly picker: CachedChannelPicker,
    private readonly options: RelayOptionsSource,
    clock: Clock,
  ) {
    const ask = () => this.make(Math.floor(clock.nowMs() / 1000));
    this.count = cachedReading(clock, ask, KEPT_MS);
  }

  /** Calls that the option would move. Fails: with the database's error. */
  async forecast(): Promise<NativeForecast> {
    const { calls, moves } = await this.count();
    const { prefersNative } = this.options.current();
    return { calls, moves: moves.filter(({ group }) => prefersNative?.(group) !== true) };
  }

  private async make(nowSeconds: number): Promise<NativeForecast> {
    const lines = await this.logs.newestCalls(nowSeconds - FORECAST_SECONDS, FORECAST_LINES);
    const calls = countCalls(lines);
    const options = this.options.current();
    return {
      calls: calls.reduce((sum, { count }) => sum + count, 0),
      moves: nativeMoves(calls, this.picker.view(), (route, api, model) =>
        isNativeFor(route, api, model, options),
      ),
    };
  }
}

/** Calls by group, API, model and channel; lines of other APIs are left out. */
export function countCalls(lines: readonly CallLine[]): LoggedCalls[] {
  const counts = new Map<string, LoggedCalls>();
  for (const { group, model, channelId, details } of lines) {
    const api = apiOf(details);
    if (api === undefined) continue;
    const key = JSON.stringify([group, api, model, channelId]);
    const known = getOrAdd(counts, key, () => ({ group, api, model, channelId, count: 0 }));
    counts.set(key, { ...known, count: known.count + 1 });
  }
  return [...counts.values()];
}

/** @param details  how the `other` document of a line begins; it may be cut */
function apiOf(details: string): ClientApi | undefined {
  const quoted = /"request_path":("(?:[^"\\]|\\.)*")/.exec(details)?.[1];
  const path = quoted === undefined ? undefined : parseJson(quoted);
  return typeof path === 'string' ? APIS.find((one) => one.path.test(path))?.api : undefined;
}

function isNativeFor(route: Route, api: ClientApi, model: string, options: RelayOptions): boolean {
  const provider = findProvider(route.channelType);
  if (!provider.ok) return false;
  const shape = {
    operation: 'chat',
    model,
    stream: false,
    outputCap: undefined,
    choices: 1,
    promptTokens: 1,
    wantsStreamUsage: false,
  } as const;
  const clientFormat = FORMATS.get(api) ?? '';
  return isNative(provider.value, 'chat', {
    route,
    shape,
    options,
    clientFormat,
    vendorHeaders: undefined,
  });
}
