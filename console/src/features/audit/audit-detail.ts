import { isJson, isRecord, parseJson } from '../../shared/format/json';

/** One member of what is recorded, as text. */
export interface AuditFact {
  readonly name: string;
  readonly value: string;
}

/** Texts of the facts; undefined = a member or value without a text is shown as it was recorded. */
export interface FactTexts {
  name(member: string): string | undefined;
  value(member: string, value: unknown): string | undefined;
}

const AS_RECORDED: FactTexts = { name: () => undefined, value: () => undefined };

/**
 * Changes, member by member. The values before and after become one line with an arrow, in every form the server
 * records them; members without content are left out. Text that is no JSON object is one fact.
 */
export function auditFacts(detail: string, words: FactTexts = AS_RECORDED): AuditFact[] {
  const parsed = isJson(detail) ? parseJson(detail) : detail;
  const name = (member: string): string => words.name(member) ?? member;
  if (!isRecord(parsed)) return detail === '' ? [] : [{ name: name('detail'), value: detail }];
  const all = flattened(parsed);
  const told = (member: string, value: unknown): string =>
    words.value(member, value) ?? factText(member, value, words);
  const arrow = (member: string, before: unknown, now: unknown): string =>
    `${told(member, before)} → ${told(member, now)}`;
  const members = Object.entries(all).filter(([member, value]) => value !== '' && !isOldSide(all, member));
  return members.flatMap(([member, value]) => {
    const changes = Array.isArray(value) ? optionChanges(value, words) : null;
    if (changes !== null) return changes;
    const subject = member.replace(/_after$/, '');
    const before = all[`${subject}_before`];
    // A value that was recorded for completeness and did not change is left out.
    if (before !== undefined)
      return before === value ? [] : [{ name: name(subject), value: arrow(subject, before, value) }];
    if ((member === 'now' || member === 'after') && 'before' in all)
      return [{ name: name(member), value: arrow(member, all['before'], value) }];
    return [{ name: name(member), value: told(member, value) }];
  });
}

type Members = Readonly<Record<string, unknown>>;

/** The columns of a channel that changed stand one level deeper, beside an English sentence with the same facts. */
function flattened(members: Members): Members {
  const { text, changes, ...rest } = members;
  if (!isRecord(changes)) return members;
  const all = { ...rest, ...changes };
  return Object.keys(all).length === 0 && text !== undefined ? { text } : all;
}

/** Shown with the member that holds the present value. */
function isOldSide(members: Members, name: string): boolean {
  if (name === 'before') return 'now' in members || 'after' in members;
  const subject = /^(.+)_before$/.exec(name)?.[1];
  return subject !== undefined && (subject in members || `${subject}_after` in members);
}

/** Settings that changed, each by its own name; null when the list is something else. */
function optionChanges(list: readonly unknown[], words: FactTexts): AuditFact[] | null {
  const told = (value: unknown): string =>
    (value === 'changed' ? words.value('key', value) : undefined) ?? factText('', value, AS_RECORDED);
  const facts = list.map((each) =>
    isRecord(each) && typeof each['option'] === 'string'
      ? {
          name: each['option'],
          value: 'before' in each ? `${told(each['before'])} → ${told(each['now'])}` : told(each['now']),
        }
      : null,
  );
  return facts.length > 0 && facts.every((fact) => fact !== null) ? facts : null;
}

/** The facts on one line, for a table. */
export function auditSummary(detail: string, words?: FactTexts): string {
  return auditFacts(detail, words)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(' · ');
}

function factText(member: string, value: unknown, words: FactTexts): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'string') return value;
  if (isRecord(value)) {
    const names = Object.keys(value).toSorted().join();
    for (const [before, now] of SIDES) {
      if (names !== [before, now].toSorted().join()) continue;
      const side = (each: unknown) => words.value(member, each) ?? factText(member, each, AS_RECORDED);
      return `${side(value[before])} → ${side(value[now])}`;
    }
  }
  return JSON.stringify(value);
}

const SIDES = [
  ['before', 'now'],
  ['old', 'new'],
  ['from', 'to'],
] as const;

/** The actor: name and id, or the text for the system, or for a request from an address without a login. */
export function actorText(
  event: { readonly actor_id: number; readonly actor_name: string; readonly ip: string },
  words: { readonly system: string; readonly guest: string },
): string {
  if (event.actor_id === 0) return event.ip === '' ? words.system : words.guest;
  return event.actor_name === '' ? `#${event.actor_id}` : `${event.actor_name} #${event.actor_id}`;
}
