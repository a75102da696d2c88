import { isJsonObject } from '../../../../common/parse-json.js';

/** A call of `from` that fails goes on with `to`, in this order. `*` = every model. */
export interface Fallback {
  readonly from: string;
  readonly to: readonly string[];
}

const KINDS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/** Fallbacks of a section of settings, of every kind: `[{"gpt-4o": ["claude"]}]`. */
export function fallbacksOf(settings: Readonly<Record<string, unknown>>): Fallback[] {
  const named = KINDS.flatMap((kind) => {
    const list = settings[kind];
    return Array.isArray(list) ? list.filter(isJsonObject).flatMap((entry) => Object.entries(entry)) : [];
  });
  const all: [string, unknown][] = [...named, ['*', settings['default_fallbacks']]];
  return all.flatMap(([from, to]) => {
    const names = (Array.isArray(to) ? to : []).filter((name) => typeof name === 'string');
    return names.length === 0 ? [] : [{ from, to: names }];
  });
}

/** Other names of models: `{"gpt-4": "gpt-4o"}`, or `{"gpt-4": {"model": "gpt-4o"}}`. */
export function aliasesOf(settings: Readonly<Record<string, unknown>>): Map<string, string> {
  const aliases = settings['model_group_alias'];
  const found = new Map<string, string>();
  for (const [alias, target] of Object.entries(isJsonObject(aliases) ? aliases : {})) {
    const name = isJsonObject(target) ? target['model'] : target;
    if (typeof name === 'string') found.set(alias, name);
  }
  return found;
}
