import type { CallRecord, History } from '../load/history.js';
import { COUNTED_PROMPT } from '../load/shapes.js';
import { MODEL_SCRIPTS, PROMPT_TOKENS, type JournalEntry } from '../rig/upstream-models.js';
import type { SettlementRow } from './books.js';

export interface RunRecords {
  readonly history: History;
  readonly journal: readonly JournalEntry[];
  readonly settlements: readonly SettlementRow[];
  /** Call ids with two lines in the usage log. */
  readonly loggedTwice: readonly string[];
  /** Calls whose records were lost with a disk: their cost is unknown. */
  readonly isExcused?: (call: CallRecord) => boolean;
  /** Tokens that run out of money: what a call held and recovery gave back may be spent when its real figures come. */
  readonly poorTokens?: ReadonlySet<number>;
}

export interface Verdict {
  readonly calls: number;
  readonly refused: number;
  readonly cut: number;
  readonly failed: number;
  readonly charged: number;
  readonly recovered: number;
  readonly estimated: number;
  /** Calls whose client saw the end, or which the upstream answered in full, without the right settlement. */
  readonly lost: number;
  /** Calls that would count as lost had their records not gone with a disk. */
  readonly unbilled: number;
  /** Calls with two effects: two settlements, two log lines, two whole answers of the upstream. */
  readonly doubled: number;
  /** Sentences about what is wrong, the first of each kind with its call. */
  readonly findings: readonly string[];
}

/** Compares what clients saw, what the upstream did and what was booked. */
export function checkRun(records: RunRecords): Verdict {
  const { history, settlements, isExcused = () => false } = records;
  const findings = new Findings();
  const byId = new Map(settlements.map((row) => [row.callId, row]));
  const attempts = Map.groupBy(records.journal, ({ marker }) => marker);
  for (const call of history.calls) {
    if (call.callId === undefined) continue;
    const found = isExcused(call) ? new Findings() : findings;
    const isPoor = records.poorTokens?.has(call.tokenId) === true;
    checkCall(call, { row: byId.get(call.callId), attempts: attempts.get(call.marker) ?? [], isPoor }, found);
    if (found !== findings) findings.excuse(found);
  }
  checkUnknown(records, attempts, findings);
  for (const [marker, entries] of attempts) {
    if (entries.filter(({ ending }) => ending === 'completed').length > 1)
      findings.doubled(`call ${marker} was answered by the upstream twice`);
  }
  for (const callId of records.loggedTwice) findings.doubled(`${callId} has two lines in the usage log`);
  return {
    calls: history.calls.length,
    refused: history.count('refused'),
    cut: history.count('cut'),
    failed: history.count('failed'),
    charged: settlements.length,
    recovered: settlements.filter(({ outcome }) => outcome === 'recovered').length,
    estimated: settlements.filter((row) => row.evidence === 'estimated').length,
    lost: findings.lostCount,
    unbilled: findings.excusedCount,
    doubled: findings.doubledCount,
    findings: findings.sentences,
  };
}

/** A call whose id its client knows. */
function checkCall(
  call: CallRecord,
  known: {
    readonly row: SettlementRow | undefined;
    readonly attempts: readonly JournalEntry[];
    readonly isPoor: boolean;
  },
  findings: Findings,
): void {
  const { row, attempts, isPoor } = known;
  const name = `${call.callId} (${call.shape.name}, ${call.outcome} ${call.code})`.replace(' )', ')');
  const { charge } = MODEL_SCRIPTS[call.shape.model];
  if (call.outcome === 'refused') {
    if (row !== undefined && row.charged > 0)
      findings.wrong(`${name} was refused and charged ${row.charged}`);
    return;
  }
  if (call.outcome === 'ok') {
    if (row === undefined) findings.lost(`${name} has no settlement`);
    else if (!isPaid(row, charge, isPoor))
      findings.lost(
        `${name} was charged ${row.charged} + ${row.corrected}, written off ${row.writeoff}, not ${charge}`,
      );
    return;
  }
  const sent = Math.max(0, ...attempts.map(({ chunksSent }) => chunksSent));
  if (row === undefined) {
    if (attempts.some(({ ending }) => ending === 'completed'))
      findings.lost(`${name} was answered by the upstream and has no settlement`);
    else if (sent > 0 && attempts.every(({ ending }) => ending !== 'refused'))
      findings.lost(`${name} was begun by the upstream (${sent} chunks) and has no settlement`);
    return;
  }
  checkBounds(name, call, row, sent, findings);
}

/** In full; only an estimate that had to be corrected later, of an account without money, may stay below. */
function isPaid(row: SettlementRow, charge: number, isPoor: boolean): boolean {
  const paid = row.charged + row.corrected + row.writeoff;
  return paid === charge || (isPoor && row.outcome === 'recovered' && paid < charge);
}

/** A call that did not end well costs the prompt and what the upstream had sent, at least what its client has. */
function checkBounds(
  name: string,
  call: CallRecord,
  row: SettlementRow,
  sent: number,
  findings: Findings,
): void {
  const { charge } = MODEL_SCRIPTS[call.shape.model];
  const priced = row.charged + row.corrected + row.writeoff;
  if (priced === charge) return;
  // The vendor's count of the prompt, or the gateway's own.
  const prompts = [PROMPT_TOKENS, COUNTED_PROMPT[call.shape.dialect]];
  const most = Math.max(...prompts) + 2 * sent;
  // Recovery knows the last checkpoint only: up to a second or 50 chunks less than the client has.
  const least = row.outcome === 'recovered' ? 0 : Math.min(...prompts) + 2 * call.chunks;
  if (priced > most || priced < least)
    findings.wrong(`${name} was charged ${priced}, expected ${least} … ${most} or ${charge}`);
}

/**
 * Calls whose clients never learnt an id: the balancer's error, a connection that broke before the head. Per token and model,
 * as many settlements as the upstream gave whole answers, and not more than there were such calls.
 */
function checkUnknown(
  { history, settlements, isExcused = () => false }: RunRecords,
  attempts: ReadonlyMap<number, readonly JournalEntry[]>,
  findings: Findings,
): void {
  const known = new Set(history.calls.flatMap(({ callId }) => callId ?? []));
  const keyOf = (tokenId: number | null, model: string): string => `token ${tokenId ?? 0}, ${model}`;
  const strangers = Map.groupBy(
    settlements.filter(({ callId }) => !known.has(callId)),
    // Only the account is known of a call whose spool was lost with its host.
    ({ tokenId, model }) => keyOf(tokenId, model),
  );
  const unknown = Map.groupBy(
    history.calls.filter(({ callId }) => callId === undefined),
    ({ tokenId, shape }) => keyOf(tokenId, shape.model),
  );
  for (const [key, rows] of strangers) {
    if (key.endsWith(', ')) continue;
    const possible = unknown.get(key)?.length ?? 0;
    if (rows.length > possible)
      findings.doubled(`${key}: ${rows.length} settlements of calls nobody knows, ${possible} possible`);
  }
  for (const [key, calls] of unknown) {
    const certain = calls.filter((call) => !isExcused(call));
    const answered = certain.filter(({ marker }) =>
      (attempts.get(marker) ?? []).some(({ ending }) => ending === 'completed'),
    ).length;
    const booked = strangers.get(key)?.length ?? 0;
    for (let missing = booked; missing < answered; missing += 1)
      findings.lost(`${key}: ${answered} whole answers of the upstream, ${booked} settlements`);
  }
}

/** Counts every finding and keeps the words of the first few. */
class Findings {
  lostCount = 0;
  excusedCount = 0;
  doubledCount = 0;
  readonly sentences: string[] = [];

  lost(sentence: string): void {
    this.lostCount += 1;
    this.keep(`lost: ${sentence}`);
  }

  /** Takes over what was found about a call that is excused: being charged for nothing is not. */
  excuse(other: Findings): void {
    this.excusedCount += other.lostCount;
    this.doubledCount += other.doubledCount;
    this.sentences.push(...other.sentences.filter((sentence) => !sentence.startsWith('lost:')));
  }

  doubled(sentence: string): void {
    this.doubledCount += 1;
    this.keep(`doubled: ${sentence}`);
  }

  wrong(sentence: string): void {
    this.keep(`wrong: ${sentence}`);
  }

  private keep(sentence: string): void {
    if (this.sentences.length < 12) this.sentences.push(sentence);
  }
}
