import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { isJson, parseJson } from '../../shared/format/json';
import { useFreshly } from '../../shared/identity/step-up';
import { statusQuery } from '../../shared/session/status';
import { optionFields } from './option-fields';
import { callsFor } from './secret-addresses';

/** Every option as stored text; of secrets only whether they are set: see `SECRET_IS_SET`. */
export type OptionTexts = Readonly<Record<string, string>>;

/** Stands for the value of a secret, which the server never returns; an empty text means that none is stored. */
export const SECRET_IS_SET = 'set';

type StoredOption = Schemas['Option'];

const storedOptions = {
  queryKey: ['settings', 'list'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(api.GET('/api/option', { signal })),
} as const;

export const optionsQuery = queryOptions({
  ...storedOptions,
  select: (options: StoredOption[]): OptionTexts =>
    Object.fromEntries(
      options.map(({ key, value, is_set }) => [key, is_set === true ? SECRET_IS_SET : value]),
    ),
});

/** Keys that the reader may not change. */
export const optionsToReadQuery = queryOptions({
  ...storedOptions,
  select: (options: StoredOption[]): ReadonlySet<string> =>
    new Set(options.filter(({ may_change }) => may_change === false).map(({ key }) => key)),
});

/** Fields of the settings page as the server describes them. */
export const optionFieldsQuery = queryOptions({
  queryKey: ['option-fields'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/option/fields', { signal })),
  select: optionFields,
  staleTime: Infinity,
});

/** Key → every word its value can hold. */
export type OptionChoices = Readonly<Record<string, readonly string[]>>;

export const optionChoicesQuery = queryOptions({
  ...storedOptions,
  select: (options: StoredOption[]): OptionChoices =>
    Object.fromEntries(
      options.flatMap(({ key, choices }) => (choices === undefined ? [] : [[key, choices]])),
    ),
});

/** A stored value that would be refused if it were saved today. */
export interface OptionToLookAt {
  readonly key: string;
  /** Accepted values, and the place that violates them. */
  readonly reason: string;
}

export const optionsToLookAtQuery = queryOptions({
  ...storedOptions,
  select: (options: StoredOption[]): OptionToLookAt[] =>
    options.flatMap(({ key, needs_look }) => (needs_look === undefined ? [] : [{ key, reason: needs_look }])),
});

export interface OptionChange {
  readonly key: string;
  /** Null clears a secret; an empty text would leave it as it is. */
  readonly value: string | null;
}

export interface SaveOutcome {
  readonly saved: readonly string[];
  /** Key → why it was not saved. */
  readonly failed: ReadonlyMap<string, unknown>;
  /** Accounts that a new address of a provider leaves without their identity. */
  readonly lost: readonly Schemas['LostBindings'][];
}

/** One call per changed key, an address together with its secret; returns which were saved. */
export function useSaveOptions() {
  const client = useQueryClient();
  const freshly = useFreshly();
  return useMutation({
    mutationFn: async (changes: readonly OptionChange[]): Promise<SaveOutcome> => {
      const saved: string[] = [];
      const failed = new Map<string, unknown>();
      const lost: Schemas['LostBindings'][] = [];
      for (const call of callsFor(changes)) {
        const body = call.length === 1 ? call[0] : { changes: [...call] };
        await freshly(() => envelopeOf(api.PUT('/api/option', { body }))).then(
          ({ lost_bindings: unbound = [] }) => {
            saved.push(...call.map(({ key }) => key));
            lost.push(...unbound);
          },
          (error: unknown) => call.forEach(({ key }) => failed.set(key, error)),
        );
      }
      return { saved, failed, lost };
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['settings'] }),
        client.invalidateQueries({ queryKey: statusQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['groups'] }),
      ]),
  });
}

export const enabledModelsQuery = queryOptions({
  queryKey: ['settings', 'enabled-models'],
  queryFn: async ({ signal }) =>
    (await dataOf(api.GET('/api/channel/models_enabled', { signal }))).toSorted(),
});

export function useDeleteLogs() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (beforeSeconds: number) =>
      dataOf(api.DELETE('/api/log', { params: { query: { target_timestamp: beforeSeconds } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['logs'] }),
  });
}

/** A JSON option as a map of numbers; entries that are no numbers are left out. */
export function numberMap(text: string | undefined): Map<string, number> {
  const value = text !== undefined && isJson(text) ? parseJson(text) : {};
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
