import type { DataSource } from 'typeorm';
import type { ModelMovement, MoneyModel } from './money-model.js';

interface Row {
  readonly [column: string]: unknown;
}

interface Books {
  readonly income: ReadonlyMap<number, number>;
  readonly grants: ReadonlyMap<number, number>;
  readonly corrections: ReadonlyMap<string, number>;
}

/** Differences between the books and the model, as sentences; empty when they agree to the unit. */
export async function compareWithModel(dataSource: DataSource, model: MoneyModel): Promise<string[]> {
  const faults: string[] = [];
  const books = await compareMovements(dataSource, model, faults);
  const spent = await compareCalls(dataSource, model, books, faults);
  await compareBalances(dataSource, books, spent, faults);
  return faults;
}

async function compareMovements(dataSource: DataSource, model: MoneyModel, faults: string[]): Promise<Books> {
  const income = new Map<number, number>();
  const grants = new Map<number, number>();
  const corrections = new Map<string, number>();
  const found = new Map<ModelMovement, Row[]>();
  const tables = [
    { table: 'ledger', owner: 'user_id', sums: income },
    { table: 'token_grants', owner: 'token_id', sums: grants },
  ];
  for (const { table, owner, sums } of tables) {
    const rows: Row[] = await dataSource.query(
      `SELECT kind, ref, amount, ${owner} AS owner FROM ${table} ORDER BY id`,
    );
    for (const row of rows) {
      const [kind, ref, amount] = [String(row['kind']), String(row['ref']), Number(row['amount'])];
      add(sums, Number(row['owner']), amount);
      if (kind === 'correction') corrections.set(ref, amount);
      if (kind === 'correction' || kind === 'overrun') {
        if (!model.calls.has(ref)) faults.push(`${table}: ${kind} ${ref} belongs to no call`);
        continue;
      }
      const movement = model.movementOf(table, kind, ref);
      if (movement === undefined) faults.push(`${table}: nobody asked for ${kind} ${ref} of ${amount}`);
      else found.set(movement, [...(found.get(movement) ?? []), row]);
    }
  }
  for (const movement of model.allMovements()) faults.push(...judge(movement, found.get(movement) ?? []));
  return { income, grants, corrections };
}

function judge(movement: ModelMovement, rows: readonly Row[]): string[] {
  const name = `${movement.table}: ${movement.kind} ${movement.ref}`;
  const faults: string[] = [];
  if (rows.length > 1) faults.push(`${name} happened ${rows.length} times`);
  if (movement.winners.length > 1)
    faults.push(`${name} was confirmed to ${movement.winners.length}: ${movement.winners.join(', ')}`);
  const [row] = rows;
  if (row === undefined) {
    if (movement.isConfirmed && movement.amount !== null) faults.push(`${name} was confirmed and is lost`);
    return faults;
  }
  if (!movement.isConfirmed && movement.openTries === 0) faults.push(`${name} was refused and happened`);
  if (movement.amount !== null && Number(row['amount']) !== movement.amount)
    faults.push(`${name}: expected ${movement.amount}, found ${Number(row['amount'])}`);
  const owner = movement.ownerId ?? movement.winners[0];
  if (owner !== undefined && Number(row['owner']) !== owner)
    faults.push(`${name}: belongs to ${Number(row['owner'])}, not to ${owner}`);
  return faults;
}

interface Spent {
  readonly users: ReadonlyMap<number, number>;
  readonly tokens: ReadonlyMap<number, number>;
}

async function compareCalls(
  dataSource: DataSource,
  model: MoneyModel,
  books: Books,
  faults: string[],
): Promise<Spent> {
  const users = new Map<number, number>();
  const tokens = new Map<number, number>();
  const settled = new Set<string>();
  const rows: Row[] = await dataSource.query(
    'SELECT request_id, user_id, token_id, token_limited, charged, writeoff FROM settlements',
  );
  for (const row of rows) {
    const callId = String(row['request_id']);
    const charged = Number(row['charged']);
    settled.add(callId);
    add(users, Number(row['user_id']), charged);
    if (Number(row['token_limited']) === 1) add(tokens, Number(row['token_id']), charged);
    const cost = charged + Number(row['writeoff']) - (books.corrections.get(callId) ?? 0);
    const call = model.calls.get(callId);
    if (call === undefined) faults.push(`call ${callId}: nobody made it, charged ${cost}`);
    else if (!call.costs.has(cost))
      faults.push(`call ${callId}: charged ${cost}, seen ${listOf(call.costs)}`);
  }
  for (const call of model.calls.values()) {
    if (!settled.has(call.callId) && !call.costs.has(null))
      faults.push(`call ${call.callId}: not charged, seen ${listOf(call.costs)}`);
  }
  return { users, tokens };
}

async function compareBalances(
  dataSource: DataSource,
  books: Books,
  spent: Spent,
  faults: string[],
): Promise<void> {
  const users: Row[] = await dataSource.query('SELECT id, quota FROM users');
  for (const row of users) {
    const id = Number(row['id']);
    const expected = (books.income.get(id) ?? 0) - (spent.users.get(id) ?? 0);
    if (Number(row['quota']) !== expected)
      faults.push(`account ${id}: has ${Number(row['quota'])}, should have ${expected}`);
  }
  const tokens: Row[] = await dataSource.query('SELECT id, remain_quota FROM tokens');
  for (const row of tokens) {
    const id = Number(row['id']);
    const expected = (books.grants.get(id) ?? 0) - (spent.tokens.get(id) ?? 0);
    if (Number(row['remain_quota']) !== expected)
      faults.push(`token ${id}: has ${Number(row['remain_quota'])}, should have ${expected}`);
  }
}

const listOf = (costs: ReadonlySet<number | null>): string => [...costs].map(String).join(' or ');

function add(sums: Map<number, number>, key: number, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
