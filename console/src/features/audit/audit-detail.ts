import { isJson, parseJson } from '../../shared/format/json';

/** One member of what is recorded, as text. */
export interface AuditFact {
  readonly name: string;
  readonly value: string;
}

/** What changed, member by member; `old` and `new` pairs become one line with an arrow. Text that is no JSON object is one fact. */
export function auditFacts(detail: string): AuditFact[] {
  const parsed = isJson(detail) ? parseJson(detail) : detail;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return detail === '' ? [] : [{ name: 'detail', value: detail }];
  }
  return Object.entries(parsed).map(([name, value]) => ({ name, value: factText(value) }));
}

/** The facts on one line, for a table. */
export function auditSummary(detail: string): string {
  return auditFacts(detail)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(' · ');
}

function factText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const members = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(members).toSorted().join();
    if (names === 'new,old') return `${factText(members['old'])} → ${factText(members['new'])}`;
    if (names === 'from,to') return `${factText(members['from'])} → ${factText(members['to'])}`;
  }
  return JSON.stringify(value);
}

/** Who did it: name and id, or the word for the system. */
export function actorText(
  event: { readonly actor_id: number; readonly actor_name: string },
  system: string,
): string {
  if (event.actor_id === 0) return system;
  return event.actor_name === '' ? `#${event.actor_id}` : `${event.actor_name} #${event.actor_id}`;
}
