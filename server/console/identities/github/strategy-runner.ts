import type { Strategy } from 'passport';

/** How a run ended. */
export type StrategyOutcome =
  | { readonly kind: 'success'; readonly user: unknown }
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'failure'; readonly cause: unknown };

/**
 * Runs a passport strategy once, without its middleware: no session, no request of a framework, a run of its own per call.
 * @param query  parameters of the callback; without a code the strategy sends people to the provider
 */
export function runStrategy(
  strategy: Strategy,
  query: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string>> = {},
): Promise<StrategyOutcome> {
  return new Promise((resolve) => {
    const fail = (cause: unknown): void => resolve({ kind: 'failure', cause });
    const run = Object.assign(Object.create(strategy) as Strategy, {
      success: (user: unknown) => resolve({ kind: 'success', user }),
      fail,
      error: fail,
      redirect: (url: string) => resolve({ kind: 'redirect', url }),
      pass: () => fail(new Error('the strategy did not decide')),
    });
    try {
      Reflect.apply(run.authenticate, run, [{ query }, options]);
    } catch (error) {
      fail(error);
    }
  });
}
