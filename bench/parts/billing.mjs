import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openLedger } from '../lib/ledger.mjs';
import { stopProgram } from '../lib/processes.mjs';
import { summary } from '../lib/stats.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const EXACT_MODELS = ['bench-flaky-json', 'bench-flaky-stream'];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Row 15: with failures and resets switched on, the tokens the gateway billed are those the upstream claimed in the
 * answers it finished; then the gateway is stopped and every account's books are proven by `money:check`. The last part to
 * run: it ends the products.
 */
export async function billing(bench) {
  bench.say('billing: every 9th call 500, every 13th 429, every 17th reset');
  const rows = [];
  for (const product of bench.products) {
    await bench.mock.forget();
    const ledger = await openLedger(product.databaseUrl);
    try {
      const before = await ledger.billed(EXACT_MODELS);
      for (const model of EXACT_MODELS) {
        const stream = model.endsWith('stream');
        await bench.load(
          'closedLoop',
          product,
          { model, stream },
          { connections: 64, durationMs: 3000, restMs: 0 },
        );
      }
      const counters = await bench.mock.counters();
      const claimed = sumCounters(EXACT_MODELS.map((model) => counters[model]));
      const billed = await settled(ledger, before, claimed);
      const differences =
        Math.abs(billed.promptTokens - claimed.promptTokens) +
        Math.abs(billed.completionTokens - claimed.completionTokens) +
        Math.abs(billed.calls - claimed.completed);
      await stopProgram(product.child, 20_000);
      const books = await moneyCheck(product);
      bench.measured(product, 'tokensOff', summary([differences]));
      bench.measured(product, 'booksClean', summary([books.clean ? 1 : 0]));
      rows.push({ target: product.label, claimed, billed, books: books.text });
    } finally {
      await ledger.close();
    }
  }
  bench.report('billing', { rows });
}

function sumCounters(counters) {
  const sum = { completed: 0, promptTokens: 0, completionTokens: 0, refused: 0, reset: 0 };
  for (const counter of counters) for (const name of Object.keys(sum)) sum[name] += counter[name];
  return sum;
}

/** Waits until the gateway has booked as many calls as were answered, or for ten seconds. */
async function settled(ledger, before, claimed) {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const now = await ledger.billed(EXACT_MODELS);
    const billed = {
      calls: now.calls - before.calls,
      promptTokens: now.promptTokens - before.promptTokens,
      completionTokens: now.completionTokens - before.completionTokens,
    };
    if (billed.calls >= claimed.completed || Date.now() > deadline) return billed;
    await pause(100);
  }
}

async function moneyCheck(product) {
  try {
    const { stdout } = await run(process.execPath, [join(root, 'dist/server/money-check.js'), '--logs'], {
      env: product.env,
    });
    return { clean: true, text: stdout.trim() };
  } catch (error) {
    return { clean: false, text: `${error.stdout ?? ''}${error.stderr ?? error.message}`.trim() };
  }
}
