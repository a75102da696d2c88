/**
 * Faults in the handling of connections, one after the other. Prints a line of JSON for each: what reached the process and would have
 * ended it, and what was reported as a bug.
 */
import { REPORTED, UNREPORTED } from './failing-connections.js';

const escaped: string[] = [];
const reported: string[] = [];
process.on('uncaughtException', (fault) => escaped.push(String(fault)));
process.on('unhandledRejection', (fault) => reported.push(String(fault)));

for (const [name, run] of Object.entries({ ...REPORTED, ...UNREPORTED })) {
  escaped.length = 0;
  reported.length = 0;
  await run();
  // Unhandled rejections are reported after the turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write(`${JSON.stringify({ name, escaped, reported })}\n`);
}
