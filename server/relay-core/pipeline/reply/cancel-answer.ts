import type { Clock } from '../../../common/clock.js';
import type { HttpSender, UpstreamRequest } from '../../ports/http-sender.js';

/** How long a vendor may take to say that it has stopped. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Asks a vendor to stop an answer nobody reads any more. What it says to that changes nothing. */
export function cancelAnswer(
  { sender, clock }: { readonly sender: HttpSender; readonly clock: Clock },
  request: UpstreamRequest,
): void {
  let cancelTimer = (): void => undefined;
  const over = (): void => cancelTimer();
  const exchange = sender.send(request, {
    onHead: () => undefined,
    onBytes: () => true,
    onEnd: over,
    onBroken: over,
  });
  cancelTimer = clock.after(CANCEL_TIMEOUT_MS, () => exchange.abort());
}
