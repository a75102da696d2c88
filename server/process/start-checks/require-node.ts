import { nodeRefusal } from './node-version.js';

// Imported before everything else by every program: what comes after it may not even load in an older Node.
const refusal = nodeRefusal(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
