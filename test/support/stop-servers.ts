import { stopKeeper } from './servers.ts';

/** Jest calls this once after the last integration test. */
export default function stopServers(): void {
  stopKeeper();
}
