import type { Operation } from '../../model/operation.js';
import type { RelayInput } from '../context/attempt.js';

/** Wait for a vendor to confirm that it has stopped. */
const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Cancels an answer without a reader at a vendor that would finish it. The vendor's reply to that changes nothing.
 * @param underWay  the vendor's ids of the answer; undefined = it named none
 */
export function cancelAnswer<O extends Operation>(
  { ports: { sender, clock }, translated, route }: Pick<RelayInput<O>, 'ports' | 'translated' | 'route'>,
  underWay: Readonly<Record<string, string>> | undefined,
): void {
  const request = underWay === undefined ? undefined : translated.operation.cancel?.(underWay, route);
  if (request === undefined) return;
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
