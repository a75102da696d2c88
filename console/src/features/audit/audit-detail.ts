import { isJson, parseJson } from '../../shared/format/json';

/** One member of what is recorded, as text. */
export interface AuditFact {
  readonly name: string;
  readonly value: string;
}

/**
 * What changed, member by member. What stood before and what stands now become one line with an arrow, in every form the server
 * records them; members without content are left out. Text that is no JSON object is one fact.
 */
export function auditFacts(detail: string): AuditFact[] {
  const parsed = isJson(detail) ? parseJson(detail) : detail;
  if (!isObject(parsed)) return detail === '' ? [] : [{ name: 'detail', value: detail }];
  const members = Object.entries(parsed).filter(([name, value]) => value !== '' && !isOldSide(parsed, name));
  return members.flatMap(([name, value]) => {
    const changes = Array.isArray(value) ? optionChanges(value) : null;
    if (changes !== null) return changes;
    const subject = name.replace(/_after$/, '');
    const before = parsed[`${subject}_before`];
    // What was recorded for completeness and did not change is no news.
    if (before !== undefined) return before === value ? [] : [{ name: subject, value: arrow(before, value) }];
    if ((name === 'now' || name === 'after') && 'before' in parsed)
      return [{ name, value: arrow(parsed['before'], value) }];
    return [{ name, value: factText(value) }];
  });
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shown with the member that says what stands there now. */
function isOldSide(members: Members, name: string): boolean {
  if (name === 'before') return 'now' in members || 'after' in members;
  const subject = /^(.+)_before$/.exec(name)?.[1];
  return subject !== undefined && (subject in members || `${subject}_after` in members);
}

/** Settings that changed, each by its own name; null when the list is something else. */
function optionChanges(list: readonly unknown[]): AuditFact[] | null {
  const facts = list.map((each) =>
    isObject(each) && typeof each['option'] === 'string'
      ? {
          name: each['option'],
          value: 'before' in each ? arrow(each['before'], each['now']) : factText(each['now']),
        }
      : null,
  );
  return facts.length > 0 && facts.every((fact) => fact !== null) ? facts : null;
}

const arrow = (before: unknown, now: unknown): string => `${factText(before)} → ${factText(now)}`;

/** The facts on one line, for a table. */
export function auditSummary(detail: string): string {
  return auditFacts(detail)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(' · ');
}

function factText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'string') return value;
  if (isObject(value)) {
    const names = Object.keys(value).toSorted().join();
    for (const [before, now] of SIDES) {
      if (names === [before, now].toSorted().join()) return arrow(value[before], value[now]);
    }
  }
  return JSON.stringify(value);
}

const SIDES = [
  ['before', 'now'],
  ['old', 'new'],
  ['from', 'to'],
] as const;

/** Who did it: name and id, or the word for the system, or for somebody who came by an address and was not signed in. */
export function actorText(
  event: { readonly actor_id: number; readonly actor_name: string; readonly ip: string },
  words: { readonly system: string; readonly guest: string },
): string {
  if (event.actor_id === 0) return event.ip === '' ? words.system : words.guest;
  return event.actor_name === '' ? `#${event.actor_id}` : `${event.actor_name} #${event.actor_id}`;
}
