import type { Schemas } from '../../api/schemas';
import { isRequestId } from '../../shared/format/request-id';

/** Something the search of the log offers. */
export interface Finding {
  readonly kind: 'model' | 'token' | 'account' | 'channel' | 'like' | 'tag' | 'endUser' | 'request';
  /** Value of the filter; the id of a request. */
  readonly value: string;
  /** Text of the list. */
  readonly label: string;
}

/**
 * Findings for a text: names that contain it, then every model whose name does, since the log also has models that no channel serves
 * any more, and at last the tag and the end user of this name. Of a request id the call alone.
 * @param suggestions  undefined = not there yet
 */
export function findingsOf(
  text: string,
  suggestions: Schemas['LogSuggestions'] | undefined,
): readonly Finding[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  if (isRequestId(wanted)) return [{ kind: 'request', value: wanted.toLowerCase(), label: wanted }];
  const named = (kind: Finding['kind'], names: readonly string[] = []): readonly Finding[] =>
    names.map((name) => ({ kind, value: name, label: name }));
  const channels = (suggestions?.channels ?? []).map(({ id, name }): Finding => ({
    kind: 'channel',
    value: String(id),
    label: `${id} · ${name}`,
  }));
  // Wildcards stand for any text already.
  const pattern = /[*%]/.test(wanted) ? wanted : `*${wanted}*`;
  return [
    ...named('model', suggestions?.models),
    ...named('token', suggestions?.tokens),
    ...named('account', suggestions?.accounts),
    ...channels,
    { kind: 'like', value: pattern, label: wanted },
    { kind: 'tag', value: wanted, label: wanted },
    { kind: 'endUser', value: wanted, label: wanted },
  ];
}
