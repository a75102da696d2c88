import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** One comparison. Runs as a file of its own: it imports nothing of ours. */
interface Comparison {
  readonly password: string;
  readonly hash: string;
}

const { password, hash } = workerData as Comparison;
parentPort?.postMessage(compareSync(password, hash));
